#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lints the RTL: every module with all its options by Verilator, and with some by Yosys; warnings are errors. It also
# checks that both tools reject invalid parameters, with the message of the violated WEFT_PARAMETER.
# rtl/lint/check.sh [MODULE ...]    default: all of rtl/files.f
set -euo pipefail
cd "$(dirname "$0")/.."

mapfile -t files < <(grep '\.sv$' files.f)
failed=0
runs=0

report() {
  runs=$((runs + 1))
  if [ "$1" -ne 0 ]; then
    failed=$((failed + 1))
    printf 'FAILED %s\n%s\n' "$2" "$3" >&2
  fi
}

# verilate MODULE [-GNAME=VALUE ...]
verilate() {
  local output status=0
  output=$(verilator --lint-only -Wall --assert lint/verilator.vlt -F files.f --top-module "$@" 2>&1) || status=$?
  report "$status" "verilator $*" "$output"
}

# For Yosys: MODULE [NAME VALUE]...    Parameters are set by chparam, because `hierarchy -chparam` of Yosys 0.23 fails
# with an internal assertion if a module contains others. One command for all, because each one elaborates again.
parametrised() {
  local module=$1
  shift
  [ $# -eq 0 ] || printf ' chparam%s %s;' "$(printf ' -set %s %s' "$@")" "$module"
}

# elaborate MODULE [NAME VALUE]...
elaborate() {
  local module=$1 parameters output status=0
  parameters=$(parametrised "$@")
  output=$(yosys -q -e '.*' -p "read_verilog -sv -I. ${files[*]};$parameters hierarchy -check -top $module; proc; opt;
    memory -nomap; check -assert" 2>&1) || status=$?
  report "$status" "yosys $module$parameters" "$output"
}

# refused MODULE MESSAGE NAME VALUE...
refused() {
  local module=$1 message=$2 for_verilator=() for_yosys output
  shift 2
  for_yosys=$(parametrised "$module" "$@")
  while [ $# -gt 0 ]; do
    for_verilator+=("-G$1=$2")
    shift 2
  done
  if output=$(verilator --lint-only lint/verilator.vlt -F files.f --top-module "$module" "${for_verilator[@]}" 2>&1) \
    || [[ $output != *"$message"* ]]; then
    report 1 "verilator $module ${for_verilator[*]}: missing message: $message" "$output"
  else
    report 0
  fi
  if output=$(yosys -q -p "read_verilog -sv -defer -I. ${files[*]};$for_yosys hierarchy -check -top $module" 2>&1) \
    || [[ $output != *"$message"* ]]; then
    report 1 "yosys $module$for_yosys: missing message: $message" "$output"
  else
    report 0
  fi
}

# The options of a module, one set per line, in Verilator's syntax.
options() {
  local words
  for words in 1 2 4 8; do
    case $1 in
      weft_fpc_measure | weft_fpc_lookahead)
        printf '%s\n' "-GWords=$words" "-GWords=$words -GTable=36'h5565d9720" ;;
      weft_fpc_*)
        printf '%s\n' "-GWords=$words -GClassic="{0,1} "-GWords=$words -GTable=36'h5565d9720" ;;
      weft_lsb_cut_reader | weft_bit_*)
        printf '%s\n' "-GWords=$words" ;;
      weft_lsb_cut_*)
        printf '%s\n' "-GWords=$words -GExact="{0,1} ;;
      weft_compression_selector)
        printf '%s\n' "-GWords=$words -GClassic="{0,1}" -GDepth="{8,512} ;;
      weft_compressor)
        printf '%s\n' "-GWords=$words -GClassic="{0,1}" -GExact="{0,1}
        printf '%s\n' "-GWords=$words -GDepth=8 -GPackets=2" ;;
      weft_decompressor)
        printf '%s\n' "-GWords=$words -GClassic="{0,1}" -GExact="{0,1} "-GWords=$words -GMostWords="{1,16} ;;
      weft_xor_encoder)
        printf '%s\n' "-GWords=$words -GDepth="{2,16}" -GOverhead="{0,1,3} ;;
      weft_xor_decoder)
        printf '%s\n' "-GWords=$words -GEntries="{2,3,8}" -GDepth="{2,16} ;;
    esac
  done
  case $1 in
    weft_round_robin_arbiter) printf '%s\n' "-GCount="{1,2,5,16} ;;
    weft_separable_vc_allocator | weft_separable_switch_allocator) printf '%s\n' "-GPorts="{1,2,5}" -GVcs="{1,4} "-GPorts=3 -GVcs=3" "-GPorts=8 -GVcs=2" ;;
    weft_matrix_arbiter) printf '%s\n' "-GCount="{1,2,5,16} ;;
    weft_arbiter) printf '%s\n' "-GCount="{1,5}" -GArbiter="{0,1} ;;
    weft_input_first_allocator | weft_output_first_allocator)
      printf '%s\n' "-GInputs="{1,5}" -GOutputs="{1,3}" -GArbiter="{0,1} ;;
    weft_islip_allocator) printf '%s\n' "-GInputs="{1,5}" -GOutputs="{1,3}" -GIterations="{1,3} ;;
    weft_wavefront_allocator) printf '%s\n' "-GInputs="{1,4,5}" -GOutputs="{1,3,8}" -GFair="{0,1} ;;
    weft_matching_allocator) printf '%s\n' "-GKind="{0,1,2,3,4} "-GKind="{0,1}" -GArbiter=1 -GInputs=3" ;;
    weft_matching_vc_allocator | weft_matching_switch_allocator)
      printf '%s\n' "-GPorts="{1,5}" -GVcs="{1,4}" -GKind=3" "-GPorts=3 -GVcs=3 -GKind="{0,1,2,4}" -GArbiter=1 -GIterations=2" ;;
    weft_link) printf '%s\n' "-GStages="{1,4}" -GVcs="{1,4} "-GPathIdBits=64 -GDataBits=517" "-GPhits="{2,3,64}" -GStages="{0,1,3} ;;
    weft_injector)
      printf '%s\n' "-GVcs="{1,4}" -GDestinations="{0,16} "-GVcs=6 -GClasses="{1,2,6} "-GVcs=3 -GDepth=1 -GPathIdBits=64 -GDestinations=5" ;;
    weft_ejector) printf '%s\n' "-GVcs="{1,4}" -GDepth="{0,1,8} "-GVcs=3 -GDepth=5 -GPathIdBits=64 -GDataBits=517" ;;
    weft_xor_names) printf '%s\n' "-GEntries="{2,3,8} ;;
    weft_side_queue) printf '%s\n' "-GWidth="{1,105}" -GDepth="{2,16} ;;
    weft_spill_register) printf '%s\n' "-GWidth="{1,64}" -GBypass="{0,1} ;;
    weft_synchroniser) printf '%s\n' "-GWidth="{1,4}" -GStages="{2,3} ;;
    weft_async_fifo | weft_async_fifo_source | weft_async_fifo_sink)
      printf '%s\n' "-GWidth="{1,105}" -GDepth="{2,16} "-GStages=3" ;;
    weft_axi_stream_nic) printf '%s\n' "-GSpillSend="{0,1}" -GSpillReceive="{0,1} "-GCompression=1 -GCode=1 -GWords=1" ;;
    weft_send_path) printf '%s\n' "-GWords=1 -GUserBits=5" "-GVcs=3 -GCompression="{0,1}" -GCode="{0,1} ;;
    weft_receive_path)
      printf '%s\n' "-GWords=1 -GUserBits=5" "-GVcs=3 -GEjectionDepth=8 -GCompression="{0,1}" -GCode="{0,1} ;;
    weft_nic)
      printf '%s\n' "-GPorts=2 -GUserBits=5" "-GEjectionDepth=8 -GVcs=2 -GClasses=2 -GCompression="{0,1}" -GCode="{0,1} "-GWords=8 -GBuckets=4" ;;
    weft_crossbar) printf '%s\n' "-GPorts="{1,5}" -GStages="{1,6} "-GVcs=3 -GPathIdBits=64" ;;
    weft_output_unit) printf '%s\n' "-GPorts="{1,5}" -GVcs="{1,4} "-GPorts=3 -GVcs=3 -GOutputDepth=5" "-GNarrow=1" ;;
    weft_switch_allocator)
      printf '%s\n' "-GPorts="{1,5}" -GVcs="{1,4} "-GPorts=3 -GVcs=3" "-GKind="{0,3}" -GArbiter=1" "-GKind=2 -GIterations=2" ;;
    weft_vc_allocator)
      printf '%s\n' "-GLengthBits="{1,4}" -GSameCycle="{0,1} "-GPorts=3 -GVcs=3 -GLengthBits=3" "-GPorts=1 -GVcs=1" \
        "-GKind="{0,3}" -GArbiter=1" "-GKind=2 -GIterations=2" ;;
    weft_input_port | weft_input_unit)
      printf '%s\n' "-GPorts="{1,5}" -GVcs="{1,4} "-GPorts=3 -GVcs=3 -GDepth=5 -GLengthBits=3" "-GDepth=1 -GConsumesPath=1 -GPathIdBits=64" ;;
    weft_grid_route)
      printf '%s\n' "-GRings=1 -GOneWay="{0,1} "-GInPort=4" "-GPorts=8 -GDimensions=3 -GSizes=64'h0001_0002_0003_0005" \
        "-GPorts=9 -GInPort=6 -GNodes=2 -GLocalPorts=2 -GDimensions=2 -GClassVcs=3 -GUsableVcs=2" ;;
    weft_tree_route)
      printf '%s\n' "-GInPort=4" "-GParents=0 -GPorts=4 -GSpan=4" "-GPorts=5 -GChildren=3 -GSpan=4 -GParents=2 -GDivisor=3 -GDestinations=36" \
        "-GPorts=7 -GChildren=2 -GChildPorts=2 -GParents=3 -GAscentByPathId=1 -GPathIdBits="{4,64}" -GClassVcs=3 -GUsableVcs=2" ;;
    weft_cube_route)
      printf '%s\n' "-GInPort=4" "-GPorts=2 -GDimensions=1" "-GPorts=9 -GDimensions=3 -GNodes=3 -GLocalPorts=2 -GInPort=8 -GClassVcs=3 -GUsableVcs=2" ;;
    weft_route_computation)
      printf '%s\n' "-GRule="{0,1,2,3,4}" -GPathIdBits=8" "-GRule=3 -GAscentByPathId=1 -GParents=2 -GPorts=6 -GClasses=2" \
        "-GRule=1 -GRowsByInput=1 -GVcs=3 -GPorts=3 -GLengthBits=4" "-GRule=1 -GWays=3 -GPathIdBits=2" \
        "-GClasses=2" "-GRings=1 -GVcs=6 -GClasses=3 -GDimensions=1 -GSizes=64'h0001_0001_0001_0007" ;;
    weft_router)
      printf '%s\n' "-GPipeline="{3,4,5,7,9} "-GCutThrough=1 -GCode=1" "-GRule=1 -GRowsByInput=1 -GUserBits=5" \
        "-GRule=2 -GPathIdBits=64 -GPorts=3 -GVcs=3 -GDepth=5" "-GRule=3" "-GRule=4 -GDimensions=4" "-GClasses=2 -GOutputDepth=16 -GWords=1" \
        "-GVcAllocator=2 -GVcIterations=2 -GSwitchAllocator=3" "-GVcAllocator=4 -GSwitchAllocator=1 -GSwitchArbiter=1" ;;
    weft_congestion_counter) printf '%s\n' "-GPorts="{1,2,5}" -GBuckets="{1,2,8} ;;
    weft_window_timer) printf '%s\n' "-GWindow="{1,2,1000,1024} ;;
    weft_packet_memory) printf '%s\n' "-GWidth="{1,64}" -GDepth="{2,512} ;;
    weft_queue_counter) printf ' \n' ;;  # it has none
  esac
}

