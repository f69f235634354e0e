# SPDX-License-Identifier: Apache-2.0
"""Checks with external tools: clang-format, shellcheck, a compiler, Verilator and Yosys, clang-tidy."""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from checks import cpp
from checks.rooms import resolve
from checks.tree import Finding

JOBS = 1
FLAGS = ["-std=c++17", "-Isystemc", "-I.", "-isystem", "/usr/include/coin", '-DWEFT_VERSION="0"']


def package_flags(*packages):
    """Compiler flags for the headers of these packages; none if one of them is not installed."""
    if not shutil.which("pkg-config"):
        return []
    done = subprocess.run(["pkg-config", "--cflags-only-I", *packages], capture_output=True, text=True)
    return done.stdout.replace("-I", "-isystem").split()


MPI_FLAGS = package_flags("ompi-c")
if MPI_FLAGS:
    MPI_FLAGS.insert(0, "-DOMPI_SKIP_MPICXX=1")
FLAGS += MPI_FLAGS
PYTHON_ROOM = "systemc/weft/python/"
PYTHON_FLAGS = package_flags("python3", "pybind11")


def flags_of(path):
    """Flags for the headers that only the folder of `path` includes."""
    return PYTHON_FLAGS if path.startswith(PYTHON_ROOM) else []


class Missing(Exception):
    """A tool that is not installed."""


def need(tool, package):
    if not shutil.which(tool):
        raise Missing(f"{tool} is not installed. Install it (Debian package: {package})")


def output(command, root):
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout + done.stderr


