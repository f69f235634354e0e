// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <functional>

#include "weft/core/network_model.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

bool time_slices::run_to(network_model& model, cycle_t end, const run_hooks& hooks,
                         const std::function<run_progress()>& progress) {
  using clock = std::chrono::steady_clock;
  constexpr auto TooShort = std::chrono::milliseconds(20), TooLong = std::chrono::milliseconds(100);
  while (model.now() < end) {
    if (hooks.stop()) return false;
    const cycle_t slice = std::min(m_slice, end - model.now());
    const auto start = clock::now();
    model.run(slice);
    const auto took = clock::now() - start;
    if (took > TooLong) m_slice = std::max<cycle_t>(1, slice / 2);
    if (took < TooShort && slice == m_slice) m_slice *= 2;
    hooks.progress(progress());
  }
  return true;
}

}  // namespace weft::experiment
