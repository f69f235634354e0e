#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Proves that no test can detect a mutation: prove.sh OUT NUMBER, with OUT.il from mutate.sh. Exit status 0: proved. The
# last line of the output is the reason.
#
# The proof is by induction over clock edges, with the SAT solver of Yosys, for all inputs and register values that
# satisfy the module's assertions. Base: after the first edge, in reset, the original and the mutated module have equal
# registers, if these were equal before. Step: whenever registers are equal after an edge, all outputs are equal, and the
# next edge gives equal registers. If the step fails for a flip-flop, the flip-flop is set free: it has any value in the
# mutated module, and the proof is tried again without it. So a mutation may change a register while no output depends on
# it.
#
# A decoder's outputs for the loaded group have no meaning before the first load, and do not change until the next one.
# The script proves that they are equal after an edge that loads.
set -euo pipefail
out=$1 number=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The module with the assumptions (a) has the register values of the original module (b).
sed -n -E 's/^  wire (width [0-9]+ )?\\([ab]\.[^ ]*_q(\[[0-9]+\])?)$/\2/p' "$out.il" | sort >"$work/wires"
paired() {  # constraints of the solver for an instance of both
  local register
  sed -n 's/^b\.//p' "$work/wires" | while read -r register; do
    if grep -qxF "a.$register" "$work/wires"; then printf ' -set %s.a.%s %s.b.%s' "$1" "$register" "$1" "$register"; fi
  done
}
sed -n -E 's/^  wire (width ([0-9]+) )?(input|output) [0-9]+ .([^ ]+)$/\3 \4 \2/p' "$out.il" >"$work/ports"

group=""
! grep -q '^input load_i' "$work/ports" || group="words_o filling_o excess_o"

# side NAME MUTATION STATE FREE: the module NAME with that mutation. STATE any: any state, and only next values are
# compared; reached: any state after an edge; loaded: the same, and the group is compared, too. FREE: flip-flops with any
# value, or any value after an edge, in the mutated module.
side() {
  awk -v name="$1" -v mutation="$2" -v state="$3" -v free=" $4 " -v group=" $group " '
    function is_free(flop) { return mutation != 0 && index(free, " " flop " ") }
    function connect(port, to) { return ", ." port "(" to ")" }
    { width = $3 == "" ? 1 : $3; range = "[" width - 1 ":0] " }
    $2 == "mutsel" { next }
    $2 ~ /^value[0-9]+$/ {
      flop = substr($2, 6)
      any_value = (state == "any" ? "" : "past_") "value" flop
      ports = ports ",\n  input " range any_value
      if (index(free, " " flop " ")) ports = ports ",\n  input " range "free" flop
      before = before connect($2, any_value)
      changed = changed connect($2, is_free(flop) ? "free" flop : any_value)
      if (state == "any") now = now connect($2, is_free(flop) ? "free" flop : any_value)
      else now = now connect($2, (is_free(flop) ? "changed" : "reached") flop)
      next
    }
    $2 ~ /^next[0-9]+$/ {
      flop = substr($2, 5)
      wires = wires "  wire " range "reached" flop ", changed" flop ";\n"
      before = before connect($2, "reached" flop)
      changed = changed connect($2, "changed" flop)
      if (index(free, " " flop " ")) next
      ports = ports ",\n  output " range $2
      now = now connect($2, $2)
      next
    }
    $1 == "input" {
      if (state != "any") ports = ports ",\n  input " range "past_" $2
      before = before connect($2, "past_" $2)
      changed = changed connect($2, "past_" $2)
    }
    $1 == "output" && (state == "any" || state == "reached" && index(group, " " $2 " ")) { next }
    { ports = ports ",\n  " $1 " " range $2; now = now connect($2, $2) }
    END {
      print "module " name " (" substr(ports, 2) "\n);"
      if (state != "any") {
        print wires "  both before (.mutsel(16\47d0)" before ");"
        print "  both changed (.mutsel(16\47d" mutation ")" changed ");"
      }
      print "  both now (.mutsel(16\47d" mutation ")" now ");\nendmodule"
    }' "$work/ports"
}

# Words of a memory that no assertion reads are kept, too (w:*_q?*), because the constraints refer to them.
# holds STATE FREE OPTIONS …: whether both sides agree; if not, $work/differ lists the differences.
holds() {
  local state=$1 free=$2
  shift 2
  { side gold 0 "$state" "$free" && side gate "$number" "$state" "$free"; } >"$work/sides.v"
  local pairs
  pairs=$(paired gold.now)
  [ "$state" = any ] || pairs+=$(paired gold.before)
  # 900 s of processor time
  (ulimit -S -t 900 && exec yosys -p "read_rtlil $out.il
setattr -mod -unset top both
setattr -set keep 1 both/w:*_q?*
read_verilog $work/sides.v
flatten
miter -equiv -flatten -make_outcmp gold gate miter
cd miter
opt -full
sat -set-assumes $pairs -prove trigger 0 -show-outputs $*") >"$work/log" 2>&1 || true
  ! grep -q '^SAT proof finished - no model found: SUCCESS!' "$work/log" || return 0
  sed -n -E 's/^ +\\cmp_([^ ]+) +0 .*/\1/p' "$work/log" >"$work/differ"
  if ! [ -s "$work/differ" ]; then
    tail -n 5 "$work/log" | cut -c 1-300
    echo "no answer"
    exit 1
  fi
  return 1
}

free=""
while ! { { ! grep -q '^input value' "$work/ports" || holds any "$free" -set in_rst_ni 0; } &&
  holds reached "$free" && { [ -z "$group" ] || holds loaded "$free" -set in_past_load_i 1; }; }; do
  if grep -qvE '^next[0-9]+$' "$work/differ"; then
    echo "outputs may differ: $(xargs <"$work/differ") (flip-flops set free: ${free:-none})"
    exit 1
  fi
  free+=" $(sed 's/^next//' "$work/differ" | xargs)"
  if [ "$(wc -w <<<"$free")" -gt 20 ]; then
    echo "no answer with 20 flip-flops set free"
    exit 1
  fi
done
if [ -z "$free" ]; then
  echo "no register and no output ever differs"
else
  echo "only registers differ that no output depends on:$(for flop in $free; do
    sed -n -E "s/^  connect (.*) .value$flop\$/ \1/p" "$out.il" | tr -d '\\\n'
  done)"
fi
