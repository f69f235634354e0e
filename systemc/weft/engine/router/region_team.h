// SPDX-License-Identifier: Apache-2.0
/// Simulates all regions of a network for a window of cycles, in one or several threads, with the same result.
///
/// In a window, no region depends on another one, or on what nodes do in these cycles, except for credits from ejection
/// buffers. So threads may simulate regions in any order, and the nodes at the same time. They share no data that
/// change, except: a head is written to the FIFO of another region, which does not read this slot yet; packet records,
/// which the nodes do not change while a head of the packet is in a router.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/worker_team.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/region_worker.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class region_team {
 public:
  using region_t = region<RouterVcs, Shift>;
  using worker = region_worker<RouterVcs, Shift>;

  /// \param first the worker of the calling thread
  region_team(worker& first, large_array<region_t>& regions) : m_regions(regions) { m_workers.push_back(&first); }

  /// See driven_model. \p make makes a worker (std::unique_ptr). To be called between two windows.
  template <typename Make>
  void set_threads(unsigned count, std::uint64_t flits_each, Make make) {
    m_flits_each = std::max<std::uint64_t>(1, flits_each);
    m_threads.reset();
    count = static_cast<unsigned>(std::min<std::size_t>(count, m_regions.size()));
    while (m_workers.size() < count) add(make());  // flits may be on the channels of a worker, so workers stay
    if (count < 2) return;
    m_piece = std::max<std::size_t>(1, m_regions.size() / (PiecesEach * count));
    m_threads.emplace(count, (m_regions.size() + m_piece - 1) / m_piece, [this](unsigned thread, std::size_t piece) {
      const std::size_t first = piece * m_piece;
      simulate<false>(*m_workers[thread], first, std::min(first + m_piece, m_regions.size()));
    });
  }

  /// Begins to simulate the cycles from \p now to \p end in other threads, if there is enough work for them.
  /// \param flits number of flits in the network
  void start(cycle_t now, cycle_t end, std::uint64_t flits) {
    const std::uint64_t threads = m_threads ? 1 + flits / m_flits_each : 1;
    if (threads < 2) return;
    m_now = now;
    m_end = end;
    m_state = state::Running;
    m_threads->start(static_cast<unsigned>(std::min<std::uint64_t>(threads, m_workers.size())));
  }

  /// Completes what start() has begun.
  void complete() {
    if (m_state != state::Running) return;
    m_state = state::Done;
    m_threads->finish();
  }
  /// Does the same if advance() will not follow, because of an exception.
  void abandon() {
    try {
      complete();
    } catch (...) {
    }
    m_state = state::Waiting;
  }

  /// Simulates the cycles from \p now to \p end. If start() was called for them, does the rest.
  /// \tparam Records as in region_worker; if it is set, start() must not be called
  template <bool Records>
  void advance(cycle_t now, cycle_t end) {
    const state before = std::exchange(m_state, state::Waiting);
    if (before == state::Running) m_threads->finish();
    if (before != state::Waiting) return;
    m_now = now;
    m_end = end;
    simulate<Records>(*m_workers.front(), 0, m_regions.size());
  }

  /// Whether all regions use sparse_switch.
  bool all_sparse() const {
    std::size_t dense = 0;
    for (const worker* w : m_workers) dense += w->switches().dense_regions();
    return dense == 0;
  }

 private:
  static constexpr std::size_t CachedRegions = 100;  ///< with more regions, it is worthwhile to prefetch the data of
                                                     ///< the next region
  static constexpr std::size_t PiecesEach = 16;      ///< pieces of work of each thread

  /// Waiting: for start() or advance(). Running: start() has begun a window. Done: this window is simulated.
  enum class state : std::uint8_t { Waiting, Running, Done };

  void add(std::unique_ptr<worker> added) {
    for (worker* const w : m_workers) {
      w->channels().add_other(added->channels());
      added->channels().add_other(w->channels());
    }
    m_workers.push_back(added.get());
    m_others.push_back(std::move(added));
  }

  template <bool Records>
  void simulate(worker& by, std::size_t first, std::size_t end) {
    const bool is_large = m_regions.size() > CachedRegions;
    for (std::size_t i = first; i < end; ++i) {
      if (is_large && i + 1 < end && m_regions[i + 1].is_dense) by.fetch(m_regions[i + 1], m_now);
      for (cycle_t cycle = m_now; cycle < m_end; ++cycle) by.template advance<Records>(m_regions[i], i, cycle);
    }
  }

  large_array<region_t>& m_regions;
  std::vector<worker*> m_workers;                 ///< by thread
  std::vector<std::unique_ptr<worker>> m_others;  ///< those of other threads
  std::size_t m_piece = 1;                        ///< number of regions in a piece of work
  std::uint64_t m_flits_each = 1;
  cycle_t m_now = 0, m_end = 0;  ///< the window
  state m_state = state::Waiting;
  std::optional<worker_team> m_threads;  ///< if there are several threads; destroyed first
};

}  // namespace weft::engine
