#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# by_pkg_config.sh COMPILER PC_DIR PREFIX SOURCE PROGRAM: builds a program with what pkg-config says, and runs it.
set -euo pipefail
compiler=$1 prefix=$3 source=$4 program=$5
export PKG_CONFIG_PATH=$2
read -ra flags < <(pkg-config --define-variable=prefix="$prefix" --cflags --libs weft)
"$compiler" "$source" "${flags[@]}" -o "$program"
exec "$program"
