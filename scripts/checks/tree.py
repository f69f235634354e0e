# SPDX-License-Identifier: Apache-2.0
"""The files that scripts/check reads, and its findings."""
import os
import pathlib
import subprocess
from typing import NamedTuple


class Finding(NamedTuple):
    """One violation: position, error and remedy. Line 0: the whole file."""
    path: str
    line: int
    what: str
    remedy: str

    def __str__(self):
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.what}. {self.remedy}"


class Tree:
    """The files of a checkout: those that git tracks or would track; without git, and in a folder that git ignores, all
    files outside of build folders. `files` leaves symbolic links out, because their files are checked elsewhere."""

    def __init__(self, root):
        self.root = pathlib.Path(root).resolve()
        self.paths = sorted(path for path in self._listed() if (self.root / path).is_file())
        self.files = [path for path in self.paths if not (self.root / path).is_symlink()]
        self._texts = {}

    def _listed(self):
        git = ["git", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard", "-z", "."]
        found = subprocess.run(git, capture_output=True, text=True)
        if found.stdout:
            return set(found.stdout.split("\0")) - {""}
        listed = set()
        for folder, folders, names in os.walk(self.root):
            folders[:] = [name for name in folders if name not in (".git", "build", "results")]
            listed.update(os.path.relpath(os.path.join(folder, name), self.root) for name in names)
        return listed

    def named(self, *suffixes, under=""):
        """Files in folder `under` whose name ends in one of `suffixes`."""
        return [path for path in self.files if path.endswith(suffixes) and path.startswith(under)]

    def is_binary(self, path):
        with open(self.root / path, "rb") as file:
            return b"\0" in file.read(65536)

    def has_carriage_returns(self, path):
        with open(self.root / path, "rb") as file:
            return b"\r\n" in file.read()

    def text(self, path):
        if path not in self._texts:
            self._texts[path] = (self.root / path).read_text(encoding="utf-8", errors="replace")
        return self._texts[path]

    def lines(self, path):
        return self.text(path).splitlines()

    def is_script(self, path, interpreter):
        """Whether the first line of a file names its interpreter."""
        with open(self.root / path, "rb") as file:
            start = file.readline(80)
        return start.startswith(b"#!") and interpreter.encode() in start

    def shell_scripts(self):
        return [path for path in self.files if path.endswith(".sh") or self.is_script(path, "sh")]

    def python_scripts(self):
        return [path for path in self.files if path.endswith(".py") or self.is_script(path, "python")]


def rows(tree, path):
    """(line number, words) of each line of a rule file, without comments."""
    for number, line in enumerate(tree.lines(path), 1):
        words = line.split("#")[0].split()
        if words:
            yield number, words
