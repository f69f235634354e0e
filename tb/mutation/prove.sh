#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Is a mutation no change at all? prove.sh OUT NUMBER, with OUT.il from mutate.sh. Exit status 0: it is proved that no test
# can see it. The last line says how.
#
# By induction over clock edges, with the SAT solver of Yosys, for all inputs and values of the registers with which the
# module's assertions hold. Begin: the first edge, in reset, gives the module as written and the mutated one equal
# registers, if they were equal. Step: whenever registers are equal behind an edge, all outputs are equal, and the next
# edge gives equal registers. Flip-flops for which this is not so are set free, to hold anything in the mutated module, and
# the proof is tried again without them: so a mutation may change what a register holds while nobody looks at it.
#
# A decoder's outputs for the group that was loaded mean nothing before the first load, and then stay until the next one: of
# them it is proved that they are equal behind an edge that loads.
set -euo pipefail
out=$1 number=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The module with the assumptions (a) has the values of the module as written (b).
sed -n -E 's/^  wire (width [0-9]+ )?\\([ab]\.[^ ]*_q(\[[0-9]+\])?)$/\2/p' "$out.il" | sort >"$work/wires"
paired() {  # for an instance of both: constraints of the solver
  local register
  sed -n 's/^b\.//p' "$work/wires" | while read -r register; do
    if grep -qxF "a.$register" "$work/wires"; then printf ' -set %s.a.%s %s.b.%s' "$1" "$register" "$1" "$register"; fi
  done
}
sed -n -E 's/^  wire (width ([0-9]+) )?(input|output) [0-9]+ .([^ ]+)$/\3 \4 \2/p' "$out.il" >"$work/ports"

group=""
! grep -q '^input load_i' "$work/ports" || group="words_o filling_o excess_o"

# side NAME MUTATION STATE FREE: the module NAME with that mutation. STATE any: its state is any, and only next values are
# compared; reached: its state is what an edge leaves of any state; loaded: the same, and the group is compared too. FREE:
# flip-flops that may hold anything in the mutated module, or what it makes of that.
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

# A word of a memory that no assertion reads is kept all the same (w:*_q?*), or it could not be named.
# holds STATE FREE OPTIONS …: whether both sides agree; if not, where they do not is in $work/differ.
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
