# SPDX-License-Identifier: Apache-2.0
# How targets are compiled.

# What everyone needs who includes our headers, in this build or another project.
add_library(weft_usage INTERFACE)
target_compile_features(weft_usage INTERFACE cxx_std_17)
target_include_directories(weft_usage INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/systemc> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# Same seed, same result on every machine: no fused multiply-add where the processor has one.
target_compile_options(weft_usage INTERFACE -ffp-contract=off)

# What our own targets are held to: warnings, sanitizers.
add_library(weft_options INTERFACE)
target_link_libraries(weft_options INTERFACE weft_usage)
target_compile_options(weft_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
# g++ 12 at -O3 takes fmt's buffers for overflowing (a false alarm in its own header).
target_compile_options(weft_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
if(WEFT_SANITIZE)
  target_compile_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE})
  # g++ 12 with sanitizers takes members of std::regex for uninitialised (a false alarm in its own header).
  target_compile_options(weft_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
endif()

# weft_optimise_less(target): -O1 in a release build, for code that is compiled more often than it runs for long.
function(weft_optimise_less target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# weft_precompile(target header …) precompiles these headers for the target, and weft_reuse_precompiled(target from …)
# those of another target with the same optimisation. Only for GCC, to which other definitions than at the time of
# precompiling do not matter where the headers do not name them.
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

# The libraries that cmake --install installs. They alone heed BUILD_SHARED_LIBS; the others belong to the command.
set(WEFT_INSTALLED_LIBRARIES
  weft_core weft_file weft_trace weft_topology weft_schedule weft_workload weft_pin weft_engine weft_tlm)

# weft_library(weft_part SOURCES … LINK …): a library of the model; weft::part to others. With CMAKE_UNITY_BUILD, each
# folder of its sources is one unit: their headers are read once. Its code is position-independent unless
# CMAKE_POSITION_INDEPENDENT_CODE says otherwise, so a static library can be linked into a shared object.
function(weft_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  if(name IN_LIST WEFT_INSTALLED_LIBRARIES)
    add_library(${name} ${ARG_SOURCES})
  else()
    add_library(${name} STATIC ${ARG_SOURCES})
  endif()
  # Without DEFINE_SYMBOL static and shared libraries have the same objects, which ccache finds again.
  set_target_properties(${name} PROPERTIES DEFINE_SYMBOL ""
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} INSTALL_RPATH $ORIGIN)
  if(NOT DEFINED CMAKE_POSITION_INDEPENDENT_CODE)
    set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  # GCC would else neither inline nor clone a function that another library might replace.
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
