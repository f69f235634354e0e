#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the experiments of compression.in.md and compression_codecs.in.md, and stores their values and figures:

    docs/05_papers/compression.py WEFT RECORDER PROGRAMS RECORDINGS DIRECTORY [--jobs N]

WEFT: the command. RECORDER: libweft_mpi.so. PROGRAMS: mpi_programs. RECORDINGS: the folder of is.S.2.bin.gz and the
other recordings of docs/02_user/codec.md. DIRECTORY: for results; those that are there are not made again.
This program computes the values in {{braces}}, stored beside these templates, and docs/figures/compression_*.json."""

import argparse
import os
import pathlib
import sys

sys.dont_write_bytecode = True
from compression_curves import curves  # noqa: E402
from compression_ratios import RECORDED, ratios  # noqa: E402
from compression_settings import settings  # noqa: E402
from compression_tools import SEEDS, Study  # noqa: E402
from paper_tools import Claims, store_page  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("weft", "recorder", "programs", "recordings", "directory"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="simulations at a time")
    arguments = parser.parse_args()
    for name in RECORDED:
        file = arguments.recordings / f"{name}.bin.gz"
        if not file.exists():
            sys.exit(f"{file} is absent: expected the recordings {', '.join(RECORDED)}")
    study = Study(arguments.weft, arguments.directory, arguments.jobs)
    claims, values = Claims("COMPRESS", "finds"), {"seeds": str(SEEDS)}
    tools = (arguments.recorder.resolve(), arguments.programs.resolve(), arguments.recordings.resolve())
    curves(study, claims, values)
    settings(study, ratios(study, *tools, claims, values), claims, values)
    values["claims"] = claims.table()
    for page in ("compression", "compression_codecs"):
        store_page(page, values)


if __name__ == "__main__":
    main()
