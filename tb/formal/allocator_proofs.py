# SPDX-License-Identifier: Apache-2.0
"""The proofs of the allocators, as arguments of add() in proofs.py."""

# Allocators of all kinds: parameters of matching.sv, and the planted bug.
KINDS = {
    "input_first.matrix": ({"Kind": 0, "Arbiter": 1},
                           ("router/weft_matrix_arbiter.sv", "<= grant_o[i] ? Higher :", "<= grant_o[i] ? '0 :")),
    "output_first": ({"Kind": 1},
                     ("router/weft_input_first_allocator.sv", ".request_i(picked_by[", ".request_i(request_i[")),
    "output_first.matrix": ({"Kind": 1, "Arbiter": 1},
                            ("router/weft_matrix_arbiter.sv", "if (request_i[i]) loses = loses |",
                             "if (request_i[i] && i != 0) loses = loses |")),
    "islip": ({"Kind": 2, "Iterations": 2}, ("router/weft_islip_allocator.sv", "&& !matched_outputs[out]", "")),
    "islip.maximal": ({"Kind": 2, "Iterations": 3, "Maximal": 1},
                      ("router/weft_islip_allocator.sv", "&& !matched_inputs[in]", "&& matched_inputs == '0")),
    "wavefront": ({"Kind": 3, "Maximal": 1},
                  ("router/weft_wavefront_allocator.sv", "free_inputs & ~step;", "free_inputs;")),
    "wavefront_fair": ({"Kind": 4, "Maximal": 1},
                       ("router/weft_wavefront_allocator.sv", "(step_outputs << 1) | (step_outputs >> (Count - 1))",
                        "step_outputs << 1")),
}

ALLOCATORS = [
    {"name": "allocators", "top": "allocators", "method": "ind", "depth": 3, "parameters": {"Ports": 4, "Vcs": 2},
     "statement": "VC and switch allocator, 4 ports of 2 VCs: the assertions in both modules hold", "reach": "unbounded",
     "plant": ("router/weft_round_robin_arbiter.sv", "any_before = request_i << 1;", "any_before = '0;")},
    {"name": "switch_wait", "top": "switch_wait", "method": "pdr",
     "statement": "switch allocator, 2 ports of 2 VCs: a VC that keeps its request until it gets a grant, as it does if "
                  "receivers always have a credit, is passed over at most 5 times",
     "reach": "unbounded",
     "plant": ("router/weft_separable_switch_allocator.sv", "from_vc_q <= from_vc_d;", "from_vc_q <= from_vc_q;")},
    *({"name": f"matching.{label}", "top": "matching", "method": "pdr", "parameters": parameters,
       "statement": f"allocator, {label.replace('.', ', ')}, 3 inputs and 3 outputs: the grants are a matching of the requests, "
                    "and there is a grant if there is a request"
                    + ("; no request remains whose input and output are both left over" if "Maximal" in parameters else ""),
       "reach": "unbounded", "plant": plant}
      for label, (parameters, plant) in KINDS.items()),
]
