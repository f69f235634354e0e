#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# by_pkg_config.sh COMPILER PC_DIR SOURCE PROGRAM: builds a program with what pkg-config says, and runs it.
set -euo pipefail
compiler=$1 source=$3 program=$4
export PKG_CONFIG_PATH=$2
read -ra flags < <(pkg-config --cflags --libs weft)
"$compiler" "$source" "${flags[@]}" -o "$program"
exec "$program"
