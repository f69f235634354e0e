// SPDX-License-Identifier: Apache-2.0
/// Runs attempts in parallel and returns the result of the first one that succeeds, in the order of the attempts.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

/// Returns the result of the first of \p count attempts that succeeds. The result is the same as if the attempts ran
/// one after the other; \p control determines the number of threads.
/// \param attempt receives the number of the attempt and the control to observe, and returns an optional; it may throw
/// time_is_over and nothing else
template <class Attempt>
auto first_success(std::size_t count, const search_control& control, Attempt&& attempt) {
  using result = decltype(attempt(std::size_t{0}, control));
  std::vector<result> found(count);
  std::atomic<std::size_t> next{0}, first{count};
  const auto work = [&] {
    for (std::size_t i = next++; i < first && !control.over(); i = next++) {
      search_control of_try = control;
      of_try.stop = [&first, &control, i] { return first < i || control.over(); };
      found[i] = unless_over([&] { return attempt(i, of_try); });
      for (std::size_t before = first; found[i] && i < before && !first.compare_exchange_weak(before, i);) {
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(control.jobs, count); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return first < count ? std::move(found[first]) : result{};
}

}  // namespace weft::schedule
