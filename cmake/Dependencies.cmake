# What toscac links, and how. docs/dependencies.md says what each is for.

# A plain "19" is refused by the version file that distributions ship.
find_package(LLVM 19.1 REQUIRED CONFIG)
find_package(yaml-cpp REQUIRED CONFIG)
find_package(CLI11 REQUIRED CONFIG)
find_package(Threads REQUIRED)
find_package(simdjson REQUIRED CONFIG)
find_path(TOSCAC_SQLITE_INCLUDE_DIR sqlite3.h REQUIRED)
find_path(TOSCAC_POSTGRESQL_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql
  REQUIRED)
find_library(TOSCAC_SQLITE_LIBRARY NAMES libsqlite3.a sqlite3 REQUIRED)
# Of the static archive only the hash is linked; the shared library costs
# relocations at every start.
find_path(TOSCAC_CRYPTO_INCLUDE_DIR openssl/sha.h REQUIRED)
find_library(TOSCAC_CRYPTO_LIBRARY NAMES libcrypto.a crypto REQUIRED)
# Only the headers: the library itself is loaded when the first CSAR is read.
find_path(TOSCAC_ARCHIVE_INCLUDE_DIR archive.h REQUIRED)
# Only the headers: the library itself is loaded for the first picture.
find_path(TOSCAC_GRAPHVIZ_INCLUDE_DIR graphviz/gvc.h REQUIRED)
# Only headers; lib/Basic/BoostGraph.h is all that knows them.
find_path(TOSCAC_BOOST_INCLUDE_DIR boost/graph/graph_traits.hpp REQUIRED)

find_path(TOSCAC_RE2_INCLUDE_DIR re2/re2.h REQUIRED)
find_library(TOSCAC_RE2_LIBRARY NAMES libre2.a re2 REQUIRED)

# The server of pages.
find_path(TOSCAC_HTTPLIB_INCLUDE_DIR httplib.h REQUIRED)
find_library(TOSCAC_HTTPLIB_LIBRARY cpp-httplib REQUIRED)

# yaml-cpp is linked statically where the distribution ships the archive: a
# shared library costs relocations at every start.
find_library(TOSCAC_YAML_CPP_LIBRARY NAMES libyaml-cpp.a yaml-cpp REQUIRED)
# LLVM needs zlib anyway; linked the same way, for gzipped tarballs.
find_path(TOSCAC_ZLIB_INCLUDE_DIR zlib.h REQUIRED)
find_library(TOSCAC_ZLIB_LIBRARY NAMES libz.a z REQUIRED)

# The include folder of LLVM and the library of yaml-cpp are paths of this
# machine; where toscac is installed, toscacConfig.cmake adds those found there.
add_library(toscac_llvm INTERFACE)
target_include_directories(toscac_llvm SYSTEM INTERFACE
  $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
target_link_libraries(toscac_llvm INTERFACE LLVMSupport Threads::Threads)

add_library(toscac_yaml INTERFACE)
target_link_libraries(toscac_yaml INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_YAML_CPP_LIBRARY}>)

add_library(toscac_archive INTERFACE)
target_include_directories(toscac_archive SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_ARCHIVE_INCLUDE_DIR}>
  $<BUILD_INTERFACE:${TOSCAC_ZLIB_INCLUDE_DIR}>)
target_link_libraries(toscac_archive INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_ZLIB_LIBRARY}>
  $<INSTALL_INTERFACE:z>
  ${CMAKE_DL_LIBS})

# Its headers include one another without their folder.
add_library(toscac_graphviz INTERFACE)
target_include_directories(toscac_graphviz SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_GRAPHVIZ_INCLUDE_DIR}>
  $<BUILD_INTERFACE:${TOSCAC_GRAPHVIZ_INCLUDE_DIR}/graphviz>)
target_link_libraries(toscac_graphviz INTERFACE ${CMAKE_DL_LIBS})

add_library(toscac_cli INTERFACE)
target_link_libraries(toscac_cli INTERFACE CLI11::CLI11)

add_library(toscac_simdjson INTERFACE)
target_link_libraries(toscac_simdjson INTERFACE simdjson::simdjson)

# Linked statically where the distribution ships the archive: no time at start.
add_library(toscac_sqlite INTERFACE)
target_include_directories(toscac_sqlite SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_SQLITE_INCLUDE_DIR}>)
target_link_libraries(toscac_sqlite INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_SQLITE_LIBRARY}>
  $<INSTALL_INTERFACE:sqlite3>
  m ${CMAKE_DL_LIBS})

# Only the header: the library is loaded when a store is in PostgreSQL.
add_library(toscac_postgresql INTERFACE)
target_include_directories(toscac_postgresql SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_POSTGRESQL_INCLUDE_DIR}>)
target_link_libraries(toscac_postgresql INTERFACE ${CMAKE_DL_LIBS})

add_library(toscac_re2 INTERFACE)
target_include_directories(toscac_re2 SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_RE2_INCLUDE_DIR}>)
target_link_libraries(toscac_re2 INTERFACE
  $<BUILD_INTERFACE:$<IF:$<STREQUAL:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY>,re2,${TOSCAC_RE2_LIBRARY}>>
  $<INSTALL_INTERFACE:re2>
  Threads::Threads)

# The protocol of editors, as LLVM's own language servers speak it; for the tool
# alone, so that embedders do not need it.
find_library(TOSCAC_LSP_LIBRARY NAMES libMLIRLspServerSupportLib.a
  HINTS ${LLVM_LIBRARY_DIR} REQUIRED)
find_library(TOSCAC_MLIR_SUPPORT_LIBRARY NAMES libMLIRSupport.a
  HINTS ${LLVM_LIBRARY_DIR} REQUIRED)
add_library(toscac_lsp INTERFACE)
target_link_libraries(toscac_lsp INTERFACE
  ${TOSCAC_LSP_LIBRARY} ${TOSCAC_MLIR_SUPPORT_LIBRARY} toscac_llvm)

# Shared: only tosca-ui links it. Distributions build it with TLS, which its
# classes have members for.
add_library(toscac_httplib INTERFACE)
target_compile_definitions(toscac_httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT)
target_include_directories(toscac_httplib SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_HTTPLIB_INCLUDE_DIR}>)
target_link_libraries(toscac_httplib INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_HTTPLIB_LIBRARY}>
  $<INSTALL_INTERFACE:cpp-httplib>
  Threads::Threads)

add_library(toscac_boost INTERFACE)
target_include_directories(toscac_boost SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_BOOST_INCLUDE_DIR}>)

add_library(toscac_crypto INTERFACE)
target_include_directories(toscac_crypto SYSTEM INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_CRYPTO_INCLUDE_DIR}>)
target_link_libraries(toscac_crypto INTERFACE
  $<BUILD_INTERFACE:${TOSCAC_CRYPTO_LIBRARY}>
  $<INSTALL_INTERFACE:crypto>
  ${CMAKE_DL_LIBS})
