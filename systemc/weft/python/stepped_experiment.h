// SPDX-License-Identifier: Apache-2.0
/// An experiment in the engine that a program advances cycle by cycle.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/python/hand_source.h"
#include "weft/python/parts.h"
#include "weft/python/recorder.h"
#include "weft/simulation/run.h"

namespace weft::python {

class stepped_experiment {
 public:
  /// \throws configuration_error
  explicit stepped_experiment(shared_configuration c);

  /// Simulates \p cycles cycles, or fewer if \p hooks stop the run.
  /// \throws std::runtime_error if a flit was lost, changed or misrouted
  void step(cycle_t cycles, const experiment::run_hooks& hooks);

  /// Creates a packet in cycle \p p.created, which is after now(). \return its id
  /// \throws input_error for values out of range
  packet_id inject(const packet& p);

  cycle_t now() { return m_experiment.model().now(); }
  network_model& model() { return m_experiment.model(); }
  const topology& graph() const { return m_experiment.graph(); }
  const experiment::measurement& measured() const { return m_experiment.measured(); }
  recorder& events() { return m_recorder; }

  /// Flits in the buffers of each router.
  std::vector<std::uint64_t> buffered();

  /// A result of the time so far.
  struct result_so_far {
    std::string json, csv;  ///< as in the files of a run
  };
  /// The outcome is "complete" after the window if all measured packets were delivered, and "interrupted" before.
  result_so_far result();

 private:
  experiment::additions additions_of();
  std::vector<channel_count> counts_of_window();
  network_counts activity_of_window();

  shared_configuration m_configuration;
  recorder m_recorder;
  hand_source* m_by_hand = nullptr;  ///< part of m_experiment; null for a closed loop
  experiment::experiment m_experiment;
  experiment::time_slices m_slices;
  cycle_t m_window_first, m_window_end;
  std::vector<channel_count> m_at_first, m_at_end;  ///< counts of the channels at both ends of the window
  network_counts m_activity_at_first, m_activity_at_end;
};

}  // namespace weft::python
