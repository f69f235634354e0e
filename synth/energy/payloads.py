# SPDX-License-Identifier: Apache-2.0
"""Recorded messages as plain words for the benches. WEFT_PAYLOADS is the folder of the payload files."""

import gzip
import os
import struct
import sys
from pathlib import Path

from netlists import BUILD

FILES = ("lammps.melt.2.bin.gz", "cg.S.2.bin.gz", "is.S.2.bin.gz")
HEADER = 64
MOST = 400_000  # bytes of each file


def words():
    """Paths of files with the words of the messages, one after the other."""
    folder = os.environ.get("WEFT_PAYLOADS")
    if folder is None:
        sys.exit("WEFT_PAYLOADS is not set: set it to the folder of the recorded messages (README.md lists the files)")
    found = []
    for name in FILES:
        path = BUILD / name.replace(".bin.gz", ".words")
        if not path.exists():
            data = gzip.decompress((Path(folder) / name).read_bytes())
            at, messages = HEADER, []
            while at + HEADER <= len(data) and sum(map(len, messages)) < MOST:
                stored, = struct.unpack_from("<I", data, at + HEADER - 4)
                messages.append(data[at + HEADER:at + HEADER + stored - stored % 8])
                at += HEADER + stored
            path.write_bytes(b"".join(messages))
        found.append(path)
    return found
