# SPDX-License-Identifier: Apache-2.0
"""The examples of examples/python and of the page Python, in short runs, and the types of the module."""
import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, List
from unittest import mock

import weft
from support import EXAMPLES, ROOT, SMALL, TestCase, needs, read, write


class Examples(TestCase):
    def run_example(self, name):
        with mock.patch.dict(os.environ, {"MEASURE": "300"}):
            return runpy.run_path(str(EXAMPLES / "python" / name))

    @needs("pandas", "matplotlib")
    def test_routers_compared(self):
        names = self.run_example("routers_compared.py")
        self.assertEqual(set(names["sweep"].frame()["network.router.pipeline"]), {3, 4})

    @needs("networkx")
    def test_worst_link(self):
        names = self.run_example("worst_link.py")
        self.assertGreater(names["after"], names["before"])

    def test_steps(self):
        names = self.run_example("steps.py")
        self.assertGreater(len(names["latencies"]), 0)

    @needs("networkx", "matplotlib", "pandas")
    def test_page(self):
        import networkx
        write("my.yaml", json.dumps(SMALL))
        os.symlink(EXAMPLES, "examples")
        names = {"networkx": networkx, "List": List, "Any": Any, "sim": weft.Simulation(SMALL), "MEASURE": 100}
        blocks = re.findall(r"^```python\n(.*?)^```$", read(ROOT / "docs/02_user/python.md"), re.MULTILINE | re.DOTALL)
        self.assertEqual(len(blocks), 6)
        for block in blocks:
            exec(block, names)
        self.assertEqual(names["sim"].cycle, 50)

    @needs("mypy")
    def test_types_are_complete(self):
        done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--cache-dir",
                               os.devnull, str(EXAMPLES / "python" / "steps.py"), str(Path(weft.__file__).parent)],
                              stdout=subprocess.PIPE, encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stdout.splitlines()[:-1]), (0, []))
