# SPDX-License-Identifier: Apache-2.0
# Compile options of the targets.

# Options for all users of the headers, in this build and in other projects.
add_library(weft_usage INTERFACE)
target_compile_features(weft_usage INTERFACE cxx_std_17)
target_include_directories(weft_usage INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/systemc> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Without fused multiply-add instructions, the same seed gives the same result on every machine.
target_compile_options(weft_usage INTERFACE -ffp-contract=off)

# Additional options for Weft's own targets: warnings, sanitizers.
add_library(weft_options INTERFACE)
target_link_libraries(weft_options INTERFACE weft_usage)
target_compile_options(weft_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
option(WEFT_WERROR "Make warnings in Weft's own sources errors" ${PROJECT_IS_TOP_LEVEL})
if(WEFT_WERROR)
  target_compile_options(weft_options INTERFACE -Werror)
endif()
# g++ 12 at -O3 reports an overflow of fmt's buffers (a false alarm in fmt's header).
target_compile_options(weft_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
if(WEFT_SANITIZE)
  target_compile_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE})
  # g++ 12 with sanitizers reports uninitialized members of std::regex (a false alarm in its own header).
  target_compile_options(weft_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# weft_optimise_less(target): -O1 in a release build, for code that executes once in a run and takes long to compile
# (fmt, JSON, YAML, many lambdas).
function(weft_optimise_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# weft_precompile(target header …) precompiles these headers for the target. weft_reuse_precompiled(target from …) uses
# the precompiled headers of another target with the same optimization. Both have an effect only with GCC, which accepts
# different macro definitions if the headers do not use them.
function(weft_precompile target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    if("<verilated.h>" IN_LIST ARGN)
      set_target_properties(${target} PROPERTIES WEFT_PRECOMPILES_VERILATED ON)
    endif()
  endif()
endfunction()
function(weft_reuse_precompiled target from)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_precompile_headers(${target} REUSE_FROM ${from})
    set_target_properties(${target} PROPERTIES
      WEFT_PRECOMPILES_VERILATED $<TARGET_PROPERTY:${from},WEFT_PRECOMPILES_VERILATED>)
  endif()
endfunction()

set(WEFT_SANITIZE_EXCEPT "" CACHE STRING
  "Libraries of the model that WEFT_SANITIZE leaves out, and that are not optimised")

# Each library follows the libraries that it uses.
set(WEFT_INSTALLED_LIBRARIES weft_core weft_router weft_file weft_topology weft_workload weft_pin weft_engine weft_tlm)
if(WEFT_COLLECTIVES)
  list(APPEND WEFT_INSTALLED_LIBRARIES weft_schedule weft_collectives)
endif()
if(WEFT_MPI)
  list(APPEND WEFT_INSTALLED_LIBRARIES weft_trace weft_replay)
endif()

# weft_library(weft_part SOURCES … HEADERS … LINK …): a library of the model, with the alias weft::part. HEADERS are its
# public headers, which are installed. With CMAKE_UNITY_BUILD, each folder of its sources is one unit, so that headers
# are read once. By default its code is position-independent (CMAKE_POSITION_INDEPENDENT_CODE), so that a static library
# can be linked into a shared object.
function(weft_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;LINK" ${ARGN})
  if(name IN_LIST WEFT_INSTALLED_LIBRARIES)
    add_library(${name} ${ARG_SOURCES})
  else()
    add_library(${name} STATIC ${ARG_SOURCES})
  endif()
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/systemc FILES ${ARG_HEADERS})
  # Without DEFINE_SYMBOL, static and shared libraries have the same objects, so ccache finds them again.
  set_target_properties(${name} PROPERTIES DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH $ORIGIN)
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  # Otherwise GCC neither inlines nor clones functions that another library might replace.
  target_compile_options(${name} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
  set_target_properties(${name} PROPERTIES UNITY_BUILD_MODE GROUP)
  foreach(source ${ARG_SOURCES})
    cmake_path(GET source PARENT_PATH folder)
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP "part_${folder}")
  endforeach()
  if(name IN_LIST WEFT_SANITIZE_EXCEPT)
    set_source_files_properties(${ARG_SOURCES} PROPERTIES COMPILE_OPTIONS "-fno-sanitize=all;-O0")
  endif()
  string(REGEX REPLACE "^weft_" "" part ${name})
  add_library(weft::${part} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${part})
  target_link_libraries(${name} PUBLIC weft_usage ${ARG_LINK})
  if(PROJECT_IS_TOP_LEVEL)
    target_link_libraries(${name} PUBLIC $<BUILD_INTERFACE:weft_options>)
  else()
    target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:weft_options>)
  endif()
endfunction()

# weft_add_sources(target source …): adds sources of this folder to a library of another folder. They are compiled in
# the unit of the files in that library's own folder.
function(weft_add_sources target)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  target_sources(${target} PRIVATE ${sources})
  set_source_files_properties(${sources} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP part_)
endfunction()

# weft_left_out(target part …): for each optional part (collectives, mpi) that this build lacks, compiles
# left_out_PART.cpp. That file defines the functions that the part would add to the target; they report that the part
# was left out.
function(weft_left_out target)
  foreach(part ${ARGN})
    string(TOUPPER ${part} option)
    if(NOT WEFT_${option})
      target_sources(${target} PRIVATE left_out_${part}.cpp)
    endif()
  endforeach()
endfunction()
