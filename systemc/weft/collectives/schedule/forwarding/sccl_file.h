// SPDX-License-Identifier: Apache-2.0
/// Writes, reads and checks algorithms in the JSON of SCCL's tools (msccl-tools: `msccl solve … -o FILE.msccl.json`).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {

struct sccl_algorithm {
  forwarding_problem problem;  ///< `what` is Custom
  forwarding_algorithm algorithm;
  std::size_t rounds = 0;  ///< from its instance: `steps` and `extra_rounds`
};

/// Writes SCCL JSON. SCCL lists the chunks of the collective for C = 1 and divides each; an address represents the
/// summands of one sum. Therefore chunk c of the problem must be copy c mod C of kind c / C, as in make_forwarding(),
/// or C must be 1.
/// \throws std::invalid_argument for chunks in another order
std::string to_sccl_json(const forwarding_problem& p, const forwarding_algorithm& a);

/// Reads SCCL JSON. SCCL does not specify whether a receiver adds: sends of incomplete sums are added, others are
/// stored. The algorithm is not checked.
/// \throws std::invalid_argument, which names the line, the place and the expected value; also for triggers and
/// pipelines, which the model does not support
sccl_algorithm from_sccl_json(const std::string& text);

/// Violations of the algorithm, including a number of rounds that differs from its instance.
std::vector<forwarding_violation> check_file(const sccl_algorithm& file);

}  // namespace weft::schedule