# The options that Yosys elaborates as well.
for_yosys() {
  case $1 in
    weft_fpc_measure | weft_fpc_lookahead) printf '%s\n' "Words 1" "Words 2" "Words 8" ;;
    weft_compressor | weft_decompressor | weft_fpc_*) printf '%s\n' "Words 1 Classic 1" "Words 2" "Words 4 Classic 1" ;;
    weft_compression_selector | weft_bit_* | weft_lsb_cut_*) printf '%s\n' "Words 1" "Words 2" "Words 8" ;;
    weft_congestion_counter) printf '%s\n' "Ports 1" "Ports 5 Buckets 4" ;;
    weft_xor_encoder) printf '%s\n' "Words 1 Overhead 0" "Words 2" "Words 4 Depth 2 Overhead 3" ;;
    weft_round_robin_arbiter) printf '%s\n' "Count "{1,5,16} ;;
    weft_separable_vc_allocator | weft_separable_switch_allocator)
      printf '%s\n' "Ports 1 Vcs 2" "Ports 3 Vcs 3" "Ports 5 Vcs 4" "Ports 8 Vcs 1" ;;
    weft_matrix_arbiter | weft_arbiter) printf '%s\n' "Count "{1,5} ;;
    weft_matching_allocator)
      printf '%s\n' "Kind 0 Arbiter 1" "Kind 1" "Kind 2 Iterations 2" "Kind 3 Inputs 3" "Kind 4 Inputs 8" ;;
    weft_input_first_allocator | weft_output_first_allocator | weft_islip_allocator | weft_wavefront_allocator)
      printf '%s\n' "Inputs 1 Outputs 1" "Inputs 3" ;;
    weft_matching_vc_allocator | weft_matching_switch_allocator) printf '%s\n' "Ports 3 Vcs 2 Kind "{1,3} ;;
    weft_link) printf '%s\n' "Stages 1" "Stages 3" "Stages 0 Phits 4" "Stages 2 Phits 3" ;;
    weft_injector) printf '%s\n' "Vcs 4" "Vcs 6 Classes 2" "Vcs 3 PathIdBits 8 Destinations 5" ;;
    weft_ejector) printf '%s\n' "Depth 8" "Depth 0" "Vcs 3 Depth 5" ;;
    weft_side_queue) printf '%s\n' "Depth 2" "Width 7" ;;
    weft_nic) printf '%s\n' "Ports 2" "EjectionDepth 4 Words 1 Compression 1 Code 1" ;;
    weft_send_path | weft_receive_path) ;;  # in the NIC
    weft_spill_register) printf '%s\n' "Bypass "{0,1} ;;
    weft_synchroniser) printf '%s\n' "Stages 2" "Stages 3 Width 4" ;;
    weft_async_fifo) printf '%s\n' "Depth 2" "Depth 16 Stages 3 Width 7" ;;
    weft_async_fifo_source | weft_async_fifo_sink) ;;  # in the FIFO
    weft_axi_stream_nic) printf '%s\n' "EjectionDepth 4" ;;
    weft_crossbar) printf '%s\n' "Stages 1" "Stages 3 Ports 3 Vcs 3" ;;
    weft_output_unit | weft_switch_allocator | weft_input_port | weft_input_unit) printf '%s\n' "Ports 5" "Ports 3 Vcs 3" ;;
    weft_vc_allocator) printf '%s\n' "Ports 5" "Ports 3 Vcs 3 LengthBits 3" "Ports 3 SameCycle 1" ;;
    weft_grid_route) printf '%s\n' "Rings 0" "Rings 1 InPort 1" ;;
    weft_tree_route) printf '%s\n' "InPort 4" "Ports 5 Children 3 Span 4 Parents 2 Divisor 3 Destinations 36" "AscentByPathId 1 Parents 3 Ports 7" ;;
    weft_cube_route) printf '%s\n' "InPort 4" "Ports 9 Dimensions 3 Nodes 3 LocalPorts 2" ;;
    weft_route_computation)
      printf '%s\n' "Rule "{0,3} "Rule 4 Dimensions 4" "Rule 1 RowsByInput 1 Ports 3" "Rule 1 Ways 3 PathIdBits 2" "PathIdBits 64 Rule 2" "Classes 2" ;;
    weft_router) printf '%s\n' "Pipeline 4" "Pipeline 3 Ports 3 Vcs 2 CutThrough 1 Rule 1" "Pipeline 5 PathIdBits 64 Rule 2" "Rule 3" "Rule 4 Dimensions 4" \
      "Narrow 1" ;;
    weft_xor_names) printf '%s\n' "Entries 3" ;;
    weft_xor_decoder) printf '%s\n' "Words 1 Entries 3" "Words 2" "Words 4 Entries 2 Depth 2" ;;
    *) printf '\n' ;;
  esac
}

