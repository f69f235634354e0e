# SPDX-License-Identifier: Apache-2.0
"""The exceptions of the module."""
import re
import sys
import warnings
from pathlib import Path
from typing import NamedTuple, Optional, Sequence, Tuple

from ._weft import Error, InputError, key_at, take_warnings

__all__ = ["ConfigurationError", "ConfigurationWarning", "Error", "InputError", "Problem"]

Diagnostic = Tuple[str, str, Sequence[str]]  # place, message, details
PLACE = re.compile(r"(?P<name>.+?):(?P<line>\d+):(?P<column>\d+)$", re.DOTALL)
OF_SETTING = re.compile(r"(?:--set|--over|--linked|--sample) (?P<key>[^= ]+)(?:=|$)")
OF_ARGUMENT = re.compile(r"argument (?P<key>\w+)$")
OF_OPTION = re.compile(r"weft$|--")


class Problem(NamedTuple):
    """One error in a configuration."""

    file: Optional[str]
    """Name of the file; None for a dictionary, a text or an override."""
    line: Optional[int]
    """Line in the file or the text, from 1; None for a dictionary or an override."""
    column: Optional[int]
    """Column in this line, from 1."""
    key: Optional[str]
    """Path of the key, such as "network.router.vcs"; None if the error is at no key."""
    message: str
    """What is wrong, what is expected, and what to do."""
    details: Tuple[str, ...] = ()
    """Lines that follow the message, such as the channels of a cycle."""

    def __str__(self) -> str:
        if self.line is not None:
            place = f"{self.file or 'text'}:{self.line}:{self.column}: error: "
        elif self.file is not None:
            place = f"{self.file}: error: "
        else:
            place = "" if self.key is None or self.key in self.message else f"{self.key}: "
        return "\n".join((place + self.message, *self.details))


class ConfigurationError(Error, ValueError):
    """A configuration is not valid. Its text has one line for each problem, as the command prints them.

    The attributes `file`, `line`, `column` and `key` are those of the first problem; `problems` contains all problems.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(tuple(problems))
        self.problems: Tuple[Problem, ...] = tuple(problems)
        first = self.problems[0]
        self.file: Optional[str] = first.file
        self.line: Optional[int] = first.line
        self.column: Optional[int] = first.column
        self.key: Optional[str] = first.key

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class ConfigurationWarning(UserWarning):
    """A configuration is valid, but contains something that Weft ignores or that has been renamed."""


class Origin(NamedTuple):
    """Where a configuration comes from, so that errors can be located."""

    name: str  # of the file, or of the text in messages
    text: Optional[str] = None  # of a text or a dictionary
    is_dictionary: bool = False


def located(origin: Origin, found: Diagnostic) -> Problem:
    """The problem that `found` describes at a place such as "run.yaml:7:12" or "--set network.router.vcs=8"."""
    place, message, details = found
    if setting := OF_SETTING.match(place):
        return Problem(None, None, None, setting["key"], message, tuple(details))
    if argument := OF_ARGUMENT.match(place):
        return Problem(None, None, None, argument["key"], f"{argument['key']}: {message}", tuple(details))
    if OF_OPTION.match(place):
        return Problem(None, None, None, None, message, tuple(details))
    at = PLACE.match(place)
    if at is None:
        is_file = place != origin.name or origin.text is None
        return Problem(place if is_file else None, None, None, None, message, tuple(details))
    name, line, column = at["name"], int(at["line"]), int(at["column"])
    is_text = name == origin.name and origin.text is not None
    key = key_at(origin.text if is_text and origin.text is not None else _content(name), line, column) or None
    if is_text and origin.is_dictionary:
        return Problem(None, None, None, key, message, tuple(details))
    return Problem(None if is_text else name, line, column, key, message, tuple(details))


def _content(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


class reported:
    """A context that turns the diagnostics of C++ into exceptions and warnings of Python."""

    def __init__(self, origin: Origin) -> None:
        self.origin = origin

    def __enter__(self) -> None:
        take_warnings()  # of an earlier call that failed

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        for found in take_warnings():
            warn(located(self.origin, found))
        if isinstance(error, InputError):
            raise ConfigurationError([located(self.origin, found) for found in error.args[0]]) from None


def warn(problem: Problem) -> None:
    """Issues a warning at the line that called the module."""
    depth, frame = 1, sys._getframe(0)
    folder = str(Path(__file__).parent)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        depth, frame = depth + 1, frame.f_back
    warnings.warn(str(problem).replace(": error: ", ": ", 1), ConfigurationWarning, stacklevel=depth)
