# SPDX-License-Identifier: Apache-2.0
"""Configurations: files, texts and dictionaries, and values that override them."""
import json
import math
import os
import re
from typing import Any, List, Mapping, Optional, Tuple, Union

from . import _weft
from ._errors import ConfigurationError, Origin, Problem, reported

Configuration = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A path, a YAML text, or a dictionary with the keys of a YAML file."""

NAME = "configuration"  # of a dictionary or a text: the default of output.name
IS_TEXT = re.compile(r"\n|^\s*\{|:\s")


class Source:
    """A configuration and its overrides, before they are read."""

    def __init__(self, config: Configuration, overrides: Mapping[str, Any]) -> None:
        if isinstance(config, Mapping):
            self.origin = Origin(NAME, _text_of(config), is_dictionary=True)
        elif isinstance(config, str) and IS_TEXT.search(config):
            self.origin = Origin(NAME, plain(config, ""))
        elif isinstance(config, (str, os.PathLike)) and os.fspath(config):
            self.origin = Origin(plain(os.fsdecode(config), ""))
        else:
            raise wrong(None, f"expected a path, a YAML text or a dictionary, got {type(config).__name__ if config else 'nothing'}")
        self.settings: List[Tuple[str, str]] = []
        for name, value in overrides.items():
            key = name.replace("__", ".")
            self.settings.append((key, yaml_text(value, key)))

    def load(self, checked: bool = True) -> _weft.Configuration:
        """Reads the configuration. With `checked`, also checks whether its values fit together."""
        settings = [(key, value, f"--set {key}={value}") for key, value in self.settings]
        with reported(self.origin):
            return _weft.load(self.origin.name, self.origin.text, settings, checked)

    def words(self, name: str) -> List[str]:
        """The arguments of the command for this configuration, whose output.name is `name`."""
        if self.origin.text is None:
            words = [os.path.join(os.curdir, self.origin.name) if self.origin.name.startswith("-") else self.origin.name]
        else:
            words = ["-", "--set", f"output.name={json.dumps(name, ensure_ascii=False)}"]
        for key, value in self.settings:
            words += ["--set", f"{key}={value}"]
        return words


def wrong(key: Optional[str], message: str) -> ConfigurationError:
    """The error of a value that is no part of any configuration."""
    return ConfigurationError([Problem(None, None, None, key, f"{key}: {message}" if key else message)])


def _text_of(config: Mapping[str, Any]) -> str:
    """A dictionary as YAML, with a line for each value."""
    try:
        return json.dumps(plain(config, ""), indent=1, ensure_ascii=False)
    except RecursionError:
        raise wrong(None, "expected a dictionary that does not contain itself and is not nested deeply") from None


def plain(value: Any, key: str) -> Any:
    """`value` with types that JSON has. numpy's numbers and arrays, tuples and paths are converted."""
    if isinstance(value, Mapping):
        result = {}
        for name, inner in value.items():
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                raise wrong(key or None, f"expected texts as keys, got {name!r}")
            result[str(name)] = plain(inner, f"{key}.{name}" if key else str(name))
        return result
    if isinstance(value, (list, tuple)):
        return [plain(inner, key) for inner in value]
    if isinstance(value, os.PathLike):
        return plain(os.fsdecode(value), key)
    if hasattr(value, "tolist"):  # of numpy
        return plain(value.tolist(), key)
    if isinstance(value, float) and not math.isfinite(value):
        raise wrong(key, f"expected a finite number, got {value}")
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        raise wrong(key or None, f"expected a text that UTF-8 can represent, got {value!r}")
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise wrong(key, f"expected a number, a truth value, a text, a list or a dictionary, got {type(value).__name__}")


def yaml_text(value: Any, key: str) -> str:
    """`value` as YAML on one line."""
    return json.dumps(plain(value, key), ensure_ascii=False)
