# SPDX-License-Identifier: Apache-2.0
"""weft.run()."""
import os
import tempfile
from pathlib import Path
from typing import Any, Optional, Union

from . import _weft
from ._command import execute
from ._configuration import Configuration, Source
from ._errors import ConfigurationError, Problem, reported
from ._result import Result


def run(config: Configuration, *, directory: Optional[Union[str, "os.PathLike[str]"]] = None, **overrides: Any) -> Result:
    """Simulates an experiment. The result is that of the command `weft run` with the same configuration.

    A run at level `engine` takes place in this process. It releases the global lock, so that threads can simulate at
    the same time. A run at level `pin`, the default, takes place in a process of the command.

    config     path, YAML text or dictionary
    directory  folder for the files that `weft run` writes; None: no files are written. The event log, packet answers
               and waveforms exist only as files, so they require a folder
    overrides  values of further keys, such as network__router__vcs=8

    The outcome is part of the result: saturation and deadlock are no exceptions.

    Raises ConfigurationError if the configuration is not valid, and Error if there is another error. Ctrl-C raises
    KeyboardInterrupt within a second, in the main thread.
    """
    source = Source(config, overrides)
    loaded = source.load()
    if directory is not None:
        return _run_by_command(source, loaded, Path(directory))
    if files := loaded.file_keys():
        raise ConfigurationError([Problem(None, None, None, files[0], f"{files[0]}: this output exists only as a file; "
                                          "call weft.run() with directory, or leave the key out")])
    if loaded.is_engine():
        with reported(source.origin):
            return Result(*_weft.run(loaded))
    with tempfile.TemporaryDirectory(prefix="weft_") as folder:
        return _run_by_command(source, loaded, Path(folder))


def _run_by_command(source: Source, loaded: _weft.Configuration, folder: Path) -> Result:
    """Runs the command, which writes its files to `folder`."""
    execute(["run", *source.words(loaded.name()), "-q", "-o", str(folder), "--set", "output.json=true", "--set", "output.csv=true"],
            source)
    file = folder / loaded.name()
    return Result(_content(file, ".json"), _content(file, ".csv"))


def _content(file: Path, suffix: str) -> str:
    return Path(str(file) + suffix).read_text(encoding="utf-8")