# Invalid parameters of a module.
wrong() {
  case $1.$2 in
    *.WordsSupported) echo Words 3 ;;
    *.TableFalls) echo Table "36'h0" ;;
    *.EntriesSupported) echo Entries 1 ;;
    weft_injector.DepthSupported) echo PathIdBits 0 ;;
    weft_output_unit.DepthSupported) echo OutputDepth 65535 ;;
    *.DepthSupported) echo Depth 6 ;;
    *.PacketsSupported) echo Packets 3 ;;
    *.MostWordsSupported) echo MostWords 0 ;;
    *.WindowSupported) echo Window 0 ;;
    weft_congestion_counter.SizesSupported) echo Buckets 0 ;;
    weft_ejector.SizesSupported) echo PathIdBits 0 ;;
    weft_nic.PortsSupported) echo Ports 0 ;;
    weft_receive_path.UserBitsSupported) echo UserBits 1 Code 1 EjectionDepth 8 ;;
    weft_send_path.UserBitsSupported) echo UserBits 1 Code 1 ;;
    *.BufferedBeforeStages) echo Code 1 ;;
    *.ReceiverMayStall) echo EjectionDepth 0 ;;
    weft_synchroniser.StagesSupported) echo Stages 1 ;;
    weft_link.PhitsSupported) echo Phits 65 ;;
    *.StagesSupported) echo Stages 0 ;;
    *.ClassesDivide | *.ClassesSupported) echo Classes 3 ;;
    weft_input_port.PathIdSupported) echo ConsumesPath 1 ;;
    weft_route_computation.PathIdSupported) echo Rule 2 ;;
    *.PathIdsSupported) echo Ways 3 ;;
    *.PipelineSupported) echo Pipeline 2 ;;
    *.ArbiterSupported) echo Arbiter 2 ;;
    *.IterationsSupported) echo Iterations 0 ;;
    *.KindSupported) echo Kind 5 ;;
  esac
}

