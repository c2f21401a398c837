# Common distribution packages only; docs/decisions says why each is here.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

# NAME=module: the pkg-config modules, also for the installed package files.
set(LAKEPROOF_MODULE_PAIRS SIMDJSON=simdjson ZSTD=libzstd LZ4=liblz4 BROTLIDEC=libbrotlidec DEFLATE=libdeflate)
foreach(pair IN LISTS LAKEPROOF_MODULE_PAIRS)
  string(REPLACE "=" ";" pair "${pair}")
  list(GET pair 0 name)
  list(GET pair 1 module)
  pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
endforeach()

# What a room links besides libc.
set(LAKEPROOF_LIBS_json PkgConfig::SIMDJSON)
set(LAKEPROOF_LIBS_parquet PkgConfig::ZSTD PkgConfig::LZ4 PkgConfig::BROTLIDEC PkgConfig::DEFLATE)
set(LAKEPROOF_LIBS_base Threads::Threads)
set(LAKEPROOF_LIBS_types m)
