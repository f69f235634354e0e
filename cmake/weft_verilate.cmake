# SPDX-License-Identifier: Apache-2.0
# Verilated RTL as static libraries.
#
# WEFT_RTL: AUTO means ON if Verilator is found or tests are built, so that ./run works without Verilator and ./test
# requires it. Within another project, AUTO means ON if tests are built. If it is OFF, weft has no verilated RTL.

set(WEFT_RTL AUTO CACHE STRING "Build what co-simulates the RTL (needs Verilator): ON, OFF or AUTO")
set_property(CACHE WEFT_RTL PROPERTY STRINGS AUTO ON OFF)
find_program(VERILATOR verilator DOC "Verilator, 5.006 or later")

# From here on, WEFT_RTL is ON or OFF. The cache keeps the value that the user set.
if(WEFT_RTL STREQUAL "AUTO")
  if(WEFT_TESTS OR (VERILATOR AND PROJECT_IS_TOP_LEVEL))
    set(WEFT_RTL ON)
  else()
    set(WEFT_RTL OFF)
  endif()
endif()
if(NOT WEFT_RTL)
  message(STATUS "weft: no verilated RTL; to build it, install verilator and set WEFT_RTL=ON")
  return()
endif()
if(NOT VERILATOR)
  message(FATAL_ERROR "weft: verilated RTL is enabled (tests need it), but verilator is not found. Install it (Debian "
                      "package: verilator), or configure with -DWEFT_RTL=OFF.")
endif()
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT OUTPUT_VARIABLE VERILATOR_ROOT
  OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${VERILATOR} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX MATCH "[0-9]+\\.[0-9]+" version "${version}")
if(version VERSION_LESS 5.006)
  message(FATAL_ERROR "weft: expected Verilator 5.006 or later, found ${version}")
endif()
find_package(Threads REQUIRED)

# Coverage of the RTL by its tests. Only tb/coverage/run.sh sets this option.
option(WEFT_RTL_COVERAGE "Count the lines, branches and cover points of verilated RTL" OFF)
if(WEFT_RTL_COVERAGE)
  set(coverage_source ${VERILATOR_ROOT}/include/verilated_cov.cpp)
  set(coverage_options --coverage-line --coverage-user)
endif()

# The runtime of Verilator, which all models share. In it, $fatal and failed assertions throw exceptions: see
# systemc/weft/cosim/verilator_runtime.h.
add_library(weft_verilator_runtime STATIC
  ${PROJECT_SOURCE_DIR}/systemc/weft/cosim/verilator_runtime.cpp
  ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp ${coverage_source})
# Sanitizers check only Weft's own code.
if(WEFT_SANITIZE)
  set(not_ours -fno-sanitize=address,undefined)
endif()
set_source_files_properties(${VERILATOR_ROOT}/include/verilated.cpp ${VERILATOR_ROOT}/include/verilated_threads.cpp
  ${coverage_source} PROPERTIES COMPILE_OPTIONS "-w;${not_ours}")
