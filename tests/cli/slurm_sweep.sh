#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a sweep as a Slurm job array on this machine alone: munged, slurmctld and slurmd of a temporary folder run it.
# The script kills their node in the middle, with all its processes, and submits the array again. Usage:
# tests/cli/slurm_sweep.sh WEFT. Exit status 77: Slurm cannot run here; the script prints the reason.
set -euo pipefail
weft=$1

skip() {
  echo "skipped: $*"
  exit 77
}
for program in munged slurmctld slurmd sbatch squeue scancel; do
  PATH=$PATH:/usr/sbin command -v $program >/dev/null || skip "there is no $program (Debian: slurmctld slurmd slurm-client munge)"
done
[ "$(id -u)" -eq 0 ] || skip "slurmd starts jobs as root only"

PATH=$PATH:/usr/sbin
folder=$(mktemp -d)
started=()
# Ends the processes that this script started, by their process ids.
stop() {
  local pid
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${started[@]}"; do
    await 10 gone "$pid" || kill -9 "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
  done
  rm -rf "$folder"
}
gone() { ! kill -0 "$1"; }
trap stop EXIT
chmod 755 "$folder"
mkdir "$folder/munge" "$folder/state" "$folder/spool" "$folder/work"
chmod 755 "$folder/munge"

# await SECONDS COMMAND …: waits until the command succeeds; false if it does not within that time.
await() {
  local left=$(($1 * 5))
  shift
  until "$@" >/dev/null 2>&1; do
    left=$((left - 1))
    [ "$left" -gt 0 ] || return 1
    sleep 0.2
  done
}

dd if=/dev/urandom of="$folder/munge/key" bs=1024 count=1 status=none
chmod 400 "$folder/munge/key"
munged --force --foreground --key-file="$folder/munge/key" --socket="$folder/munge/socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" 2>"$folder/munge/err" &
started+=($!)
await 60 munge --no-input --socket="$folder/munge/socket" || skip "munged does not start: $(tail -1 "$folder/munge/err")"

host=$(hostname -s)
port=$((20000 + $$ % 20000))
cat >"$folder/slurm.conf" <<EOF
ClusterName=weft
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MailProg=/bin/true
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES State=UP
EOF
export SLURM_CONF=$folder/slurm.conf
slurmctld -D -f "$SLURM_CONF" >"$folder/slurmctld.log" 2>&1 &
controller=$!
started+=("$controller")
start_node() {
  slurmd -D -f "$SLURM_CONF" -N "$host" >>"$folder/slurmd.log" 2>&1 &
  node=$!
  started+=("$node")
}
# Kills slurmd and all processes that it has started: those with this test's configuration in their environment, except
# the controller and its child.
kill_node() {
  local environment pid
  kill -9 "$node"
  { grep -lsF "SLURM_CONF=$folder/" /proc/[0-9]*/environ || true; } | while read -r environment; do
    pid=${environment//[!0-9]/}
    grep -qs "^P*Pid:.\<$controller\>" "/proc/$pid/status" || kill -9 "$pid" 2>/dev/null || true
  done
}
start_node
await 120 sh -c "sinfo -h -o %T | grep -q idle" ||
  skip "Slurm does not start here: $(grep -h -m 1 -i error "$folder"/slurmctld.log "$folder"/slurmd.log || echo no node is idle)"

cd "$folder/work"
cat >small.yaml <<'EOF'
network: {topology: {shape: [3, 3]}}
simulation: {level: engine, warmup: 100, measure: 20000}
EOF
points=24
"$weft" sweep small.yaml --over simulation.seed=1:$points:1 --slurm job.sh --tasks 4

ended() { [ -z "$(squeue -h -j "$1")" ]; }
any_stored() { [ -n "$(stored)" ]; }
stored() { "$weft" export results/points.sqlite 2>/dev/null | tail -n +2 | cut -d, -f1; }

# The node of the first array dies in the middle; the second array runs the missing points.
first=$(sbatch --parsable job.sh)
await 300 any_stored || { squeue; exit 1; }
kill_node
kept=$(stored)
[ "$(wc -l <<<"$kept")" -lt $points ] || { echo "the node was killed too late"; exit 1; }
scancel "$first"
start_node
await 300 ended "$first" || { squeue; exit 1; }
second=$(sbatch --parsable job.sh)
await 300 ended "$second" || { squeue; exit 1; }

[ "$(stored | wc -l)" -eq $points ] || { echo "expected $points points in the store, got $(stored | wc -l)"; cat slurm-*.out; exit 1; }
[ "$(stored | sort -u | wc -l)" -eq $points ] || { echo "a point is stored twice"; exit 1; }
[ "$(stored | head -n "$(wc -l <<<"$kept")")" = "$kept" ] || { echo "a point that was stored is lost"; exit 1; }
"$weft" sweep small.yaml --over simulation.seed=1:$points:1 --set output.progress=always 2>progress
if grep -q points progress; then echo "the sweep ran points that the array should have run"; exit 1; fi
[ "$(wc -l <results/small.sweep.csv)" -eq $((points + 1)) ]
echo "$points points in one store, by two job arrays"
