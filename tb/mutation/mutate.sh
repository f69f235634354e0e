#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a module of rtl/ with mutations: mutate.sh MODULE[.INSTANCE] COUNT SEED OUT [Name=value ...]
#
# OUT.v is the flat netlist of weft_MODULE with these parameters and COUNT mutations (or fewer, because no two are equal).
# Its additional port `mutsel` selects the active mutation, 1 ...; with 0 no mutation is active. OUT.list has a line for
# each mutation: number, kind (inv: inverted, const0 and const1: stuck, cnot0 and cnot1: inverted if another bit is 0 or
# 1), cell, port, bit, source lines. In place of Yosys' number of a cell in the design, the list has the position among
# the cells with its name and source, #1 for the first: it does not depend on changes elsewhere. OUT.il is for prove.sh.
# There is none for whole routers and NICs, which are too large, nor for the FIFO between two clocks, because a proof
# covers the edges of one clock.
#
# The mutations of a stage (compressor, decompressor) are in its own cells and at the ports of its instances, not in the
# instances, which are mutated as separate modules. MODULE.INSTANCE has mutations only in that instance, for modules
# that cannot be tested alone. The mutations of the NIC with AXI4-Stream are in the logic around its NIC. The netlist has
# no assertions, so a test finds a mutation by its outputs.
set -euo pipefail
mutated=$1 module=weft_${1%%.*} count=$2 seed=$3 out=$4
selection=""
case $1 in
  *.*) all=flatten selection="$module/c:*${1#*.}.*" ;;
  compressor | decompressor) all="" ;;
  axi_stream_nic) all=flatten selection="$module/c:* $module/c:*u_nic.* %d" ;;
  *) all=flatten ;;
esac
shift 4
here=$(cd "$(dirname "$0")" && pwd)
rtl=$(cd "$here/../../rtl" && pwd)

parameters=""
for parameter in "$@"; do parameters+=" -chparam ${parameter%%=*} ${parameter#*=}"; done
# The mutations of a seed depend on the sources, so only the necessary ones of the router are read.
router=$rtl/router/weft_round_robin_arbiter.sv
case $module in weft_router | weft_link) router=$(echo "$rtl"/router/*.sv) ;; esac
sources="$rtl/weft_pkg.sv $(echo "$rtl"/codec/*.sv "$rtl"/nic/*.sv) $router"
# Yosys 0.23 fails with an assertion if `hierarchy` sets parameters of a module with the decoder's instances. `chparam`
# for all modules would change the mutations of a seed.
top="hierarchy -top $module$parameters"
[ "$module" != weft_xor_decoder ] || top="chparam${parameters//-chparam/-set} $module
hierarchy -top $module"
# The registers keep their names, because proofs compare them.
elaborate="$top
proc
rename -top $module
$all
setattr -set keep 1 w:*_q"
read="read_verilog -sv -defer -DSYNTHESIS -I$rtl $sources
$elaborate
opt -noff -keepdc
wreduce -keepdc
opt -noff -keepdc
opt_clean -purge"

# Draws more mutations than COUNT, because the list has repetitions. It begins with those that cover most of the module.
# Verilator treats an output bit that depends on another bit of the same vector as a loop, and may evaluate it wrongly.
# So these mutations are excluded (those at the inputs that the output drives are not), and vectors with several drivers
# are split below. Mutations of clocks are excluded, too: a comparison by cycles does not detect half a cycle.
yosys -q -p "$read
write_rtlil $out.cells
mutate -list $((3 * count)) -seed $seed -module $module -o $out.all $selection"
awk -v count="$count" '
  /-port (CLK|clk_i) / { next }
  /-mode cnot/ && /-port (Y|Q|RD_DATA|[^ ]*_o) / { next }
  !seen[$0]++ && ++kept <= count { print $0 " -ctrl mutsel 16 " kept }' "$out.all" >"$out.mutations"
yosys -q -p "$read
script $out.mutations
flatten
opt_clean -purge
memory_collect
write_rtlil $out.il
splitnets -driver
clean
write_verilog -noattr $out.v"
sed -i -E 's|^(  wire \[[0-9:]+\] _[0-9]+_);$|\1 /*verilator split_var*/;|' "$out.v"

sed -E "s|$rtl/||g" "$out.cells" "$out.mutations" | awk -v module="$module" '
# The name of a cell without its number, which is stored in `number`.
function name_of(cell,  at, end) {
  at = match(cell, /\$[0-9]+(_CMP[0-9]+)?$/)
  number = at ? substr(cell, at + 1) + 0 : 0
  end = substr(cell, at + 1)
  if (at) sub(/^[0-9]+/, "", end)
  return at ? substr(cell, 1, at - 1) end : cell
}
# The same with the position.
function place_of(cell,  name, numbers, of, place, i) {
  name = name_of(cell)
  if (number == 0) return name
  of = split(cells[name, source_of[cell]], numbers, " ")
  place = 1
  for (i = 1; i <= of; ++i) place += numbers[i] + 0 < number
  return name "#" place
}
$1 == "module" { inside = $2 == "\\" module }
$1 == "attribute" && $2 == "\\src" { source = $3 }
$1 == "cell" && inside { source_of[$3] = source; name = name_of($3); cells[name, source] = cells[name, source] " " number }
$1 == "mutate" {
  kind = cell = port = bit = source = ""
  for (i = 2; i < NF; ++i) {
    if ($i == "-mode") kind = $(i + 1)
    if ($i == "-cell") cell = $(i + 1)
    if ($i == "-port") port = $(i + 1)
    if ($i == "-portbit") bit = bit $(i + 1)
    if ($i == "-ctrlbit") bit = bit " if bit " $(i + 1)
    if ($i == "-src") source = source (source == "" ? "" : " ") $(i + 1)
  }
  printf "%d\t%s\t%s\t%s\t%s\t%s\n", ++mutations, kind, place_of(cell), port, bit, source
}' >"$out.list"
rm "$out.all" "$out.cells" "$out.mutations"

case $mutated in
  router | router.* | nic | async_fifo)
    rm "$out.il"
    exit
    ;;