target_include_directories(weft_verilator_runtime PUBLIC ${PROJECT_SOURCE_DIR})
target_include_directories(weft_verilator_runtime SYSTEM PUBLIC
  ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
target_compile_definitions(weft_verilator_runtime PUBLIC VM_COVERAGE=$<BOOL:${WEFT_RTL_COVERAGE}> VM_SC=0 VM_TRACE=0
  VL_USER_STOP VL_USER_FATAL)
# verilated.h must come before <systemc>, because after <systemc> it needs names that only <systemc.h> declares. Targets
# with precompiled headers have it as the first one, see weft_precompile().
target_compile_options(weft_verilator_runtime PUBLIC
  "SHELL:$<$<NOT:$<BOOL:$<TARGET_PROPERTY:WEFT_PRECOMPILES_VERILATED>>>:-include verilated.h>")
weft_optimise_less(weft_verilator_runtime)
target_link_libraries(weft_verilator_runtime PUBLIC weft_options Threads::Threads)

# Precompiled header of the runtime, for the models.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/verilated_header.cpp CONTENT "#include <verilated.h>\n")
add_library(weft_verilated_header OBJECT ${PROJECT_BINARY_DIR}/verilated_header.cpp)
target_link_libraries(weft_verilated_header PRIVATE weft_verilator_runtime)
target_compile_options(weft_verilated_header PRIVATE -w)
weft_optimise_less(weft_verilated_header)
weft_precompile(weft_verilated_header <verilated.h>)
set_target_properties(weft_verilated_header PROPERTIES EXCLUDE_FROM_ALL ON)

set(rtl ${PROJECT_SOURCE_DIR}/rtl)
file(GLOB WEFT_RTL_SOURCES CONFIGURE_DEPENDS ${rtl}/*.sv ${rtl}/*.svh ${rtl}/*.f ${rtl}/lint/*.vlt ${rtl}/*/*.sv
  ${rtl}/cover/*.svh)
set(WEFT_RTL_ARGS ${rtl}/lint/verilator.vlt -F ${rtl}/files.f)

# weft_verilate(name TOP module [PARAMETERS Name=value …] [SOURCES file …] [MORE file …] [ARGS …]): the static library
# `name` with the C++ model of `module`: class V<name> in V<name>.h, with assertions enabled. Without SOURCES, the
# sources are those of rtl/, followed by the files of MORE.
# Every set of parameters is a separate library. Verilator runs at build time, not at configuration time. The generated
# code is one translation unit, because several units would spend most of the compile time on headers.
function(weft_verilate name)
  cmake_parse_arguments(ARG "" "TOP" "PARAMETERS;SOURCES;MORE;ARGS" ${ARGN})
  if(NOT ARG_TOP)
    message(FATAL_ERROR "weft_verilate(${name}): TOP is missing")
  endif()
  if(TARGET ${name})  # another folder has already added this model
    return()
  endif()
  set(prefix V${name})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/verilated/${name})
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)
  if(ARG_SOURCES)
    set(sources ${ARG_SOURCES})
    set(depends ${ARG_SOURCES})
  else()
    set(sources ${WEFT_RTL_ARGS} ${ARG_MORE})
    set(depends ${WEFT_RTL_SOURCES} ${ARG_MORE})
  endif()
  add_custom_command(
    OUTPUT ${folder}/${prefix}.h ${folder}/${prefix}__unit.cpp
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${folder}  # the names of generated files change with the RTL
    COMMAND ${VERILATOR} --cc --assert ${coverage_options} -O3 --x-assign unique --x-initial unique
            --top-module ${ARG_TOP} --prefix ${prefix} --Mdir ${folder} ${ARG_PARAMETERS} ${ARG_ARGS} ${sources}
    COMMAND ${CMAKE_COMMAND} -DPREFIX=${prefix} -DFOLDER=${folder}
            -P ${PROJECT_SOURCE_DIR}/cmake/weft_verilated_unit.cmake
    DEPENDS ${depends} ${PROJECT_SOURCE_DIR}/cmake/weft_verilated_unit.cmake
    COMMENT "Verilating ${ARG_TOP} as ${prefix}"
    VERBATIM)
  add_library(${name} STATIC ${folder}/${prefix}__unit.cpp ${folder}/${prefix}.h)
  target_include_directories(${name} SYSTEM PUBLIC ${folder})
  target_compile_options(${name} PRIVATE -w)
  weft_optimise_less(${name})
  if(NOT WEFT_SANITIZE)  # the generated code is compiled without sanitizers
    weft_reuse_precompiled(${name} weft_verilated_header)
  endif()
  set_source_files_properties(${folder}/${prefix}__unit.cpp PROPERTIES COMPILE_OPTIONS "${not_ours}")
  target_link_libraries(${name} PUBLIC weft_verilator_runtime)
endfunction()
