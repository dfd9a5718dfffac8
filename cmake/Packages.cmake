# cpack makes Debian packages and a tarball; scripts/package calls it. The version is
# the project's, the licence the file LICENCE.

# Whom to write to about a package; whoever passes packages on names themselves.
set(TOSCAC_PACKAGER "toscac packagers <packagers@toscac.invalid>" CACHE STRING
  "Name and address of those who make the packages")

set(CPACK_PACKAGE_NAME toscac)
set(CPACK_PACKAGE_VENDOR toscac)
set(CPACK_PACKAGE_CONTACT ${TOSCAC_PACKAGER})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENCE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_COMPONENTS_ALL tools profiles library dev python)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_DEB_COMPONENT_INSTALL ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME toscac)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# The first archive that is read loads libarchive.
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS
  "toscac-profiles (= ${PROJECT_VERSION}), libarchive13")
# The first page loads Graphviz; without it, boxes stand in rows.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS "python3, libgvc6")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "compiler from service templates to execution plans
Reads TOSCA, BOSH manifests, Heat stacks and Cloudify blueprints, checks
them and works out every operation that a deployment takes, and what
each waits for. The plan is a file, which tosca-run and other engines
run.")

set(CPACK_DEBIAN_PROFILES_PACKAGE_NAME toscac-profiles)
set(CPACK_DEBIAN_PROFILES_PACKAGE_ARCHITECTURE all)
# For operations of the languages that bring scripts.
set(CPACK_DEBIAN_PROFILES_PACKAGE_DEPENDS python3:any)
set(CPACK_DEBIAN_PROFILES_DESCRIPTION "types and lifecycles for toscac
The profiles that come with the compiler toscac: simple, vnf, and those
of TOSCA 1.x, BOSH, Heat and Cloudify, written in TOSCA.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libtoscac0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
file(WRITE ${CMAKE_BINARY_DIR}/share/shlibs "libtoscac ${PROJECT_VERSION_MAJOR} libtoscac0\n")
file(WRITE ${CMAKE_BINARY_DIR}/share/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
  ${CMAKE_BINARY_DIR}/share/shlibs ${CMAKE_BINARY_DIR}/share/triggers)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
  "toscac-profiles (= ${PROJECT_VERSION}), libarchive13")
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "compiler toscac as a library
Checks service templates, compiles them to execution plans and reads
plans, inside the process of a program in C or any language that can
call C.")

set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-toscac)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "libtoscac0 (= ${PROJECT_VERSION}), python3 (>= 3.9)")
# Bytecode, which nobody else would take away with the package.
foreach(script postinst:py3compile prerm:py3clean)
  string(REPLACE ":" ";" script ${script})
  list(GET script 0 name)
  list(GET script 1 command)
  set(file ${CMAKE_BINARY_DIR}/share/python/${name})
  file(WRITE ${file} "#!/bin/sh
set -e
if command -v ${command} >/dev/null; then
  ${command} -p python3-toscac
fi
")
  file(CHMOD ${file} PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  list(APPEND CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${file})
endforeach()
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "compiler toscac for Python
Checks service templates, compiles them to execution plans and reads
plans, with steps and diagnostics as objects of Python.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libtoscac-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "toscac (= ${PROJECT_VERSION}),
 libtoscac0 (= ${PROJECT_VERSION}), llvm-19-dev,
 libyaml-cpp-dev, libsimdjson-dev, libsqlite3-dev, libre2-dev, libssl-dev, zlib1g-dev,
 libzstd-dev, libboost-graph-dev, libcpp-httplib-dev")
string(REPLACE "\n" "" CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${CPACK_DEBIAN_DEV_PACKAGE_DEPENDS}")
set(CPACK_DEBIAN_DEV_DESCRIPTION "libraries of the compiler toscac
The headers of libtoscac for C, and for C++ static libraries with a
package for CMake, to read, check and compile templates in a program of
one's own; with tools for those who work on toscac.")

# What Debian wants in every package: the licence, and a changelog of its form.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
set(changelog ${CMAKE_BINARY_DIR}/share/changelog)
file(WRITE ${changelog} "toscac (${PROJECT_VERSION}) unstable; urgency=medium

  * See /usr/share/doc/toscac/CHANGELOG.md.

 -- ${TOSCAC_PACKAGER}  ${date}
")
execute_process(COMMAND ${TOSCAC_GZIP} -9nf ${changelog} COMMAND_ERROR_IS_FATAL ANY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  install(FILES LICENCE RENAME copyright DESTINATION ${folder} COMPONENT ${component})
  install(FILES ${changelog}.gz DESTINATION ${folder} COMPONENT ${component})
  # Static archives of the distribution start faster; see docs/dependencies.md.
  set(overrides ${CMAKE_BINARY_DIR}/share/overrides/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${overrides} "${CPACK_DEBIAN_${upper}_PACKAGE_NAME}: embedded-library *\n")
  if(component MATCHES "tools|library|dev")
    install(FILES ${overrides} DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides
      COMPONENT ${component})
  endif()
endforeach()

include(CPack)
