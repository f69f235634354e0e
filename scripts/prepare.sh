# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# shellcheck disable=SC2034  # the scripts that source this use the lists of packages
# Sourced by ./run, ./test and other scripts. Functions that install missing Debian packages; safe to repeat.

say() {
  if [ -t 2 ]; then printf '\033[1m== %s\033[0m\n' "$*" >&2; else printf '== %s\n' "$*" >&2; fi
}
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# missing_of NAME …: prints the packages that are not installed, one per line.
missing_of() {
  local package
  for package in "$@"; do
    dpkg-query --show --showformat='${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed ||
      echo "$package"
  done
}

# require_packages NAME …: installs the packages that are missing. Ends the script if that fails.
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
    command -v sudo >/dev/null || fail "not root, and sudo is not found. As root, run
    apt-get install ${missing[*]}"
    as_root=(sudo)
  fi
  say "installing ${missing[*]}"
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends "${missing[@]}")
  # Package lists may be missing or old. They are fetched only if the first attempt fails.
  "${as_root[@]}" "${install[@]}" >/dev/null 2>&1 ||
    { "${as_root[@]}" apt-get update && "${as_root[@]}" "${install[@]}"; } >&2 ||
    fail "could not install the packages. Check the network and the apt sources, or install them by hand:
    apt-get install ${missing[*]}"
}

# use_optional_packages WHAT NAME …: like require_packages, but if the installation fails, prints that WHAT is left out.
use_optional_packages() {
  local what=$1
  shift
  (require_packages "$@") || say "left out: $what, because these packages are missing: $(missing_of "$@" | tr '\n' ' ')"
}

build_packages=(
  cmake g++ ninja-build pkg-config ccache
  libsystemc-dev libcli11-dev libyaml-cpp-dev nlohmann-json3-dev libfmt-dev libboost-dev libboost-graph-dev
  libboost-iostreams-dev libprotozero-dev
  libmetis-dev coinor-libclp-dev libcadical-dev libsqlite3-dev libssl-dev zlib1g-dev gnuplot-nox
)
# The packages in the last line are for scripts/check.
test_packages=(
  libgtest-dev libgmock-dev librapidcheck-dev libbenchmark-dev verilator make
  python3 clang libclang-rt-14-dev clang-format clang-tidy shellcheck yosys
)
# Without these packages, the tests that need them are skipped with a message.
proof_packages=(berkeley-abc z3 libz3-dev iverilog opensta)
# For tests of the pages of `weft report` in a browser; without it, they are skipped.
browser_packages=(chromium)
# For the program of examples/riscv_platform; without it, the tests that run programs are skipped.
riscv_packages=(gcc-riscv64-unknown-elf)
# For tests of completion and of the manual pages; without these packages, they are skipped.
shell_packages=(zsh fish mandoc)
# For the Python module and its tests; without these packages, weft is built without the module.
python_packages=(pybind11-dev python3-dev python3-numpy python3-pandas python3-networkx python3-matplotlib mypy)
# For NSGA-II of `weft explore`; without it, weft is built without NSGA-II, and the build prints this.
explore_packages=(libpagmo-dev)
# For sweeps over several machines. Without these packages, weft is built without such sweeps, and the build prints
# this.
cluster_packages=(libopenmpi-dev openmpi-bin slurmctld slurmd slurm-client munge)
# For synth/run.sh.
synth_packages=(python3 yosys berkeley-abc opensta nextpnr-ice40 fpga-icestorm-chipdb qflow-tech-osu018)
