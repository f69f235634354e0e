// SPDX-License-Identifier: Apache-2.0
/// A technology whose coefficients are easy to add by hand.
#pragma once

#include <string>

namespace weft {

inline const std::string ToyTechnology = R"(format: weft-technology-1
name: toy
supply: 1.0
units: {energy: fJ, power: nW, area: um2, period: ps, capacitance: fF/mm, resistance: ohm/mm}
range: {ports: [2, 5], vcs: [2, 4], depth: [4, 8], payload_bits: [64, 64]}
router:
  input_unit:
    cycle: {"ports * vcs": 2}
    flit: {"1": 100}
    head: {"1": 10}
    toggle: {"1": 1}
    leakage: {"ports": 1000}
    area: {"ports * vcs * depth": 10}
    period: {"1": 400, "log2_depth": 20}
  route_computation: {cycle: {"1": 1}, head: {"1": 50}, leakage: {"1": 0}, area: {"ports": 10}}
  vc_allocator: {cycle: {"1": 1}, head: {"1": 70}, leakage: {"1": 0}, area: {"vcs^2": 5}, period: {"ports": 100}}
  switch_allocator: {cycle: {"1": 1}, flit: {"1": 20}, leakage: {"1": 0}, area: {"1": 5}}
  crossbar: {cycle: {"1": 1}, flit: {"1": 5}, toggle: {"ports": 0.5}, leakage: {"1": 0}, area: {"flit_bits": 1}}
  output_unit: {cycle: {"1": 1}, flit: {"1": 3}, leakage: {"1": 0}, area: {"1": 100}}
nic:
  injector: {cycle: {"1": 3}, flit: {"1": 30}, leakage: {"1": 100}, area: {"1": 1000}, period: {"1": 300}}
  ejector: {cycle: {"1": 4}, flit: {"1": 40}, leakage: {"1": 200}, area: {"1": 2000}, period: {"1": 300}}
link: {capacitance: 200, leakage: 10, area: 1, delay: 100}
)";

}  // namespace weft
