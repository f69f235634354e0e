// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/base/worker_team.h"

#include <algorithm>
#include <csignal>
#include <optional>
#include <system_error>
#include <utility>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

namespace weft::engine {

namespace {

/// Reduces what a waiting loop takes from the other thread of a core.
void pause() {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#endif
}

std::uint64_t share_of(std::size_t first, std::size_t end) { return std::uint64_t{end} << 32 | first; }
std::uint32_t first_of(std::uint64_t share) { return static_cast<std::uint32_t>(share); }
std::uint32_t end_of(std::uint64_t share) { return static_cast<std::uint32_t>(share >> 32); }

/// Takes the first or the last piece of \p share. What the round's start() wrote before is then visible.
template <bool Last>
std::optional<std::size_t> take(std::atomic<std::uint64_t>& share) {
  std::uint64_t now = share.load(std::memory_order_relaxed);
  while (first_of(now) < end_of(now)) {
    const std::uint64_t rest =
        Last ? share_of(first_of(now), end_of(now) - 1) : share_of(first_of(now) + std::size_t{1}, end_of(now));
    if (share.compare_exchange_weak(now, rest, std::memory_order_acquire, std::memory_order_relaxed))
      return Last ? end_of(rest) : first_of(now);
  }
  return std::nullopt;
}

/// Blocks all signals in this thread, and in threads that it starts in the meantime: signals are for the caller.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &m_before);
  }
  ~signals_blocked() { pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t m_before;
};

}  // namespace

template <typename Condition>
void worker_team::worker::wait(Condition holds) {
  for (unsigned i = 0; i < Spins + Yields; ++i) {
    if (holds()) return;
    if (i < Spins)
      pause();
    else
      std::this_thread::yield();
  }
  std::unique_lock lock(m_mutex);
  m_sleeps.store(true, std::memory_order_seq_cst);
  m_awake.wait(lock, holds);
  m_sleeps.store(false, std::memory_order_relaxed);
}

void worker_team::worker::wake() {
  if (!m_sleeps.load(std::memory_order_seq_cst)) return;
  { const std::lock_guard lock(m_mutex); }
  m_awake.notify_one();
}

worker_team::worker_team(unsigned workers, std::size_t pieces, task work) : m_pieces(pieces), m_work(std::move(work)) {
  const signals_blocked while_starting;
  for (unsigned i = 0; i < workers; ++i) m_workers.push_back(std::make_unique<worker>());
  for (unsigned i = 1; i < workers; ++i) {
    try {
      m_workers[i]->thread = std::thread([this, i] { run(i); });
    } catch (const std::system_error&) {
      m_started = i;
      return;
    }
  }
  m_started = workers;
}

worker_team::~worker_team() { stop(); }

void worker_team::stop() {
  m_stopping = true;
  for (const auto& w : m_workers) {
    if (!w->thread.joinable()) continue;
    w->wake();
    w->thread.join();
  }
}

void worker_team::start(unsigned most) {
  const unsigned active = std::min(most, m_started);
  m_left.store(m_pieces, std::memory_order_relaxed);
  m_active.store(active, std::memory_order_relaxed);
  for (unsigned i = 0; i < active; ++i)
    m_workers[i]->share.store(share_of(m_pieces * i / active, m_pieces * (i + 1) / active), std::memory_order_release);
  // Either the worker finds the new round before it sleeps, or it is found sleeping here.
  m_round.fetch_add(1, std::memory_order_seq_cst);
  for (unsigned i = 1; i < active; ++i) m_workers[i]->wake();
}

void worker_team::finish() {
  process_pieces(0);
  m_workers[0]->wait([this] { return m_left.load(std::memory_order_seq_cst) == 0; });
  if (m_failure) std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void worker_team::run(unsigned number) {
  for (std::uint64_t round = 0;;) {
    m_workers[number]->wait([&] {
      const bool is_new = m_round.load(std::memory_order_seq_cst) != round;
      return m_stopping.load() || (is_new && number < m_active.load(std::memory_order_relaxed));
    });
    if (m_stopping) return;
    round = m_round.load(std::memory_order_acquire);
    process_pieces(number);
  }
}

void worker_team::process_pieces(unsigned number) {
  std::size_t done = 0;
  const unsigned active = m_active.load(std::memory_order_relaxed);
  while (const auto piece = take<false>(m_workers[number]->share)) {
    process(number, *piece);
    ++done;
  }
  // The caller has other work first, so most pieces are left in its share.
  for (unsigned i = 0; i < active; ++i) {
    while (const auto piece = take<true>(m_workers[i]->share)) {
      process(number, *piece);
      ++done;
    }
  }
  if (done != 0 && m_left.fetch_sub(done, std::memory_order_seq_cst) == done && number != 0) m_workers[0]->wake();
}

void worker_team::process(unsigned number, std::size_t piece) {
  try {
    m_work(number, piece);
  } catch (...) {
    const std::lock_guard lock(m_failing);
    if (!m_failure) m_failure = std::current_exception();
  }
}

}  // namespace weft::engine