def side_by_side(function, items):
    """The findings of `function` for each item, JOBS at once, in order."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for found in pool.map(function, items):
            yield from found


def layout(tree):
    """The layout of C++ is that of .clang-format."""
    need("clang-format", "clang-format")
    files = tree.named(".h", ".cpp")
    for start in range(0, len(files), 50):
        _, said = output(["clang-format", "--dry-run", "-Werror", *files[start:start + 50]], tree.root)
        for path in sorted(set(re.findall(r"^(\S+?):\d+:\d+: error:", said, re.MULTILINE))):
            line = int(re.search(rf"^{re.escape(path)}:(\d+):", said, re.MULTILINE)[1])
            yield Finding(path, line, "not laid out according to .clang-format", f"Run clang-format -i {path}")


def shell(tree):
    """Shell scripts pass shellcheck."""
    need("shellcheck", "shellcheck")
    scripts = tree.shell_scripts()
    if not scripts:
        return
    command = ["shellcheck", "--external-sources", "--source-path=SCRIPTDIR", "--format=gcc"]
    _, said = output(command + scripts, tree.root)
    for path, line, what in re.findall(r"^(.+?):(\d+):\d+: \w+: (.*)$", said, re.MULTILINE):
        yield Finding(path, int(line), what.rstrip("."), "See the wiki of shellcheck")


def closure(tree, path, reached=None):
    """All files that `path` includes, directly or through others: files of the tree, and names that are not in it."""
    reached = set() if reached is None else reached
    for _, name, quoted in cpp.includes(tree.text(path)):
        target = resolve(tree, path, name) if quoted else None
        if target is None:
            reached.add(f'"{name}"' if quoted else f"<{name}>")
        elif target not in reached:
            reached.add(target)
            closure(tree, target, reached)
    return reached


def needs_a_build(tree, path):
    """Whether a file cannot be compiled alone: it includes files that Verilator or CMake generates, or MPI or pybind11 if
    this is not installed, or needs definitions of the build."""
    if path.startswith("systemc/weft/mpi/recorder/") and not MPI_FLAGS or path.startswith(PYTHON_ROOM) and not PYTHON_FLAGS:
        return True
    made = (name for name in closure(tree, path)
            if re.match(r'"V\w+\.h"', name) or f"systemc/{name.strip(chr(34))}.in" in tree.files)
    return path == "tb/fuzz/stage_fuzzer.h" or any(made) or \
        re.search(r"^\s*#\s*include\s+[A-Z]", tree.text(path), re.MULTILINE)


def is_bench(path):
    """Whether a source belongs to co-simulation, which includes what Verilator needs."""
    return path.startswith(("tb/", "systemc/weft/cosim/"))


def bench_flags():
    """Additional compiler flags for sources of benches."""
    need("verilator", "verilator")
    root = subprocess.run(["verilator", "--getenv", "VERILATOR_ROOT"], capture_output=True, text=True).stdout.strip()
    return ["-isystem", f"{root}/include", "-isystem", f"{root}/include/vltstd", "-include", "verilated.h"]


def headers(tree):
    """Headers are self-contained: a source includes its own header first; other headers are compiled alone."""
    need("clang++", "clang")
    alone = []
    for path in tree.named(".h"):
        source = path[:-2] + ".cpp"
        if not path.startswith(("systemc/", "tb/", "tests/support/")) or needs_a_build(tree, path):
            continue
        if source not in tree.files:
            alone.append(path)
            continue
        number, name, _ = next(cpp.includes(tree.text(source)), (1, "nothing", False))
        if resolve(tree, source, name) != path:
            yield Finding(source, number, f"its own header does not come first; the first include is {name}",
                          f"Include {os.path.basename(path)} first, so that each build verifies that it is self-contained")
    flags = FLAGS + ["-Itests", "-w", "-fsyntax-only", "-x", "c++"]
    bench = bench_flags() if any(is_bench(path) for path in alone) else []
    with tempfile.TemporaryDirectory() as folder:
        # Precompiling <systemc> does not change the result of a header that includes it, but saves time.
        kernel = pathlib.Path(folder, "kernel.h")
        kernel.write_text("#include <systemc>\n")
        if any("<systemc>" in closure(tree, path) for path in alone):
            output(["clang++", "-std=c++17", "-w", "-x", "c++-header", str(kernel), "-o", f"{kernel}.pch"], tree.root)

        def compile_alone(path):
            if is_bench(path):
                before = bench
            else:
                before = ["-include-pch", f"{kernel}.pch"] if "<systemc>" in closure(tree, path) else []
            status, said = output(["clang++", *before, *flags, *flags_of(path), path], tree.root)
            errors = re.findall(r"^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$", said, re.MULTILINE)
            if status and not errors:
                return [Finding(path, 0, f"does not compile alone: {said.strip()}", "Include what it uses")]
            return [Finding(path, 0, f"does not compile alone: {where}:{line}: {what}", "Include what it uses")
                    for where, line, what in errors[:1]]

        yield from side_by_side(compile_alone, alone)


def rtl(tree):
    """Verilator and Yosys read every module of rtl/ as a top, with several sets of parameters, without warnings."""
    need("verilator", "verilator")
    need("yosys", "yosys")
    listed = [line for line in tree.lines("rtl/files.f") if line.endswith(".sv")]
    modules = []
    for path in tree.named(".sv", under="rtl/"):
        if path[len("rtl/"):] not in listed:
            yield Finding(path, 0, "rtl/files.f does not list it", "Add it there, after the files that it uses")
        elif not path.endswith("_pkg.sv"):
            modules.append(os.path.basename(path)[:-3])

    def lint(module):
        status, said = output(["rtl/lint/check.sh", module], tree.root)
        if status == 0:
            return []
        found = [Finding(os.path.normpath(f"rtl/{path}"), int(line), f"{what} (top {module})",
                         "Fix it, or add a waiver with its reason to rtl/lint/verilator.vlt")
                 for path, line, what in re.findall(r"^%\w+(?:-\w+)?: ([^:\s]+):(\d+):\d+: (.*)$", said, re.MULTILINE)]
        return list(dict.fromkeys(found)) or [
            Finding("rtl/lint/check.sh", 0, f"{module} fails: {said.strip()}", f"Run rtl/lint/check.sh {module}")]

    yield from side_by_side(lint, modules)


class Tidy:
    """Runs clang-tidy on folders as units, so that headers are read once per folder, not once per source."""

    def __init__(self, tree, folder):
        self.tree = tree
        self.folder = folder  # for the units
        self.flags = FLAGS + ["-w"]
        self.bench = bench_flags() if any(is_bench(path) for path in tree.named(".cpp")) else []
        version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
        self.setting = version + tree.text(".clang-tidy") + " ".join(self.flags + self.bench)

    def known_clean(self, files):
        """The file in build/check/tidy/ that marks these files, with all that they include, as passed."""
        content = hashlib.sha256(self.setting.encode())
        everything = set(files).union(*(closure(self.tree, path) for path in files))
        for path in sorted(everything):
            content.update(path.encode())
            if path in self.tree.files:
                content.update(self.tree.text(path).encode())
        return self.tree.root / "build" / "check" / "tidy" / content.hexdigest()

    def findings(self, files):
        mark = self.known_clean(files)
        if mark.exists():
            return []
        found = self.unit(files)
        if not found:
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.touch()
        return found

    def unit(self, files):
        name = hashlib.sha256(" ".join(files).encode()).hexdigest()[:16]
        source = pathlib.Path(self.folder, f"{name}.cpp")
        source.write_text("".join(f'#include "{path}"\n' for path in files))
        flags = self.flags + flags_of(files[0]) + (self.bench if is_bench(files[0]) else [])
        command = ["clang-tidy", "--quiet", f"--config-file={self.tree.root}/.clang-tidy", str(source), "--", *flags]
        _, said = output(command, self.tree.root)
        if "[clang-diagnostic-error]" in said and len(files) > 1:
            half = len(files) // 2  # splits units whose files define the same names
            return self.unit(files[:half]) + self.unit(files[half:])
        found = []
        said = re.findall(r"^(.+?):(\d+):\d+: (?:warning|error): (.*) \[(.*)\]$", said, re.MULTILINE)
        for path, line, what, check in said:
            path = os.path.relpath(os.path.join(self.tree.root, path), self.tree.root)
            found.append(Finding(path, int(line), f"{what} [{check.split(',')[0]}]",
                                 "Fix it; .clang-tidy lists the checks with their reasons"))
        return list(dict.fromkeys(found))


def tidy(tree):
    """C++ passes clang-tidy with the checks of .clang-tidy."""
    need("clang-tidy", "clang-tidy")
    folders = {}
    for path in tree.named(".h", ".cpp"):
        if path.startswith(("systemc/", "tb/")) and not needs_a_build(tree, path):
            folders.setdefault(os.path.dirname(path), []).append(path)
    # Headers before sources; large folders first.
    units = [sorted(files, key=lambda path: (path.endswith(".cpp"), path)) for files in folders.values()]
    units.sort(key=lambda files: -sum("<systemc>" in closure(tree, path) or path.endswith(".cpp") for path in files))
    with tempfile.TemporaryDirectory() as folder:
        checked = Tidy(tree, folder)
        yield from side_by_side(checked.findings, units)