# The WEFT_PARAMETER constraints of a file: name and message, one per line.
demands() {
  tr '\n' ' ' <"$1" | grep -oP '`WEFT_PARAMETER\(\w+,.*?"\)' | sed 's/^[^(]*(\(\w*\),.*, *"\(.*\)")$/\1 \2/'
}

for file in "${files[@]}"; do
  module=$(basename "$file" .sv)
  # Yosys 0.23 silently parses ~N'(x) as (~N)'(x).
  if found=$(grep -nE "([~!]|[=(?:,{] *-) *[A-Za-z_][A-Za-z0-9_:]*'\\(" "$file"); then
    report 1 "$file" "a unary operator before a cast requires parentheses, ~(N'(x))
$found"
  fi
  if [ "$module" = weft_pkg ] || { [ $# -gt 0 ] && [[ " $* " != *" $module "* ]]; }; then
    continue
  fi
  sets=$(options "$module")
  if [ -z "$sets" ]; then
    report 1 "$module" "options() has no set of parameters for it: add some"
    continue
  fi
  while read -r -a set; do
    verilate "$module" ${set[@]+"${set[@]}"}
  done <<<"${sets%$'\n'}"
  verilate "$module" +define+WEFT_SYNC_RESET
  verilate "$module" +define+SYNTHESIS
  while read -r -a set; do
    elaborate "$module" ${set[@]+"${set[@]}"}
  done < <(for_yosys "$module")
  while read -r name message; do
    read -r -a set < <(wrong "$module" "$name") || true
    refused "$module" "$message" ${set[@]+"${set[@]}"}
  done < <(demands "$file")
done

if [ "$runs" -eq 0 ]; then
  printf 'rtl/lint/check.sh: no such module: %s\n' "$*" >&2
  exit 2
fi
printf 'rtl/lint/check.sh: %d runs, %d failed\n' "$runs" "$failed"
[ "$failed" -eq 0 ]
