# SPDX-License-Identifier: Apache-2.0
"""Runs the command `weft`, which simulates at pin level, and many configurations in parallel."""
import contextlib
import functools
import os
import re
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Iterator, List, Optional, Sequence

from ._configuration import NAME, Source
from ._errors import ConfigurationError, Diagnostic, Error, Origin, located, warn
from ._weft import version

LINE = re.compile(r"(?P<place>.*?): (?P<kind>error|warning): (?P<message>.*)")
STANDARD_INPUT = re.compile(r"standard_input(?=:\d+:\d+$)|CONFIG -$|-$")


def path_of_command() -> str:
    """The command: `WEFT_COMMAND` if it is set, the one that was built or installed with this module, or the first on
    PATH."""
    if given := os.environ.get("WEFT_COMMAND"):
        return given
    for folder in list(Path(os.path.abspath(__file__)).parents)[1:6]:
        for file in (folder / "weft", folder / "bin" / "weft"):
            if file.is_file() and os.access(file, os.X_OK):
                return str(file)
    found = shutil.which("weft")
    if found is None:
        raise Error("the command weft is not found, which simulates at pin level and runs sweeps; add its folder to "
                    "PATH, set WEFT_COMMAND, or select simulation.level: engine for a single run")
    return found


def execute(words: Sequence[str], source: Source) -> None:
    """Runs the command with these arguments. A run that failed, for example by a deadlock, is no exception.

    KeyboardInterrupt, and any other exception of a signal handler, ends the process first.
    """
    text = source.origin.text
    command = path_of_command()
    _check_version(command)
    process: "Optional[subprocess.Popen[str]]" = None
    try:
        with _later_interrupt():
            process = subprocess.Popen([command, *words], stdin=subprocess.DEVNULL if text is None else subprocess.PIPE,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8",
                                       errors="surrogateescape")
        _, err = process.communicate(text)
    except OSError as error:
        if process is not None:
            _end(process)
            raise
        raise _not_started(command, error) from error
    except BaseException:
        if process is not None:
            _end(process)
        raise
    diagnostics = [located(source.origin, found) for found in _diagnostics(err, "warning", source.origin)]
    for problem in diagnostics:
        warn(problem)
    if process.returncode in (0, 1):
        return
    errors = [located(source.origin, found) for found in _diagnostics(err, "error", source.origin)]
    if process.returncode == 2 and errors:
        raise ConfigurationError(errors)
    raise Error(err.strip() or f"the command weft ended with status {process.returncode}")


@contextlib.contextmanager
def _later_interrupt() -> Iterator[None]:
    """Delays Ctrl-C to the end of the block. Otherwise, a process that Popen has just started could be lost."""
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or handler is None:
        yield
        return
    arrived = False

    def note(_number: int, _frame: object) -> None:
        nonlocal arrived
        arrived = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if arrived:
        signal.raise_signal(signal.SIGINT)


@functools.lru_cache(maxsize=None)
def _check_version(command: str) -> None:
    """Raises Error if the command is of another version than this module, whose results may differ."""
    try:
        with _later_interrupt():
            printed = subprocess.run([command, "--version"], stdout=subprocess.PIPE, encoding="utf-8", check=False).stdout
    except OSError as error:
        raise _not_started(command, error) from error
    if printed.strip() != f"weft {version()}":
        raise Error(f"the command {command} is {printed.strip() or 'no weft'}, but this module is weft {version()}; "
                    "set WEFT_COMMAND to a command of the same version")


def _not_started(command: str, error: OSError) -> Error:
    return Error(f"the command {command} cannot be started: {error.strerror}; set WEFT_COMMAND to another file")


def _end(process: "subprocess.Popen[str]") -> None:
    """Ends the process as Ctrl-C does, and kills it if that takes long."""
    process.terminate()
    try:
        process.wait(5)
    except BaseException:
        process.kill()
        process.wait()


def _diagnostics(err: str, kind: str, origin: Origin) -> List[Diagnostic]:
    """The errors or the warnings in what the command printed."""
    found: List[Diagnostic] = []
    details: List[str] = []
    for line in err.splitlines():
        if match := LINE.match(line):
            details = []
            if match["kind"] == kind:
                place = match["place"] if origin.text is None else STANDARD_INPUT.sub(NAME, match["place"])
                found.append((place, match["message"], details))
        elif not line.startswith("See `weft --help`"):
            details.append(line)
    return found
