# What a build may be asked for, and the flags that every target of ours gets.
option(LAKEPROOF_TESTS "build the tests" ON)
option(LAKEPROOF_WERROR "treat warnings as errors (ours, not for packagers)" OFF)
option(LAKEPROOF_DEBUG_ARENA "one malloc per arena allocation, for the sanitizers" OFF)
option(LAKEPROOF_FUZZ "build libFuzzer targets (clang)" OFF)
set(LAKEPROOF_SANITIZE "" CACHE STRING "value for -fsanitize=, empty for none")
option(LAKEPROOF_COVERAGE "instrument for coverage" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_library(lakeproof_flags INTERFACE)
target_compile_features(lakeproof_flags INTERFACE c_std_17 cxx_std_17)
target_compile_options(lakeproof_flags INTERFACE
  -fvisibility=hidden -fno-strict-overflow -fPIC
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla
  $<$<COMPILE_LANGUAGE:C>:-Wswitch-enum -Wmissing-prototypes -Wstrict-prototypes>
  $<$<COMPILE_LANGUAGE:C>:-include${CMAKE_SOURCE_DIR}/src/base/banned.h>
  $<$<BOOL:${LAKEPROOF_WERROR}>:-Werror>)
target_compile_definitions(lakeproof_flags INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64
  LAKEPROOF_VERSION="${PROJECT_VERSION}"
  $<$<BOOL:${LAKEPROOF_DEBUG_ARENA}>:LAKEPROOF_DEBUG_ARENA>)
if(LAKEPROOF_SANITIZE)
  target_compile_options(lakeproof_flags INTERFACE -fsanitize=${LAKEPROOF_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(lakeproof_flags INTERFACE -fsanitize=${LAKEPROOF_SANITIZE})
else()
  target_compile_options(lakeproof_flags INTERFACE
    -fstack-protector-strong $<$<CONFIG:Release>:-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2>)
  target_link_options(lakeproof_flags INTERFACE -Wl,-z,relro,-z,now)
endif()
if(LAKEPROOF_COVERAGE)
  target_compile_options(lakeproof_flags INTERFACE --coverage)
  target_link_options(lakeproof_flags INTERFACE --coverage)
endif()
if(LAKEPROOF_FUZZ)
  target_compile_options(lakeproof_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
