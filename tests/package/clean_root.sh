#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clean_root.sh DEB [MIRROR]: installs DEB with apt in a minimal Debian 12 of its own, uses every part of the package
# there, and removes the package again. Requires root and mmdebstrap. CTest does not run this script, because apt loads
# about 1 GB.
set -euo pipefail
deb=$(realpath "$1")
tests=$(cd "$(dirname "$0")" && pwd)
root=$(mktemp -d)
trap 'rm -rf --one-file-system "$root"' EXIT

mmdebstrap --quiet --variant=minbase bookworm "$root" "${@:2}"
cp "$deb" "$root/srv/weft.deb"
cp -r "$tests/outside" "$root/srv/outside"
cp "$tests/by_pkg_config.sh" "$root/srv"
cp /etc/resolv.conf "$root/etc/resolv.conf"

cat >"$root/srv/use.sh" <<'IN_ROOT'
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
step() { printf '== %s\n' "$*"; }
cd /srv
# install PACKAGE …: without recommended packages, and with the messages of apt only if it fails.
install() {
  apt-get install --yes --no-install-recommends "$@" >apt.log 2>&1 || { tail -n 40 apt.log; exit 1; }
}

step "apt install ./weft.deb: the command"
apt-get -qq update
apt-get --simulate install ./weft.deb >apt.log  # installs recommended packages
for package in weft libsystemc-dev libfmt-dev python3-numpy gnuplot-nox; do grep -q "^Inst $package " apt.log; done
install ./weft.deb
weft --version
weft run /usr/share/weft/examples/quickstart.yaml -o results --set simulation.measure=1000 | tail -n 2
weft topology /usr/share/weft/examples/quickstart.yaml --svg mesh.svg && ls mesh.svg

step "its recommended packages, and programs that use the package"
install g++ pkg-config libsystemc-dev libfmt-dev nlohmann-json3-dev libboost-dev libboost-iostreams-dev libmetis-dev \
  zlib1g-dev gnuplot-nox python3 python3-numpy cmake make verilator man-db zsh fish bash-completion
step "Python"
python3 -c 'import weft; print(weft.__file__)'
step "manual pages"
man -w weft-run weft-configuration 2>&1 || dpkg -L weft | grep -c /man/
step "completion in zsh and fish"
fish -c 'complete -C "weft sat"'
zsh -fc 'autoload -Uz compinit && compinit -u && print -r -- $_comps[weft]'
bash -ic 'source /usr/share/bash-completion/bash_completion; _completion_loader weft; complete -p weft' 2>/dev/null
step "pkg-config, CMake"
bash by_pkg_config.sh g++ /usr/lib/pkgconfig outside/main.cpp "$PWD/program"
cmake -S outside -B build >/dev/null
cmake --build build >/dev/null
build/outside
cmake -S /usr/share/weft/examples/own_modules -B own_modules >/dev/null
cmake --build own_modules >/dev/null
own_modules/own_modules | tail -n 1
step "RTL and test benches"
/usr/share/weft/examples/dpi_bench/run "$PWD/dpi_bench" | tail -n 2
step "apt remove weft"
dpkg -L weft >files
apt-get -qq remove --yes weft >/dev/null
while read -r file; do if [ -f "$file" ]; then echo "left: $file"; exit 1; fi; done <files
step "done"
IN_ROOT
unshare --mount bash -ec "mount -t proc proc '$root/proc'; mount --rbind /dev '$root/dev'
  chroot '$root' bash srv/use.sh"
