// SPDX-License-Identifier: Apache-2.0
/// Finds the minimum number of rounds: runs the methods of this folder one after the other and collects what they
/// prove.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

struct forwarding_question {
  std::optional<std::size_t> steps{};   ///< maximum S; if empty, steps have one round each
  std::optional<std::size_t> rounds{};  ///< maximum R; if empty, the minimum is searched
  /// Conflicts that CaDiCaL may use at a time; with more, more questions are answered. 0: CaDiCaL is not used.
  std::size_t conflicts = 100'000;
};

/// A method that was tried, and its outcome.
struct forwarding_trial {
  std::string by;       ///< the method
  std::string outcome;  ///< the best result "9 rounds in 9 steps", "refuted", or "no answer in 100000 conflicts"
};

struct forwarding_result {
  enum class status : std::uint8_t {
    Found,
    Infeasible,  ///< proved: there is no such algorithm
    Unanswered,  ///< nothing found and nothing proved within the limits
  };
  status answer = status::Unanswered;
  forwarding_algorithm found{};  ///< valid if Found; passes check_forwarding()
  std::string method{};          ///< the method that found it
  forwarding_bound bound{};      ///< lower bound of the rounds for the steps given, with its reason; or why Infeasible
  /// If not empty: no algorithm of the class "that add up each sum at one node, then spread it" has fewer rounds,
  /// although others may.
  std::string optimal_among{};
  bool refuted = false;  ///< CaDiCaL proved the bound; search_control::proof holds the proof
  std::vector<forwarding_trial> tried{};

  /// Whether the number of rounds is proved to be minimal.
  bool optimal() const { return answer == status::Found && found.rounds() <= bound.rounds; }
};

/// Computes bounds first. Then, from the bound on, searches for the minimum number of rounds: routes or greedy
/// matching, spanning trees, and CaDiCaL under symmetry, with shortest paths, in coarse steps that are split
/// afterwards, and without restriction. Only the latter also proves bounds, into search_control::proof. Sums are solved
/// as distribution on the reversed graph and inverted; sums for all nodes are first added up at one node each and then
/// distributed, which is not proved to be optimal. The search also selects how to divide the steps and rounds between
/// these two phases. \throws std::invalid_argument for sums and other chunks in one problem
forwarding_result solve_forwarding(const forwarding_problem& p, const forwarding_question& q = {},
                                   const search_control& control = {});

/// The strongest bound of the rounds for any number of steps, including the flow of all chunks and send_bound(). For
/// sums, also includes the distribution on the reversed graph, and what an owner that holds a summand must distribute
/// to all receivers. If \p control is over, the bounds found by then.
forwarding_bound least_rounds(const forwarding_problem& p, const search_control& control = {});

/// A point of the frontier of steps and rounds per chunk (SCCL: synthesis of Pareto-optimal algorithms).
struct frontier_point {
  unsigned chunks = 1;  ///< C
  std::size_t steps = 1;
  forwarding_result result;
};

/// Numbers of chunks and steps for which it is unknown whether a better algorithm exists.
struct frontier_gap {
  unsigned first_chunks = 1, last_chunks = 1;
  std::size_t first_steps = 1, last_steps = 1;
};

struct forwarding_front {
  std::vector<frontier_point> points{};    ///< by ascending steps
  std::vector<frontier_gap> unanswered{};  ///< combinations without an algorithm
  bool out_of_time = false;                ///< the search ended early
};

/// For each number of steps from the minimum to \p most_steps: the fewest rounds per chunk with at most \p most_chunks
/// chunks, if they are fewer than with fewer steps. For an allreduce, even numbers of steps only.
/// \param conflicts as in forwarding_question
forwarding_front forwarding_frontier(const link_graph& graph, forwarding_collective what, node_id root,
                                     unsigned most_chunks, std::size_t most_steps,
                                     std::size_t conflicts = forwarding_question{}.conflicts,
                                     const search_control& control = {});

}  // namespace weft::schedule
