# cmake --install: the tools, the bundled profiles, and for embedders the
# libraries with their headers and a package for find_package(toscac).

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TOSCAC_LIBRARIES)
get_property(tools GLOBAL PROPERTY TOSCAC_TOOLS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/toscac)

install(TARGETS ${tools} DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ${libraries} toscac_archive toscac_crypto toscac_llvm toscac_simdjson
  toscac_sqlite toscac_yaml EXPORT toscacTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/toscac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/profiles)
  install(DIRECTORY profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/toscac)
endif()

install(EXPORT toscacTargets NAMESPACE toscac:: DESTINATION ${package_dir})
configure_package_config_file(cmake/toscacConfig.cmake.in
  ${CMAKE_BINARY_DIR}/toscacConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/toscacConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/toscacConfig.cmake
  ${CMAKE_BINARY_DIR}/toscacConfigVersion.cmake
  DESTINATION ${package_dir})
