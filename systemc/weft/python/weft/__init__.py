# SPDX-License-Identifier: Apache-2.0
"""Weft: cycle-accurate simulation of networks-on-chip.

    import weft
    result = weft.run({"network": {"topology": {"shape": [8, 8]}}, "simulation": {"level": "engine"}})
    print(result)

`run` simulates an experiment, as the command `weft run` does. `sweep`, `saturation` and `curve` simulate many
configurations. `Network` computes metrics of a network without simulation. `Simulation` advances an experiment step by
step. The page docs/02_user/python.md describes all of them.

A *configuration* is the path of a YAML file, a YAML text, or a dictionary with the same keys as the YAML file. A `str`
is a text if it contains a line break, a brace at its beginning, or a colon before a blank; otherwise it is a path. Each
function that takes a configuration also takes values of further keys, which override it: `network__router__vcs=8`, or
`**{"network.router.vcs": 8}`. Relative paths in a file are relative to the folder of the file, and all others to the
working directory.

Every error of Weft is a `weft.Error`; an error in a configuration is a `weft.ConfigurationError`.
"""
from ._configuration import Configuration
from ._errors import ConfigurationError, ConfigurationWarning, Error, Problem
from ._network import Network
from ._result import Result
from ._run import run
from ._simulation import Simulation
from ._study import Curve, Saturation, Sweep, curve, saturation, sweep
from ._weft import version as _version

__version__: str = _version()
__all__ = ["Configuration", "ConfigurationError", "ConfigurationWarning", "Curve", "Error", "Network", "Problem",
           "Result", "Saturation", "Simulation", "Sweep", "curve", "run", "saturation", "sweep"]

for _class in (ConfigurationError, ConfigurationWarning, Curve, Network, Problem, Result, Saturation, Simulation, Sweep):
    _class.__module__ = __name__  # as users import it
