# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034  # lists of packages are for those who source this
# Sourced by ./run, ./test and others: installs the Debian packages that are missing, by name. Safe to repeat.

say() {
  if [ -t 2 ]; then printf '\033[1m== %s\033[0m\n' "$*" >&2; else printf '== %s\n' "$*" >&2; fi
}
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# missing_of NAME …: those that are not installed, one a line.
missing_of() {
  local package
  for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
}

# require_packages NAME …
require_packages() {
  local missing=()
  command -v dpkg-query >/dev/null ||
    fail "this is not a Debian system. Install the equivalents of these packages, then configure with
    cmake --preset release && cmake --build build/release
  packages: $*"
  mapfile -t missing < <(missing_of "$@")
  if [ ${#missing[@]} -eq 0 ]; then
    say "all $# Debian packages are installed"
    return
  fi

  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || fail "not root, and there is no sudo. As root, run
    apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}")
  # Package lists may be absent or old: fetch them only if the first attempt fails.
  "${as_root[@]}" "${install[@]}" >/dev/null 2>&1 ||
    { "${as_root[@]}" apt-get update && "${as_root[@]}" "${install[@]}"; } >&2 ||
    fail "could not install the packages. Check the network and the apt sources, or install them by hand:
    apt-get install ${missing[*]}"
}

# want_packages WHAT NAME …: as require_packages, but without them only WHAT is left out.
want_packages() {
  local what=$1
  shift
  (require_packages "$@") || say "$what: not without $(missing_of "$@" | tr '\n' ' ')"
}

build_packages=(
  cmake g++ ninja-build pkg-config ccache
  libsystemc-dev libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev libboost-dev libboost-graph-dev
  libboost-iostreams-dev libprotozero-dev
  libmetis-dev coinor-libclp-dev libcadical-dev libsqlite3-dev libssl-dev zlib1g-dev gnuplot-nox
)
# The last line is for scripts/check.
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev verilator make
  python3 clang clang-format clang-tidy shellcheck yosys
)
# Without these, the tests that need them skip and say so.
proof_packages=(berkeley-abc z3 libz3-dev libclang-rt-14-dev iverilog opensta)
# The pages of `weft report` in a browser; without it, those tests skip.
browser_packages=(chromium)
# The program of examples/riscv_platform; without it, the tests that run programs skip.
riscv_packages=(gcc-riscv64-unknown-elf)
# Sweeps over several machines. weft does without, and then says so.
cluster_packages=(libopenmpi-dev openmpi-bin slurmctld slurmd slurm-client munge)
# synth/run.sh
synth_packages=(python3 yosys berkeley-abc opensta nextpnr-ice40 fpga-icestorm-chipdb qflow-tech-osu018)
