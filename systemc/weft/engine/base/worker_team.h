// SPDX-License-Identifier: Apache-2.0
/// Threads that process numbered pieces of work together with the thread that calls them, round after round.
///
/// In each round, every worker begins with its own share of the pieces, so that their data stay in its cache. A worker
/// that has finished its share takes pieces from the ends of the other shares. A worker that does not run, because the
/// machine is busy, therefore delays a round only while it holds a piece.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace weft::engine {

class worker_team {
 public:
  /// Processes a piece in a worker. Worker 0 is the thread that calls start() and finish().
  using task = std::function<void(unsigned worker, std::size_t piece)>;

  /// Starts \p workers - 1 threads, or as many of them as the system allows. \p work is called at the same time in
  /// different workers, for different pieces.
  worker_team(unsigned workers, std::size_t pieces, task work);
  ~worker_team();
  worker_team(const worker_team&) = delete;
  worker_team& operator=(const worker_team&) = delete;

  /// Begins a round in the first \p most workers, at least one, without the caller. finish() must follow.
  void start(unsigned most);

  /// Processes the rest of the pieces as worker 0, and waits until the round has ended.
  /// \throws the first exception of the round, after its end
  void finish();

 private:
  class alignas(64) worker {
   public:
    /// Waits until \p holds() is true. Whoever makes it true, with std::memory_order_seq_cst, must call wake().
    template <typename Condition>
    void wait(Condition holds);
    void wake();

    std::atomic<std::uint64_t> share{
        0};  ///< pieces that nobody has taken: the first one, and the end in the upper half
    std::thread thread;

   private:
    /// A worker expects the next round to come soon. Then it lets other threads run: on a busy machine, it waits for
    /// its turn and does not disturb the caller, which does the work alone. Sleeping workers would be woken in every
    /// round, and displace the caller.
    static constexpr unsigned Spins = 1'000, Yields = 200;

    std::atomic<bool> m_sleeps{false};
    std::mutex m_mutex;
    std::condition_variable m_awake;
  };

  void run(unsigned number);
  void process_pieces(unsigned number);
  void process(unsigned number, std::size_t piece);
  void stop();

  const std::size_t m_pieces;
  const task m_work;
  std::vector<std::unique_ptr<worker>> m_workers;
  unsigned m_started = 1;  ///< number of workers that exist, with the caller
  alignas(64) std::atomic<std::uint64_t> m_round{0};
  std::atomic<unsigned> m_active{0};
  std::atomic<bool> m_stopping{false};
  alignas(64) std::atomic<std::size_t> m_left{0};  ///< pieces of the round that are not processed yet
  std::mutex m_failing;
  std::exception_ptr m_failure;
};

}  // namespace weft::engine
