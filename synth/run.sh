#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Computes area, clock and critical path of the RTL: synth/run.sh [--help] [all|MODULE …]. Installs missing packages
# (Debian). The results are in build/synth: results.json and table.md.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/prepare.sh

require_packages "${synth_packages[@]}"
exec python3 -B synth/run.py "$@"
