// SPDX-License-Identifier: Apache-2.0
/// Finds store-and-forward algorithms with the minimum number of rounds. It runs the methods of this folder one after
/// the other and combines their results and bounds.
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
  std::optional<std::size_t> steps{};   ///< maximum number of steps S; if empty, each step has one round
  std::optional<std::size_t> rounds{};  ///< maximum number of rounds R; if empty, the minimum is searched
  /// Conflicts after which CaDiCaL gives up on a question. With a higher limit, it answers more questions. 0: CaDiCaL
  /// is not used.
  std::size_t conflicts = 100'000;
};

/// A method that was run, and its outcome.
struct forwarding_trial {
  std::string by;       ///< name of the method
  std::string outcome;  ///< "9 rounds in 9 steps", "refuted", or "no answer in 100000 conflicts"
};

struct forwarding_result {
  enum class status : std::uint8_t {
    Found,
    Infeasible,  ///< it is proved that there is no such algorithm
    Unanswered,  ///< nothing was found and nothing was proved within the limits
  };
  status answer = status::Unanswered;
  forwarding_algorithm found{};  ///< valid if the answer is Found; passes check_forwarding()
  std::string method{};          ///< name of the method that found the algorithm
  forwarding_bound bound{};      ///< lower bound of the rounds for the given steps; if Infeasible, the reason
  /// Names a class of algorithms, such as "that add up each sum at one node, then spread it", in which no algorithm has
  /// fewer rounds. Algorithms outside of the class may have fewer. Empty if there is no such proof.
  std::string optimal_among{};
  bool refuted = false;  ///< CaDiCaL proved the bound; search_control::proof holds the proof
  std::vector<forwarding_trial> tried{};

  /// Whether no algorithm with fewer rounds exists.
  bool optimal() const { return answer == status::Found && found.rounds() <= bound.rounds; }
};

/// Searches for the minimum number of rounds, beginning at the lower bound. The methods are routes or greedy matching,
/// spanning trees, and CaDiCaL. CaDiCaL first runs on restricted forms of the problem: with symmetry, with shortest
/// paths, and in coarse steps that are split afterwards. Finally it runs without restrictions; only this run also
/// proves bounds, whose proof search_control::proof receives.
/// A sum for one receiver is solved as a distribution on the reversed graph, and the result is reversed in time. A sum
/// for all nodes is first added up at one node and then distributed; the result is not proved to be optimal. The search
/// also selects how to divide the steps and rounds between these two phases.
/// \throws std::invalid_argument if some chunks are sums and others are not
forwarding_result solve_forwarding(const forwarding_problem& p, const forwarding_question& q = {},
                                   const search_control& control = {});

/// Returns the strongest lower bound of the rounds for any number of steps. It includes the flow of all chunks and
/// send_bound(). For sums, it also includes the distribution on the reversed graph and, if the node that adds up a sum
/// holds a summand, the distribution to all receivers. If \p control is over, only the bounds found by then count.
forwarding_bound least_rounds(const forwarding_problem& p, const search_control& control = {});

/// A point of the Pareto frontier of steps and rounds per chunk, the result that SCCL synthesizes.
struct frontier_point {
  unsigned chunks = 1;  ///< number of chunks C
  std::size_t steps = 1;
  forwarding_result result;
};

/// Ranges of chunks and steps for which it is unknown whether a better algorithm exists.
struct frontier_gap {
  unsigned first_chunks = 1, last_chunks = 1;
  std::size_t first_steps = 1, last_steps = 1;
};

struct forwarding_front {
  std::vector<frontier_point> points{};    ///< by ascending steps
  std::vector<frontier_gap> unanswered{};  ///< combinations of chunks and steps for which no algorithm was found
  bool out_of_time = false;                ///< whether the search ended early
};

/// Finds the fewest rounds per chunk for each number of steps from the minimum to \p most_steps, with at most \p
/// most_chunks chunks. A number of steps is listed only if it has fewer rounds per chunk than all smaller numbers of
/// steps. For an allreduce, only even numbers of steps are examined.
/// \param conflicts as in forwarding_question
forwarding_front forwarding_frontier(const link_graph& graph, forwarding_collective what, node_id root,
                                     unsigned most_chunks, std::size_t most_steps,
                                     std::size_t conflicts = forwarding_question{}.conflicts,
                                     const search_control& control = {});

}  // namespace weft::schedule
