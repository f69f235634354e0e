// SPDX-License-Identifier: Apache-2.0
/// Writes, reads and checks algorithms in the JSON format of the SCCL tools (msccl-tools, `msccl solve … -o
/// FILE.msccl.json`).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"

namespace weft::schedule {

struct sccl_algorithm {
  forwarding_problem problem;  ///< the problem; its `what` is Custom
  forwarding_algorithm algorithm;
  std::size_t rounds = 0;  ///< rounds according to the fields `steps` and `extra_rounds` of the instance
};

/// Returns the algorithm as SCCL JSON. SCCL lists the chunks of the collective for C = 1 and divides each into C
/// copies; one address represents all summands of a sum. Therefore chunk c of the problem must be copy c mod C of kind
/// c / C, as in make_forwarding(), or C must be 1.
/// \throws std::invalid_argument for chunks in another order
std::string to_sccl_json(const forwarding_problem& p, const forwarding_algorithm& a);

/// Reads an algorithm from SCCL JSON. The format does not specify whether a receiver adds what it receives. Weft
/// assumes that the receiver adds incomplete sums and stores everything else. The algorithm is not checked.
/// \throws std::invalid_argument, which names the line, the place in the document and the expected value; also for
/// triggers and pipelines, which the model does not support
sccl_algorithm from_sccl_json(const std::string& text);

/// Returns the violations of the algorithm. A number of rounds that differs from the instance in the file is also a
/// violation.
std::vector<forwarding_violation> check_file(const sccl_algorithm& file);

}  // namespace weft::schedule
