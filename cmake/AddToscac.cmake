# toscac_library(Sema SOURCES ... LINKS ...): the library ToscacSema in
# lib/Sema. toscac_tool(toscac SOURCES ... LINKS ...): an installed program.

add_library(toscac_flags INTERFACE)
target_compile_options(toscac_flags INTERFACE
  -Wall -Wextra -Werror -Wswitch -Wno-missing-field-initializers)
# g++ 12 sees uninitialised unions in LLVM's JSON.h when it adds sanitizers.
target_compile_options(toscac_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
target_link_options(toscac_flags INTERFACE -Wl,--as-needed)

function(toscac_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  set(target Toscac${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(toscac::${target} ALIAS ${target})
  # Embedders need it, too: the headers are C++20.
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/lib/${name})
  target_link_libraries(${target} PUBLIC ${arg_LINKS}
    PRIVATE $<BUILD_INTERFACE:toscac_flags>)
  set_property(GLOBAL APPEND PROPERTY TOSCAC_LIBRARIES ${target})
endfunction()

function(toscac_tool name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINKS} toscac_flags)
  set_property(GLOBAL APPEND PROPERTY TOSCAC_TOOLS ${name})
endfunction()
