# SPDX-License-Identifier: Apache-2.0
"""The technologies: files of cells, units, and wires. WEFT_CELLS is the folder of the Liberty files."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import liberty

OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


@dataclass(frozen=True)
class Technology:
    """A cell library at one corner. Units: seconds, farads and watts of one unit of the file."""
    name: str
    description: str
    files: tuple
    unused: str  # regular expression of cells that are not mapped to
    flip_flops: tuple  # cells that dfflegalize may leave
    supply: float
    time: float
    capacitance: float
    leakage: float
    slew: float  # typical slew of a signal, in units of the file
    driver: str  # cell that drives inputs, for ABC
    load: float  # load of outputs for ABC, fF
    delay: int  # period for ABC, ps
    buffer: str  # repeater: cell, input pin, output pin
    wire: dict
    origin: str = "energies from Liberty tables, periods by OpenSTA 2.0.17, 2026-11-30"


_NO_RESET, _RESET_OR_SET = "$_DFF_P_ 01", "$_DFFSR_PNN_ 01"

TECHNOLOGIES = {
    "asap7": Technology(
        "asap7", "ASAP7, 7 nm predictive FinFET, RVT, typical corner, 0.70 V, 25 degC, cells of SIMPLE, INVBUF and SEQ",
        ("asap7_SIMPLE_RVT_TT_ccs.lib.gz", "asap7sc7p5t_INVBUF_RVT_TT_nldm_220122.lib.gz", "asap7_SEQ_RVT_TT_ccs.lib.gz"),
        r"^(CK|DFFL|DHL|DLL|ICG|SDF|DFFHQx4|HAxp|FAx|HB|TIE)", (_NO_RESET, _RESET_OR_SET), 0.70, 1e-12, 1e-15, 1e-12, 20.0,
        "BUFx2_ASAP7_75t_R", 2.0, 300, "BUFx8_ASAP7_75t_R A Y",
        {"capacitance": 173.323, "resistance": 32315.1, "spacing": 0.1, "source":
         "The-OpenROAD-Project/OpenROAD-flow-scripts, flow/platforms/asap7/setRC.tcl of commit 213c957, set_wire_rc -signal: "
         "0.173323 fF/um, 32.3151 ohm/um"}),
    "osu018": Technology(
        "osu018", "OSU 0.18 um standard cells, typical corner, 1.80 V, 25 degC",
        (OSU018,), r"^(CLKBUF|DFFNEG|FAX|HAX|LATCH|TBUF|PAD)", (_NO_RESET, _RESET_OR_SET), 1.80, 1e-9, 1e-12, 1e-9, 0.15,
        "BUFX2", 30.0, 1000, "BUFX4 A Y",
        {"capacitance": 200.0, "resistance": 150.0, "spacing": 2.0, "source":
         "assumption, not measured and not from the kit: 0.2 fF/um and 0.15 ohm/um"}),
    "sky130": Technology(
        "sky130", "SkyWater 130 nm, high density, typical corner, 1.80 V, 25 degC",
        ("sky130hd_tt.lib.gz",),
        r"lpflow|__(probe|dly|clkdly|dlc|dlx|dlr|dfbb|dfrbp|dfrtn|dfsbp|dfxbp|edf|sdf|sedf|fa|ha|fah|diode|conb|ebuf|einv|"
        r"macro|bufinv|decap|fill|tap|maj|clkinv|clkbuf|xor3|xnor3|.*_0$)",
        ("$_DFF_P_ 01", "$_DFF_PN0_ 01", "$_DFF_PN1_ 01"), 1.80, 1e-9, 1e-12, 1e-9, 0.08,
        "sky130_fd_sc_hd__buf_2", 15.0, 1000, "sky130_fd_sc_hd__buf_8 A X",
        {"capacitance": 172.375, "resistance": 892.9, "spacing": 1.0, "source":
         "The-OpenROAD-Project/OpenROAD-flow-scripts, flow/platforms/sky130hd/setRC.tcl of commit 83021aa, layer met1 "
         "(set_wire_rc -signal): 1.72375e-4 pF/um, 8.929e-4 kohm/um"}),
    "ihp130": Technology(
        "ihp130", "IHP SG13G2, 130 nm, typical corner, 1.20 V, 25 degC",
        ("sg13g2_stdcell_typ_1p20V_25C.lib.gz",), r"_(sdf|dll|dlh|ebuf|einv|sighold|lgcp|slgcp|dlygate|tie|fill|decap|antenna)",
        ("$_DFF_PN0_ 01",), 1.20, 1e-9, 1e-12, 1e-12, 0.06, "sg13g2_buf_2", 15.0, 1000, "sg13g2_buf_8 A X",
        {"capacitance": 173.072, "resistance": 2072.59, "spacing": 1.0, "source":
         "The-OpenROAD-Project/OpenROAD-flow-scripts, flow/platforms/ihp-sg13g2/setRC.tcl of commit 6c7e24a, set_wire_rc "
         "-signal: 1.73072e-4 pF/um, 2.07259e-3 kohm/um"}),
}


def files(technology):
    """The Liberty files of a technology. Ends the program if one is missing."""
    folder = os.environ.get("WEFT_CELLS")
    found = []
    for name in technology.files:
        if not isinstance(name, Path):
            if folder is None:
                sys.exit("WEFT_CELLS is not set: set it to the folder of the Liberty files (README.md lists them)")
            name = Path(folder) / name
        if not name.exists():
            sys.exit(f"{name} does not exist: {technology.name} needs this file (README.md lists the files)")
        found.append(name)
    return found


def library(technology, out):
    """The merged library as a file in OUT, and its content."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{technology.name}.lib"
    if not path.exists():
        unused = re.compile(technology.unused)
        merged = liberty.merge([liberty.read(file) for file in files(technology)], lambda name: not unused.search(name))
        liberty.write(merged, path)
        liberty.exchange_set_and_reset(merged)
        liberty.write(merged, flip_flop_library(path))
    return path, liberty.read(path)


def flip_flop_library(path):
    """The library for Yosys's dfflibmap, beside the library PATH: see liberty.exchange_set_and_reset()."""
    return path.with_name(f"{path.stem}_flip_flops.lib")
