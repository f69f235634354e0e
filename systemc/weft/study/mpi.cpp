// SPDX-License-Identifier: Apache-2.0
#include "weft/study/mpi.h"

#include <cstdlib>
#include <utility>
#include <vector>

#include "weft/core/diagnostic.h"

#ifdef WEFT_OPEN_MPI
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <unistd.h>
#endif

namespace weft::experiment {

int processes_of_mpirun() {
  const char* const text = std::getenv("OMPI_COMM_WORLD_SIZE");
  return text ? parse_number<int>(text).value_or(0) : 0;
}

#ifdef WEFT_OPEN_MPI

namespace {

// Kinds of messages. Process 0 sends Work, with a piece of work, or End. The others send Ready when they start, and
// Result after each piece: four bytes of status, then the text.
enum message : int { Work, End, Ready, Result };

constexpr int PollIntervalMicroseconds = 2000;

struct mail {
  int from = 0;
  int tag = 0;
  std::string text;
};

/// The next message, if one has arrived.
std::optional<mail> poll() {
  MPI_Status status;
  int there = 0, bytes = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
  if (!there) return std::nullopt;
  MPI_Get_count(&status, MPI_BYTE, &bytes);
  mail m{status.MPI_SOURCE, status.MPI_TAG, std::string(static_cast<std::size_t>(bytes), '\0')};
  MPI_Recv(m.text.data(), bytes, MPI_BYTE, m.from, m.tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return m;
}

void send(int to, message tag, const std::string& text) {
  MPI_Send(text.data(), static_cast<int>(text.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

class other_processes final : public remote_workers {
 public:
  other_processes(int size, std::function<std::string(std::size_t)> text)
      : m_text(std::move(text)), m_given(static_cast<std::size_t>(size)) {}
  other_processes(const other_processes&) = delete;
  other_processes& operator=(const other_processes&) = delete;
  ~other_processes() override {
    end_all();
    while (busy()) take_in([](std::size_t, const work_result&) {});
  }

  void serve(const work_list& list, bool stopping) override {
    if (stopping) end_all();
    take_in(list.done);
    while (!m_idle.empty() && !stopping) {
      const std::optional<std::size_t> number = list.next();
      if (!number) return;
      m_given[static_cast<std::size_t>(m_idle.back())] = number;
      send(m_idle.back(), Work, m_text(*number));
      m_idle.pop_back();
    }
  }

  bool busy() const override {
    for (const auto& given : m_given)
      if (given) return true;
    return false;
  }

  static constexpr std::size_t StatusDigits = 4;

 private:
  void take_in(const std::function<void(std::size_t, const work_result&)>& done) {
    while (const std::optional<mail> m = poll()) {
      m_idle.push_back(m->from);
      if (m->tag != Result) continue;
      const std::size_t number = *std::exchange(m_given[static_cast<std::size_t>(m->from)], std::nullopt);
      done(number, {std::atoi(m->text.c_str()), m->text.substr(StatusDigits)});
    }
  }

  void end_all() {
    if (std::exchange(m_ended, true)) return;
    for (int to = 1; to < static_cast<int>(m_given.size()); ++to) send(to, End, "");
  }

  std::function<std::string(std::size_t)> m_text;
  std::vector<std::optional<std::size_t>> m_given;  ///< number of the piece that each process executes
  std::vector<int> m_idle;
  bool m_ended = false;
};

}  // namespace

mpi_session::mpi_session() {
  MPI_Init(nullptr, nullptr);
  MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &m_size);
  m_finalize.reset(&m_size, [](void*) { MPI_Finalize(); });
}

std::unique_ptr<remote_workers> all_other_processes(const mpi_session& session,
                                                    std::function<std::string(std::size_t)> text) {
  return std::make_unique<other_processes>(session.size(), std::move(text));
}

void work_for_process_0(const std::function<work_result(const std::string& text)>& work) {
  std::optional<mail> arrived;
  const auto ended = [&] {
    if (!arrived) arrived = poll();
    return arrived && arrived->tag == End;
  };
  std::string piece;
  work_list list;
  list.next = [&]() -> std::optional<std::size_t> {
    while (!ended() && !arrived) usleep(PollIntervalMicroseconds);
    if (arrived->tag == End) return std::nullopt;
    piece = std::exchange(arrived, std::nullopt)->text;
    return 0;
  };
  list.work = [&](std::size_t) { return work(piece); };
  list.done = [](std::size_t, const work_result& r) {
    std::string status = std::to_string(r.status);
    status.resize(other_processes::StatusDigits, ' ');
    send(0, Result, status + r.text);
  };
  list.stop = ended;  // process 0 handles signals
  send(0, Ready, "");
  run_all(1, list);
}

#else

mpi_session::mpi_session() {
  throw input_error({diagnostic{
      "mpirun",
      "this weft was built without MPI; install the Debian packages libopenmpi-dev and openmpi-bin, and rebuild it"}});
}

std::unique_ptr<remote_workers> all_other_processes(const mpi_session&, std::function<std::string(std::size_t)>) {
  return nullptr;
}
void work_for_process_0(const std::function<work_result(const std::string&)>&) {}

#endif

}  // namespace weft::experiment
