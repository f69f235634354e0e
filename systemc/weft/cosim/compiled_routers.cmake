# SPDX-License-Identifier: Apache-2.0
# The routers for `network.router.implementation: rtl`. SystemVerilog parameters are fixed at compile time. A smaller
# network uses a part of the router, so one model serves many networks.
set(WEFT_RTL_MORE_ROUTERS "" CACHE STRING
  "Routers that are compiled for networks besides s3, s4 and s4_cut_through: s5, s7, s9, s3_cut_through, …")
set(WEFT_RTL_ROUTER_SIZES "" CACHE STRING
  "What they have more of than Ports=5 Vcs=4 Depth=16 Words=2 Destinations=64 Ways=16, as Name=number;Name=number")

# Sizes: router_Ports and so on. The tests use the smallest ones. The maxima are those of all networks (core/types.h).
set(most_Ports 16)
set(most_Vcs 16)
set(most_Depth 512)
set(most_Words 8)
foreach(size Ports=5 Vcs=4 Depth=16 Words=2 Destinations=64 Ways=16 ${WEFT_RTL_ROUTER_SIZES})
  if(NOT size MATCHES "^(Ports|Vcs|Depth|Words|Destinations|Ways)=([1-9][0-9]*)$")
    message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: ${size} is not a size; give Ports, Vcs, Depth, Words, Destinations "
      "or Ways, such as Vcs=8")
  endif()
  set(name ${CMAKE_MATCH_1})
  set(number ${CMAKE_MATCH_2})
  if(DEFINED router_${name} AND number LESS router_${name})
    message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: ${size}: expected at least ${router_${name}}, which also supports "
      "smaller networks; leave it out")
  endif()
  if(DEFINED most_${name} AND number GREATER most_${name})
    message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: ${size}: no network has more than ${most_${name}}")
  endif()
  set(router_${name} ${number})
endforeach()
if(NOT router_Words MATCHES "^[248]$")
  message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: expected Words=2, 4 or 8, got ${router_Words}")
endif()
math(EXPR input_vcs "${router_Ports} * ${router_Vcs}")
if(input_vcs GREATER 80)  # for 16x16 Verilator needs four minutes and 6 GB, without compilation
  message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: ${router_Ports} ports of ${router_Vcs} VCs are ${input_vcs} input "
    "VCs, but a verilated router has at most 80; lower Ports or Vcs")
endif()
math(EXPR rows "${input_vcs} * ${router_Ways}")
math(EXPR most_destinations "1048576 / ${rows}")
if(router_Destinations GREATER most_destinations)
  message(FATAL_ERROR "WEFT_RTL_ROUTER_SIZES: Destinations=${router_Destinations}: a table of ${rows} rows (Ports * "
    "Vcs * Ways) has at most ${most_destinations} destinations; lower one of them")
endif()
set(path_id_bits 1)
set(reach 2)  # number of path ids with that many bits
while(reach LESS router_Ways)
  math(EXPR path_id_bits "${path_id_bits} + 1")
  math(EXPR reach "${reach} * 2")
endwhile()

# weft_router_model(name [UNROLL count] [Parameter=value …]): a model with 20 VCs takes some 15 s to build, and would
# take twice as long with unrolled loops.
function(weft_router_model name)
  cmake_parse_arguments(ARG "" "UNROLL" "" ${ARGN})
  if(NOT ARG_UNROLL)
    set(ARG_UNROLL 2)
  endif()
  weft_verilate(${name} TOP weft_router PARAMETERS ${ARG_UNPARSED_ARGUMENTS}
    ARGS --unroll-count ${ARG_UNROLL} ${PROJECT_SOURCE_DIR}/tb/sv/public_router.vlt)
endfunction()

# Verilator has one limit for these loops and for those of `generate`. A `generate` loop over all heads of a large
# router exceeds the small limit.
math(EXPR heads "${router_Ports} * (${router_Vcs} + 2)")
set(unroll 2)
if(heads GREATER 90)
  set(unroll 16)
endif()

add_library(weft_rtl_routers STATIC rtl_routers.cpp)
set(router_includes "")
set(router_uses "")
set(routers s3 s4 s4_cut_through ${WEFT_RTL_MORE_ROUTERS})
list(REMOVE_DUPLICATES routers)
foreach(router ${routers})
  if(NOT router MATCHES "^s([34579])(_cut_through)?$")
    message(FATAL_ERROR "WEFT_RTL_MORE_ROUTERS: ${router} is not a router; give s3, s4, s5, s7 or s9, each also with "
      "_cut_through")
  endif()
  set(pipeline ${CMAKE_MATCH_1})
  if(CMAKE_MATCH_2)
    set(cut_through 1)
  else()
    set(cut_through 0)
  endif()
  set(name router_table_${router})
  weft_router_model(${name} UNROLL ${unroll}
    UserBits=16 Narrow=1 Ports=${router_Ports} Vcs=${router_Vcs} Depth=${router_Depth} Words=${router_Words} Code=1
    Rule=1 RowsByInput=1 Destinations=${router_Destinations} Ways=${router_Ways} PathIdBits=${path_id_bits}
    Pipeline=${pipeline} CutThrough=${cut_through})
  target_link_libraries(weft_rtl_routers PRIVATE ${name})
  string(APPEND router_includes "#include \"V${name}.h\"\n#include \"V${name}___024root.h\"\n")
  string(APPEND router_uses "  use(router_model<V${name}>{${pipeline}, ${cut_through} != 0});\n")
endforeach()
set_target_properties(weft_rtl_routers PROPERTIES WEFT_COMPILED "${routers}")
configure_file(router_sizes.h.in made/weft/cosim/router_sizes.h @ONLY)
configure_file(router_models.h.in made/weft/cosim/router_models.h @ONLY)
target_include_directories(weft_rtl_routers PUBLIC ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/made)
target_link_libraries(weft_rtl_routers PUBLIC weft_core PRIVATE weft_pin)
weft_optimise_less(weft_rtl_routers)