esac

# For prove.sh: the netlist (instance b) and, on the same inputs, the module with its assertions as assumptions (a). Every
# flip-flop becomes two ports, its value and its next value, so that what is left is combinational. (`expose -evert-dff`
# would leave out those that share a vector with others.)
awk '
  /^module / { name = $2; sub(/\(.*/, "", name) }
  /^  (input|output) / {
    port = $NF
    sub(/;/, "", port)
    ports = ports comma port
    declared = declared "  " $1 " " ($2 ~ /^\[/ ? $2 " " : "") port ";\n"
    mutated = mutated comma "." port "(" port ")"
    if ($1 == "input" && port != "mutsel") { assumed = assumed assumed_comma "." port "(" port ")"; assumed_comma = ", " }
    comma = ", "
  }
  END { print "module both(" ports ");\n" declared "  " name " b(" mutated ");\n  assumed a(" assumed ");\nendmodule" }
  ' "$out.v" >"$out.both.v"
yosys -q -p "read_verilog -sv -formal -defer -I$here/assume -I$rtl $sources
$elaborate
flatten
opt_clean
memory_collect
rename -top assumed
read_rtlil $out.il
read_verilog $out.both.v
hierarchy -top both
flatten
memory_map
async2sync
opt -keepdc
dffunmap
opt_clean
write_rtlil $out.flops.il"
awk '
  /^  cell \$dff / { inside = 1; ++flop; next }
  inside && /parameter .WIDTH/ { width = $3 }
  inside && /connect .D / { sub(/^ *connect .D /, ""); next_value = $0 }
  inside && /connect .Q / { sub(/^ *connect .Q /, ""); value = $0 }
  inside && /^  end/ {
    print "  wire width " width " input " 2 * flop + 9998 " \\value" flop
    print "  wire width " width " output " 2 * flop + 9999 " \\next" flop
    print "  connect " value " \\value" flop
    print "  connect \\next" flop " " next_value
    inside = 0
    next
  }
  !inside { print }
  ' "$out.flops.il" >"$out.il"
rm "$out.both.v" "$out.flops.il"
