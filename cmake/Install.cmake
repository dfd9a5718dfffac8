# cmake --install: the tools, the bundled profiles, and for embedders the
# libraries with their headers and a package for find_package(toscac). Each is a
# component, which Packages.cmake makes a package of.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY TOSCAC_LIBRARIES)
get_property(tools GLOBAL PROPERTY TOSCAC_TOOLS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/toscac)

# The others are for those who work on toscac, or with its libraries.
set(users_tools toscac tosca-run tosca-ui tosca-diff tosca-caps tosca-lsp)
list(REMOVE_ITEM tools ${users_tools})
install(TARGETS ${users_tools} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tools)
install(TARGETS ${tools} DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT dev)
install(TARGETS ${libraries} toscac_archive toscac_boost toscac_crypto toscac_graphviz toscac_httplib
  toscac_llvm toscac_postgresql toscac_re2 toscac_simdjson toscac_sqlite toscac_yaml EXPORT toscacTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY include/toscac DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT dev FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
# For programs in C and Python.
if(TOSCAC_C_LIBRARY)
  install(TARGETS toscac_c EXPORT toscacTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
    NAMELINK_COMPONENT dev)
  install(DIRECTORY include/toscac-c DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT dev)
  install(DIRECTORY python/toscac DESTINATION lib/python3/dist-packages
    COMPONENT python PATTERN __pycache__ EXCLUDE)
endif()
if(IS_DIRECTORY ${PROJECT_SOURCE_DIR}/profiles)
  install(DIRECTORY profiles DESTINATION ${CMAKE_INSTALL_DATADIR}/toscac
    COMPONENT profiles USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
endif()

# Man pages and completions are what the tools say of themselves.
find_program(TOSCAC_GZIP gzip REQUIRED)
foreach(tool ${users_tools})
  set(made ${CMAKE_BINARY_DIR}/share/${tool})
  add_custom_command(OUTPUT ${made}.1.gz ${made}.bash ${made}.zsh ${made}.fish
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share
    COMMAND ${tool} --print-help=man > ${made}.1
    COMMAND ${TOSCAC_GZIP} -9nf ${made}.1
    COMMAND ${tool} --print-help=bash > ${made}.bash
    COMMAND ${tool} --print-help=zsh > ${made}.zsh
    COMMAND ${tool} --print-help=fish > ${made}.fish
    DEPENDS ${tool} VERBATIM)
  list(APPEND man_pages ${made}.1.gz)
  set(shells ${CMAKE_INSTALL_DATADIR})
  install(FILES ${made}.bash RENAME ${tool} COMPONENT tools
    DESTINATION ${shells}/bash-completion/completions)
  install(FILES ${made}.zsh RENAME _${tool} COMPONENT tools
    DESTINATION ${shells}/zsh/vendor-completions)
  install(FILES ${made}.fish COMPONENT tools
    DESTINATION ${shells}/fish/vendor_completions.d)
endforeach()
add_custom_target(man ALL DEPENDS ${man_pages})
install(FILES ${man_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tools)

# The manual; tosca-lsp links diagnostics to their pages.
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools
  FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
install(FILES README.md CHANGELOG.md .pre-commit-hooks.yaml
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tools
  USE_SOURCE_PERMISSIONS PATTERN __pycache__ EXCLUDE)
install(DIRECTORY editors/schemas editors/neovim COMPONENT tools
  DESTINATION ${CMAKE_INSTALL_DATADIR}/toscac)

install(EXPORT toscacTargets NAMESPACE toscac:: DESTINATION ${package_dir}
  COMPONENT dev)
configure_package_config_file(cmake/toscacConfig.cmake.in
  ${CMAKE_BINARY_DIR}/toscacConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/toscacConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/toscacConfig.cmake
  ${CMAKE_BINARY_DIR}/toscacConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT dev)
