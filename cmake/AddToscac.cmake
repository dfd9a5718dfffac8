# toscac_library(Sema SOURCES ... LINKS ...): the library ToscacSema in
# lib/Sema. toscac_tool(toscac SOURCES ... LINKS ...): an installed program.

add_library(toscac_flags INTERFACE)
target_compile_options(toscac_flags INTERFACE
  -Wall -Wextra -Werror -Wswitch -Wno-missing-field-initializers)
# g++ 12 sees uninitialised unions in LLVM's JSON.h when it adds sanitizers.
target_compile_options(toscac_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# clang finds std::stable_sort of libstdc++ 12 using a deprecated function.
target_compile_options(toscac_flags INTERFACE
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
target_link_options(toscac_flags INTERFACE -Wl,--as-needed)

# LLVM's headers take longer to compile than a file of ours: eight files at once
# take hardly longer than one, and all of them a fifth of the time. A batch has files
# of one folder, so that a new file concerns the batches of its folder only; statics
# of the files of a folder must differ in name. scripts/check-alone sees that each
# file compiles by itself, too. (Batches of CMake have absolute paths in them, so
# ccache could not share them between clones.)
set(TOSCAC_BATCH 8 CACHE STRING
  "Number of sources compiled together; 1 compiles each by itself")

# Sets ${result} to files that include ${sources}, which lie in one folder and are
# relative to lib/${name}.
function(toscac_batch result name sources)
  set(batches)
  list(LENGTH sources count)
  math(EXPR last "${count} - 1")
  foreach(start RANGE 0 ${last} ${TOSCAC_BATCH})
    list(SUBLIST sources ${start} ${TOSCAC_BATCH} batch)
    list(TRANSFORM batch REPLACE "(.+)" "#include \"\\1\"\n")
    string(JOIN "" text ${batch})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${name}${start}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text}" @ONLY)
    list(APPEND batches ${file})
  endforeach()
  set(${result} ${batches} PARENT_SCOPE)
endfunction()

function(toscac_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS" ${ARGN})
  set(target Toscac${name})
  set(sources ${arg_SOURCES})
  if(TOSCAC_BATCH GREATER 1)
    set(sources)
    set(folders)
    foreach(file IN LISTS arg_SOURCES)
      get_filename_component(folder ${file} DIRECTORY)
      string(REPLACE "/" "" folder "${name}${folder}")
      list(APPEND folders ${folder})
      list(APPEND files_${folder} ${file})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    foreach(folder IN LISTS folders)
      toscac_batch(batches ${folder} "${files_${folder}}")
      list(APPEND sources ${batches})
    endforeach()
  endif()
  add_library(${target} STATIC ${sources})
  add_library(toscac::${target} ALIAS ${target})
  # Embedders need it, too: the headers are C++20.
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${target} PRIVATE
    ${CMAKE_CURRENT_SOURCE_DIR})
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
