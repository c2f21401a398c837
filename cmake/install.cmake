# What `cmake --install` puts where, and the Debian packages. Components: command (the program, its manual pages and
# completions) and development (the libraries and the header).
option(LAKEPROOF_INSTALL_DROPIN "install the name delta-explain too, a link to lakeproof" OFF)
include(CMakePackageConfigHelpers)
set(cmake_files ${CMAKE_INSTALL_LIBDIR}/cmake/lakeproof)

# ---- libraries ----
install(FILES ${CMAKE_SOURCE_DIR}/include/lakeproof.h ${CMAKE_SOURCE_DIR}/include/lakeproof_err.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
set_target_properties(lakeproof_shared PROPERTIES EXPORT_NAME lakeproof)
set_target_properties(lakeproof_static PROPERTIES EXPORT_NAME static)
foreach(kind shared static)
  install(TARGETS lakeproof_${kind} EXPORT lakeproof-${kind}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
  install(EXPORT lakeproof-${kind} NAMESPACE lakeproof:: DESTINATION ${cmake_files} COMPONENT development)
endforeach()
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/lakeproof-config.cmake.in ${CMAKE_BINARY_DIR}/lakeproof-config.cmake
  INSTALL_DESTINATION ${cmake_files})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lakeproof-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/lakeproof-config.cmake ${CMAKE_BINARY_DIR}/lakeproof-config-version.cmake
  DESTINATION ${cmake_files} COMPONENT development)

file(RELATIVE_PATH LAKEPROOF_PC_TO_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
list(TRANSFORM LAKEPROOF_MODULE_PAIRS REPLACE "^.*=" "" OUTPUT_VARIABLE LAKEPROOF_PC_REQUIRES)
list(JOIN LAKEPROOF_PC_REQUIRES " " LAKEPROOF_PC_REQUIRES)
if(APPLE)
  set(LAKEPROOF_CXX_RUNTIME -lc++)
else()
  set(LAKEPROOF_CXX_RUNTIME -lstdc++)
endif()
configure_file(${CMAKE_SOURCE_DIR}/cmake/lakeproof.pc.in ${CMAKE_BINARY_DIR}/lakeproof.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/lakeproof.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- the command; its pages and completions are printed by the program that was built ----
if(TARGET lakeproof_command)
  install(TARGETS lakeproof_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT command)
  set(documents)
  function(lakeproof_document file)
    set(made ${CMAKE_BINARY_DIR}/share/${file})
    get_filename_component(folder ${made} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(OUTPUT ${made} COMMAND lakeproof_command ${ARGN} > ${made} VERBATIM)
    set(documents ${documents} ${made} PARENT_SCOPE)
  endfunction()
  foreach(page lakeproof lakeproof-prune lakeproof-snapshot lakeproof-diff lakeproof-why lakeproof-sql lakeproof-facts lakeproof-check lakeproof-prove lakeproof-coverage delta-explain)
    lakeproof_document(man/man1/${page}.1 man ${page})
  endforeach()
  lakeproof_document(bash-completion/completions/lakeproof completion bash)
  lakeproof_document(zsh/site-functions/_lakeproof completion zsh)
  lakeproof_document(fish/vendor_completions.d/lakeproof.fish completion fish)
  add_custom_target(lakeproof_documents ALL DEPENDS ${documents})
  install(DIRECTORY ${CMAKE_BINARY_DIR}/share/ DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT command
    PATTERN delta-explain.1 EXCLUDE)
  install(FILES ${CMAKE_SOURCE_DIR}/README.md ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${CMAKE_SOURCE_DIR}/LICENSE
    DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/schemas DESTINATION ${CMAKE_INSTALL_DATADIR}/lakeproof COMPONENT command
    FILES_MATCHING PATTERN "*.json")
  if(LAKEPROOF_INSTALL_DROPIN)
    function(lakeproof_link target name folder)
      file(CREATE_LINK ${target} ${CMAKE_BINARY_DIR}/links/${name} SYMBOLIC)
      install(FILES ${CMAKE_BINARY_DIR}/links/${name} DESTINATION ${folder} COMPONENT command)
    endfunction()
    file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/links/bash)
    lakeproof_link(lakeproof delta-explain ${CMAKE_INSTALL_BINDIR})
    lakeproof_link(lakeproof bash/delta-explain ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    lakeproof_link(lakeproof.fish delta-explain.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/delta-explain.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
  endif()
endif()

# ---- Debian packages: `cmake --build --preset package --target package` ----
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the lakeproof developers <lakeproof@localhost>")
set(CPACK_PACKAGE_VENDOR lakeproof)
set(CPACK_COMPONENTS_ALL command development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME lakeproof)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_COMPONENT_COMMAND_DESCRIPTION "what a query will do to a lakehouse table, from metadata alone
 Explains which files of a Delta Lake table a SQL filter reads, and why.")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME liblakeproof-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS # what the static library and the CMake package look for
  "pkg-config, libsimdjson-dev, libzstd-dev, liblz4-dev, libbrotli-dev, libdeflate-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "lakeproof as a library: shared, static and header
 Answers which files of a Delta Lake table a SQL filter reads, through a C interface.")
include(CPack)
