# Common distribution packages only; docs/decisions says why each is here.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(SIMDJSON REQUIRED IMPORTED_TARGET simdjson)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(BROTLIDEC REQUIRED IMPORTED_TARGET libbrotlidec)
pkg_check_modules(DEFLATE REQUIRED IMPORTED_TARGET libdeflate)
pkg_check_modules(SNAPPY REQUIRED IMPORTED_TARGET snappy)

# What a room links besides libc.
set(LAKEPROOF_LIBS_json PkgConfig::SIMDJSON)
set(LAKEPROOF_LIBS_parquet PkgConfig::ZSTD PkgConfig::LZ4 PkgConfig::BROTLIDEC PkgConfig::DEFLATE PkgConfig::SNAPPY)
set(LAKEPROOF_LIBS_base Threads::Threads)
set(LAKEPROOF_LIBS_types m)
