// SPDX-License-Identifier: Apache-2.0
/// In how few rounds? The methods of this folder, one after the other, and what they prove.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/forwarding/forwarding_bounds.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

struct forwarding_question {
  std::optional<std::size_t> steps{};   ///< S, at most; else steps of one round each
  std::optional<std::size_t> rounds{};  ///< R, at most; else the least is looked for
  /// How long CaDiCaL may look at a time, in conflicts; with more, more questions are answered. 0: it is not asked.
  std::size_t conflicts = 100'000;
};

/// What was tried, and what came of it.
struct forwarding_trial {
  std::string by;       ///< the method
  std::string outcome;  ///< "9 rounds in 9 steps", the best of it; "refuted"; "no answer in 100000 conflicts"
};

struct forwarding_result {
  enum class status : std::uint8_t {
    Found,
    Infeasible,  ///< proved: there is no such algorithm
    Unanswered,  ///< nothing was found, and nothing proved, within the limits
  };
  status answer = status::Unanswered;
  forwarding_algorithm found{};  ///< if Found; passes check_forwarding()
  std::string method{};          ///< how it was found
  forwarding_bound bound{};  ///< no algorithm, of the steps asked for, has fewer rounds, and why; if Infeasible, why
  /// Not empty: none of the algorithms "that add up each sum at one node, then spread it" has fewer rounds, though
  /// others may.
  std::string optimal_among{};
  bool refuted = false;  ///< CaDiCaL proved the bound; search_control::proof has the proof
  std::vector<forwarding_trial> tried{};

  /// The rounds are proved to be the least.
  bool optimal() const { return answer == status::Found && found.rounds() <= bound.rounds; }
};

/// Bounds first. Then, for the least rounds from the bound on: routes or greedy matching, spanning trees, CaDiCaL
/// under symmetry, with shortest ways, in coarse steps that are cut up afterwards, and without any restriction, which
/// alone also proves, to search_control::proof. Sums are spread on the reversed graph and inverted; those that all
/// nodes are to have are first added up at one node each and then spread, which is not proved to be best; steps and
/// rounds are divided between the two as is best. Sums and other chunks in one problem \throws std::invalid_argument
forwarding_result solve_forwarding(const forwarding_problem& p, const forwarding_question& q = {},
                                   const search_control& control = {});

/// The best bound of the rounds, whatever the steps, the flow of all chunks and send_bound() included; of sums also of
/// what must spread on the reversed graph, and of what an owner that holds a part must spread to all receivers. When
/// \p control is over, of the bounds found by then.
forwarding_bound least_rounds(const forwarding_problem& p, const search_control& control = {});

/// A point of the frontier of steps and rounds per chunk (SCCL: synthesis of Pareto-optimal algorithms).
struct frontier_point {
  unsigned chunks = 1;  ///< C
  std::size_t steps = 1;
  forwarding_result result;
};

/// Numbers of chunks and steps for which it is not known whether there is a better algorithm.
struct frontier_gap {
  unsigned first_chunks = 1, last_chunks = 1;
  std::size_t first_steps = 1, last_steps = 1;
};

struct forwarding_front {
  std::vector<frontier_point> points{};    ///< by ascending steps
  std::vector<frontier_gap> unanswered{};  ///< those without an algorithm here
  bool out_of_time = false;                ///< the search ended early
};

/// For each number of steps from the least on, up to \p most_steps: the fewest rounds per chunk with at most
/// \p most_chunks; those that are better than with fewer steps. Of an allreduce even numbers of steps.
/// \p conflicts: as of forwarding_question.
forwarding_front forwarding_frontier(const link_graph& graph, forwarding_collective what, node_id root,
                                     unsigned most_chunks, std::size_t most_steps,
                                     std::size_t conflicts = forwarding_question{}.conflicts,
                                     const search_control& control = {});

}  // namespace weft::schedule
