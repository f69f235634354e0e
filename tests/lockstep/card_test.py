#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs examples/card as a user does: tests/lockstep/card_test.py WEFT. The pages show exactly what it prints, and it finds a level
with other events, and a part that is idle."""

import pathlib
import subprocess
import sys
import tempfile

HOME = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/02_user/examples.md"]
# A weft whose engine sends with another seed, which changes the payloads and therefore the lengths of compressed packets.
WRONG = """#!/bin/sh
case "$*" in *level=engine*) set -- "$@" --set simulation.seed=2 ;; esac
exec "{weft}" "$@"
"""


# A weft without XOR stages.
IDLE = """#!/bin/sh
exec "{weft}" "$@" --set nic.coding.enabled=false
"""


def run(*arguments):
    return subprocess.run([HOME / "examples/card/run", *arguments], capture_output=True, text=True)


def run_as(script, weft):
    """Runs the example with a script in place of the command."""
    with tempfile.TemporaryDirectory() as folder:
        wrong = pathlib.Path(folder) / "weft"
        wrong.write_text(script.format(weft=weft))
        wrong.chmod(0o755)
        return run(wrong, "--packets", "1")


def main():
    weft = pathlib.Path(sys.argv[1]).resolve()
    whole = run(weft)
    assert whole.returncode == 0, whole.stderr
    assert whole.stdout.count("pin = engine = RTL\n") == 3, whole.stdout
    shown = "".join(f"    {line}\n" for line in whole.stdout.splitlines())
    for page in PAGES:
        assert shown in (HOME / page).read_text(), f"{page} does not show what examples/card/run prints:\n{shown}"
    found = run_as(WRONG, weft)
    assert found.returncode == 1, (found.returncode, found.stdout)
    assert "mesh: line " in found.stderr and " of the event log: pin has " in found.stderr, found.stderr
    found = run_as(IDLE, weft)
    assert found.returncode == 1, (found.returncode, found.stdout)
    assert "mesh: nic.coding.enabled=false has no influence: the part is idle" in found.stderr, found.stderr
    for arguments in ([], [weft, "--packets"], [weft, "--packets", "x"], ["--all"]):
        assert run(*arguments).returncode == 2, arguments
    assert run("--help").returncode == 0


if __name__ == "__main__":
    main()
