# SPDX-License-Identifier: Apache-2.0
"""What all plots have in common. matplotlib and pandas are loaded when they are first needed."""
import importlib
from typing import Any

from ._errors import Error


def module(name: str, package: str) -> Any:
    """The module `name`, which the Debian package `package` contains."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Error(f"{name} is not installed; install the Debian package {package}, "
                    "or use the properties that return dictionaries and numpy arrays") from error


def axes(given: Any, x: str, y: str, title: str) -> Any:
    """`given`, or the axes of a new figure, with labels."""
    if given is None:
        given = module("matplotlib.pyplot", "python3-matplotlib").figure(layout="constrained").add_subplot()
    given.set_xlabel(x)
    given.set_ylabel(y)
    given.set_title(title)
    return given
