#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# by_pkg_config.sh COMPILER PC_DIR SOURCE PROGRAM: builds a program with what pkg-config says, and a shared object that it
# loads; runs it.
set -euo pipefail
compiler=$1 source=$3 program=$4
export PKG_CONFIG_PATH=$2
read -ra flags < <(pkg-config --cflags --libs weft)
"$compiler" -shared -fPIC "$(dirname "$source")/plugin.cpp" -Wl,-z,defs "${flags[@]}" -o "$program.so"
"$compiler" -DPLUGIN="\"$program.so\"" "$source" "${flags[@]}" -ldl -o "$program"
exec "$program"
