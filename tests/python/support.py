# SPDX-License-Identifier: Apache-2.0
"""What the tests of the module share: a directory for each test, and the command, with which they compare it."""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
COMMAND = os.environ["WEFT_COMMAND"]
SMALL = {"network": {"topology": {"shape": [4, 4]}}, "workload": {"injection": {"load": 0.2}},
         "simulation": {"level": "engine", "warmup": 200, "measure": 2000}}


def needs(*modules):
    """Skips a test if one of these modules is not installed."""
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


class TestCase(unittest.TestCase):
    """A test in an empty working directory."""

    maxDiff = 2000

    def setUp(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        folder = tempfile.TemporaryDirectory(prefix="weft_test_")
        self.addCleanup(folder.cleanup)
        os.chdir(folder.name)

    def command(self, *words):
        """Runs the command; returns what it printed."""
        done = subprocess.run([COMMAND, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def python(self, program):
        """Runs a program in another interpreter; returns what it printed."""
        done = subprocess.run([sys.executable, "-B", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


def read(file):
    return Path(file).read_text(encoding="utf-8")


def write(file, text):
    Path(file).write_text(text, encoding="utf-8")
