#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Manifests of the RTL for Bender and FuseSoC: makes Bender.yml and rtl/weft.core from rtl/files.f."""
import pathlib
import sys

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from checks.tree import Finding, Tree  # noqa: E402

BENDER = """# SPDX-License-Identifier: Apache-2.0
# Made from rtl/files.f by scripts/checks/manifests.py.
package:
  name: weft

export_include_dirs:
  - rtl

sources:
  - include_dirs:
      - rtl
    files:
{sources}
"""
CORE = """CAPI=2:
# SPDX-License-Identifier: Apache-2.0
# Made from rtl/files.f by scripts/checks/manifests.py.
name: ::weft:0
description: Network-on-chip with compression and XOR coding in its NICs

filesets:
  rtl:
    file_type: systemVerilogSource
    files:
{includes}
{sources}
  lint:
    file_type: vlt
    files:
      - lint/verilator.vlt

targets:
  default: &default
    # Cores that depend on this one get the waivers, too.
    filesets: [rtl, "tool_verilator ? (lint)"]
  lint:
    <<: *default
    default_tool: verilator
    toplevel: weft_compressor
    tools:
      verilator:
        mode: lint-only
        verilator_options: [-Wall, --assert]
"""


def manifests_of(tree):
    """Path and text of each manifest."""
    sources = [line for line in tree.lines("rtl/files.f") if line and not line.startswith(("+", "//"))]
    includes = sorted(path[len("rtl/"):] for path in tree.named(".svh", under="rtl/"))
    return {
        "Bender.yml": BENDER.format(sources="\n".join(f"      - rtl/{path}" for path in sources)),
        "rtl/weft.core": CORE.format(includes="\n".join(f"      - {path}: {{is_include_file: true}}" for path in includes),
                                     sources="\n".join(f"      - {path}" for path in sources)),
    }


def manifests(tree):
    """Bender.yml and rtl/weft.core list the files of rtl/files.f."""
    for path, text in manifests_of(tree).items():
        if path not in tree.files or tree.text(path) != text:
            yield Finding(path, 0, "differs from the file generated from rtl/files.f", "Run scripts/checks/manifests.py")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    for path, text in manifests_of(Tree(root)).items():
        (root / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
