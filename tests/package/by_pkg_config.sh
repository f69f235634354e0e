#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# by_pkg_config.sh COMPILER PC_DIR SOURCE PROGRAM: builds a program and a shared object that it loads with the flags of
# pkg-config, and runs the program.
set -euo pipefail
compiler=$1 source=$3 program=$4
export PKG_CONFIG_PATH=$2
read -ra flags < <(pkg-config --cflags --libs weft)
"$compiler" -shared -fPIC "$(dirname "$source")/plugin.cpp" -Wl,-z,defs "${flags[@]}" -o "$program.so"
"$compiler" -DPLUGIN="\"$program.so\"" "$source" "${flags[@]}" -ldl -o "$program"
exec "$program"
