#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# installed.sh PREFIX LIBDIR COMPILER: checks that an installation is complete: the manual page and the completions, RTL
# that Verilator accepts, golden codecs that compile, examples that run, and a pkg-config file for each library that
# contains all that the library requires.
set -euo pipefail
prefix=$1 libdir=$2 compiler=$3
share=$prefix/share/weft
fail() {
  printf 'installed.sh: %s\n' "$*"
  exit 1
}

for file in share/man/man1/weft-run.1 share/man/man5/weft-configuration.5 share/bash-completion/completions/weft \
  share/zsh/site-functions/_weft share/fish/vendor_completions.d/weft.fish share/doc/weft/copyright; do
  [ -s "$prefix/$file" ] || fail "$file is missing"
done
"$prefix/bin/weft" manual run | cmp - "$prefix/share/man/man1/weft-run.1"
"$prefix/bin/weft" check "$share/examples/quickstart.yaml"

if command -v verilator >/dev/null; then
  verilator --lint-only --top-module weft_router "$share/rtl/lint/verilator.vlt" -F "$share/rtl/files.f"
  verilator --lint-only --timing --assert --top-module bench -Wno-fatal "$share/tb/sv/verilator.vlt" \
    "$share/rtl/weft_pkg.sv" "$share"/tb/dpi/*.sv "$share"/tb/sv/*.sv "$share"/examples/broken_compressor/*.sv >/dev/null 2>&1 ||
    fail "Verilator does not accept the bench in $share/examples/broken_compressor"
fi

export PKG_CONFIG_PATH=$prefix/$libdir/pkgconfig
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo 'int sc_main(int, char*[]) { return 0; }' >"$place/main.cpp"
read -ra flags < <(pkg-config --cflags --libs weft-pin)
"$compiler" -O1 "$share/examples/own_modules/main.cpp" "${flags[@]}" -o "$place/own_modules"
"$place/own_modules"

count=0
for archive in "$prefix/$libdir"/libweft_*.a; do
  library=$(basename "$archive" .a)
  package=weft-${library#libweft_}
  read -ra flags < <(pkg-config --cflags --libs "$package")
  # The linker takes every object of the library, so that a library that the file lacks is an error.
  "$compiler" "$place/main.cpp" -shared -fPIC -Wl,-z,defs -Wl,--whole-archive "$archive" -Wl,--no-whole-archive \
    "${flags[@]}" -o "$place/all.so" || fail "$package.pc does not contain all that $archive requires"
  count=$((count + 1))
done
[ "$count" -ge 8 ] || fail "only $count libraries"
