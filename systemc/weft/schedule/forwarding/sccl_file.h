// SPDX-License-Identifier: Apache-2.0
/// Algorithms in the JSON of SCCL's tools (msccl-tools: `msccl solve … -o FILE.msccl.json`).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"

namespace weft::schedule {

struct sccl_algorithm {
  forwarding_problem problem;  ///< what is Custom
  forwarding_algorithm algorithm;
  std::size_t rounds = 0;  ///< as its instance says: `steps` and `extra_rounds`
};

/// SCCL gives the chunks of the collective for C = 1 and divides each; an address stands for the parts of one sum. So
/// chunk c of the problem must be copy c mod C of kind c / C, as make_forwarding() has it, or C = 1.
/// \throws std::invalid_argument for chunks in another order
std::string to_sccl_json(const forwarding_problem& p, const forwarding_algorithm& a);

/// Sends of sums that are not complete are added, others are kept: SCCL does not say. The algorithm is not judged.
/// \throws std::invalid_argument that names the line, the place and what is expected there; for triggers and pipelines,
/// too, which the model has not
sccl_algorithm from_sccl_json(const std::string& text);

/// Faults of the algorithm, and whether it has the rounds that its instance says.
std::vector<forwarding_fault> check_file(const sccl_algorithm& file);

}  // namespace weft::schedule
