# SPDX-License-Identifier: Apache-2.0
"""The form of the model: for each part, the monomials of each event, of area, leakage and period."""

import math

INPUT_PARTS = ("input_unit", "route_computation")
MEMORY = "ports * vcs * depth * flit_bits"
LOGS = ["1", "log2_ports", "log2_vcs", "log2_depth"]

ROUTER = {
    "input_unit": {
        "cycle": [MEMORY, "ports * vcs * depth", "ports * flit_bits", "ports * vcs"],
        "flit": ["1", "flit_bits", "vcs * depth * flit_bits"],
        "head": ["1", "vcs * depth"],
        "toggle": ["1", "vcs * depth", "ports"],
        "static": [MEMORY, "ports * vcs * depth", "ports * flit_bits", "ports * vcs", "ports^2 * flit_bits"],
    },
    "route_computation": {
        "cycle": ["ports", "ports * vcs", "ports^2"], "flit": ["1"], "head": ["1", "vcs"], "toggle": [],
        "static": ["ports", "ports * vcs"],
    },
    "vc_allocator": {
        "cycle": ["ports * vcs", "ports * vcs^2", "ports^2 * vcs", "ports^2 * vcs^2"],
        "flit": ["1", "ports * vcs"], "head": ["1", "ports * vcs", "ports * vcs^2"], "toggle": [],
        "static": ["ports * vcs", "ports^2 * vcs^2", "ports^2 * vcs"],
    },
    "switch_allocator": {
        "cycle": ["ports * vcs", "ports^2"], "flit": ["1", "ports", "vcs", "ports * vcs"], "head": ["1"], "toggle": [],
        "static": ["ports * vcs", "ports^2", "ports^2 * vcs"],
    },
    "crossbar": {
        "cycle": ["ports * flit_bits"], "flit": ["1", "flit_bits"], "head": [], "toggle": ["1"],
        "static": ["ports * flit_bits"],
    },
    "output_unit": {
        "cycle": ["ports * vcs", "ports * vcs * depth"], "flit": ["1", "vcs", "ports"], "head": ["1"], "toggle": [],
        "static": ["ports * vcs", "ports * vcs * depth"],
    },
}
NIC = {
    "injector": {
        "cycle": ["1", "flit_bits", "vcs"], "flit": ["1", "flit_bits", "vcs"], "head": ["1"], "toggle": ["1"],
        "static": ["1", "flit_bits", "vcs"],
    },
    "ejector": {
        "cycle": ["vcs * depth * flit_bits", "flit_bits", "vcs"],
        "flit": ["1", "flit_bits", "vcs * depth * flit_bits"],
        "head": ["1"], "toggle": ["1", "vcs * depth"], "static": ["vcs * depth * flit_bits", "flit_bits", "vcs"],
    },
}
CODEC = {name: {"cycle": ["1", "payload_bits"], "word": ["1"], "static": ["1", "payload_bits"]}
         for name in ("compressor", "decompressor", "xor_encoder", "xor_decoder")}
CODEC["decompressor"]["raw"] = ["1"]  # words that pass unchanged; not in the technology file


def value(monomial, shape):
    """Value of a monomial for the parameters of a router."""
    product = 1.0
    for factor in monomial.split(" * "):
        name, _, power = factor.partition("^")
        if name == "1":
            continue
        base = math.log2(shape[name.removeprefix("log2_")]) if name.startswith("log2_") else shape[name]
        product *= base ** int(power or 1)
    return product


def evaluate(terms, shape):
    return sum(factor * value(monomial, shape) for monomial, factor in terms.items())
