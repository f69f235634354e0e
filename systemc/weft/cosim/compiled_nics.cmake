# SPDX-License-Identifier: Apache-2.0
# The NICs for `nic.implementation: rtl`. An injector counts credits for each VC, so VCs and depth must be those of the
# network: each pair of them has a set of models.
set(WEFT_RTL_MORE_NICS "" CACHE STRING
  "VCs x flits of a VC for which NICs are compiled besides 4x8, such as 2x4;8x16: up to sixteen models each")

# verilated_nic.h reads the signals that the .vlt files of tb/sv make public.
add_library(weft_rtl_nics STATIC rtl_nics.cpp)
target_include_directories(weft_rtl_nics PUBLIC ${PROJECT_SOURCE_DIR} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/made)
target_link_libraries(weft_rtl_nics PUBLIC weft_core weft_topology PRIVATE weft_pin)
weft_optimise_less(weft_rtl_nics)

set(pass EjectionDepth=0)
set(buffered EjectionDepth=16)
set(compressed EjectionDepth=16 Compression=1)
set(without)
set(with PathIdBits=64 Destinations=64)

# weft_nic_set(VCs depth): all kinds of NICs for them, with one class and, if the number of VCs is even, with two.
function(weft_nic_set vcs depth)
  set(set ${vcs}x${depth})
  set(includes "")
  # weft_nic_model(kind_classes [Parameter=value …] [ARGS …])
  macro(weft_nic_model name)
    weft_verilate(nic_${set}_${name} TOP weft_nic
      PARAMETERS Vcs=${vcs} Depth=${depth} ${ARGN} ARGS ${PROJECT_SOURCE_DIR}/tb/sv/public_nic.vlt)
    target_link_libraries(weft_rtl_nics PRIVATE nic_${set}_${name})
    string(APPEND includes "#include \"Vnic_${set}_${name}.h\"\n#include \"Vnic_${set}_${name}___024root.h\"\n")
  endmacro()
  math(EXPR odd "${vcs} % 2")
  set(most_classes 2)
  if(odd)
    set(most_classes 1)  # the set is never used with two classes
  endif()
  foreach(classes RANGE 1 ${most_classes})
    foreach(kind pass buffered compressed)
      foreach(path_ids without with)
        weft_nic_model(${kind}_${path_ids}_path_ids_${classes} Classes=${classes} ${${kind}} ${${path_ids}})
      endforeach()
    endforeach()
    # With XOR stages: configurations without compressor or without path ids leave these parts idle.
    set(coded ${compressed} ${with} Code=1 CodingDepth=16 Classes=${classes})
    set(in_stages ARGS ${PROJECT_SOURCE_DIR}/tb/sv/public_coding.vlt --unroll-count 2)
    weft_nic_model(coded_16_${classes} ${coded} Entries=16 Overhead=0 ${in_stages})
    weft_nic_model(coded_64_${classes} ${coded} Entries=64 Overhead=1 ${in_stages})
  endforeach()
  configure_file(nic_set.h.in made/weft/cosim/nic_set_${set}.h @ONLY)
endfunction()

set(nic_includes "")
set(nic_uses "")
set(nic_sets 4x8 ${WEFT_RTL_MORE_NICS})
list(REMOVE_DUPLICATES nic_sets)
foreach(set ${nic_sets})
  if(NOT set MATCHES "^([1-9]|1[0-6])x([1-9][0-9]*)$")
    message(FATAL_ERROR "WEFT_RTL_MORE_NICS: expected VCs (at most 16) and flits, such as 2x4, got ${set}")
  endif()
  set(vcs ${CMAKE_MATCH_1})
  set(depth ${CMAKE_MATCH_2})
  math(EXPR most_depth "512 / ${vcs}")  # MaxBufferFlits of core/types.h
  if(depth GREATER most_depth)
    message(FATAL_ERROR "WEFT_RTL_MORE_NICS: ${set}: ${vcs} VCs have at most ${most_depth} flits each in any network")
  endif()
  weft_nic_set(${vcs} ${depth})
  string(APPEND nic_includes "#include \"weft/cosim/nic_set_${set}.h\"\n")
  string(APPEND nic_uses "  use(nic_set_${set}());\n")
endforeach()
set_target_properties(weft_rtl_nics PROPERTIES WEFT_COMPILED "${nic_sets}")
configure_file(nic_sets.h.in made/weft/cosim/nic_sets.h @ONLY)
