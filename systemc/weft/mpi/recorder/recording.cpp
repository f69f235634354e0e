// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/recorder/recording.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "weft/core/lsb_cut.h"
#include "weft/mpi/recorder/memory.h"

namespace weft::recorder {

namespace {

std::uint64_t read_clock(clockid_t clock) {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

/// Creates the folder and its parents. An empty folder may exist already. \return errno; 0 if the folder exists and is
/// empty
int make_folder(const std::string& folder) {
  for (std::size_t end = folder.find('/', 1); end != std::string::npos; end = folder.find('/', end + 1))
    mkdir(folder.substr(0, end).c_str(), 0777);  // a failure is detected below
  if (mkdir(folder.c_str(), 0777) == 0) return 0;
  if (errno != EEXIST) return errno;
  DIR* const open = opendir(folder.c_str());
  if (open == nullptr) return errno;
  int entries = 0;
  while (readdir(open) != nullptr) ++entries;
  closedir(open);
  return entries > 2 ? EEXIST : 0;  // "." and ".." always exist
}

std::string name_of_program() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string text(path, length > 0 ? static_cast<std::size_t>(length) : 0);
  return text.substr(text.rfind('/') + 1);
}

bool threads_may_call_at_once() {
  int provided = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&provided);
  return provided == MPI_THREAD_MULTIPLE;
}

void truncate_doubles(char* bytes, std::uint64_t count, unsigned bits) {
  for (std::uint64_t i = 0; i < count; ++i, bytes += sizeof(std::uint64_t)) {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes, sizeof value);
    value = after_cut(value, bits, true);
    std::memcpy(bytes, &value, sizeof value);
  }
}

}  // namespace

recording& the_recording() {
  static recording* const r = new recording;
  return *r;
}

call_times::call_times() : m_began(the_recording().now()), m_ended(m_began) {}
void call_times::returned() { m_ended = the_recording().now(); }

std::uint64_t recording::now() const {
  return read_clock(m_settings.clock == trace_clock::Wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID);
}

void recording::start() {
  MPI_Comm spawned_by = MPI_COMM_NULL;
  PMPI_Comm_get_parent(&spawned_by);
  int rank = 0, ranks = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (spawned_by != MPI_COMM_NULL) {  // the folder belongs to the spawning program
    if (rank == 0)
      std::fprintf(stderr, "libweft_mpi: %s: a spawned program is neither recorded nor truncated\n",
                   name_of_program().c_str());
    return;
  }
  m_settings = settings_of_environment();
  trace_header h;
  m_rank = rank;
  // Rank 0 chooses the number of the run and checks the folder.
  std::uint64_t first[2] = {read_clock(CLOCK_REALTIME) ^ static_cast<std::uint64_t>(getpid()) << 40, 0};
  std::string fault = m_settings.fault;
  if (rank == 0 && fault.empty()) first[1] = static_cast<std::uint64_t>(make_folder(m_settings.folder));
  PMPI_Bcast(first, 2, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  if (fault.empty() && first[1] != 0)
    fault = "WEFT_MPI_TRACE: " + m_settings.folder + ": " +
            (first[1] == EEXIST ? "exists and is not empty; remove it, or name another folder"
                                : std::strerror(static_cast<int>(first[1])));
  if (fault.empty()) {
    make_folder(m_settings.folder);  // for machines other than the one of rank 0
    h.run = first[0];
    h.rank = static_cast<std::uint32_t>(rank);
    h.ranks = static_cast<std::uint32_t>(ranks);
    h.started = static_cast<std::int64_t>(read_clock(CLOCK_REALTIME));
    h.payload = m_settings.payload;
    h.sample = m_settings.sample;
    h.cut = m_settings.cut;
    for (const truncation_rule& rule : m_settings.truncation_rules)
      h.cut_bits = std::max(h.cut_bits, static_cast<std::uint8_t>(rule.bits.value_or(0)));
    h.truncation_rules = text_of(m_settings.truncation_rules);
    h.clock = m_settings.clock;
    h.program = name_of_program();
    char name[32];
    std::snprintf(name, sizeof name, "/rank.%05d", rank);
    try {
      m_writer = std::make_unique<trace_writer>(m_settings.folder + name, h);
    } catch (const std::system_error& e) {
      fault = std::string("WEFT_MPI_TRACE: ") + e.what();
    }
  }
  if (!fault.empty()) {
    if (rank == 0 || first[1] == 0) std::fprintf(stderr, "libweft_mpi: rank %d: %s\n", rank, fault.c_str());
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  group(MPI_COMM_WORLD);
  group(MPI_COMM_SELF);
  m_concurrent = threads_may_call_at_once();
  m_last = now();
  m_process = getpid();
  m_on = true;
  std::atexit([] { the_recording().stop(false); });
  write_now_and_then();
}

/// Starts the thread that writes the records periodically. The thread blocks all signals, because they are meant for
/// the program.
void recording::write_now_and_then() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread([this] {
      for (;;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
        const guard g(lock);
        if (!on()) return;
        m_writer->flush();
      }
    }).detach();
  } catch (const std::system_error& e) {
    std::fprintf(stderr,
                 "libweft_mpi: rank %d: if the program hangs, the trace may lack its last calls, because no thread "
                 "could start: %s\n",
                 m_rank, e.what());
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void recording::stop(bool complete) {
  if (!on() || getpid() != m_process) return;  // a forked child has the block, but does not own the file
  std::unique_lock<std::mutex> g(lock, std::defer_lock);
  for (int tries = 0; !g.try_lock(); ++tries) {
    if (tries == 100) return;  // a signal handler ended the program in the middle of a call
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (!on()) return;
  m_on = false;
  if (complete) m_writer->finish();
  m_writer->close();  // drops records of threads that are still in MPI
  if (m_writer->error() != 0)
    std::fprintf(stderr, "libweft_mpi: rank %d: the trace in %s is not complete: %s\n", m_rank,
                 m_settings.folder.c_str(), std::strerror(m_writer->error()));
}

bool recording::fill_in(trace_call& c, MPI_Comm comm, MPI_Datatype t, const call_times& times) {
  const group_of& g = group(comm);
  if (!g.covered) {
    record_other_processes(c.function, times);
    return false;
  }
  c.communicator = g.communicator.id;
  c.element = type(t).element;
  put_times(c, times);
  return true;
}

void recording::record_completion(trace_call end, const call_times& times) {
  put_times(end, times);
  m_writer->add(end);
}

/// The time before a call begins counts as computing. The time before it ends counts as time in MPI, whatever other
/// threads do in the meantime.
void recording::pass(const call_times& times) {
  note_thread();
  const std::uint64_t began = std::max(times.began(), m_last), ended = std::max(times.ended(), began);
  m_computing += began - m_last;
  m_inside += ended - began;
  m_last = ended;
}

void recording::note_thread() {
  static thread_local bool known = false;
  if (std::exchange(known, true)) return;
  if (++m_threads > 1) m_writer->add_threads(m_threads);
}

void recording::put_times(trace_call& c, const call_times& times) {
  pass(times);
  c.computing += std::exchange(m_computing, 0);
  c.inside += std::exchange(m_inside, 0);
}

void recording::record(const trace_call& c, const std::vector<buffer>& sent) {
  if (sent.size() == 1 && type(sent.front().type).contiguous)
    return m_writer->add(c, sent.front().base, static_cast<std::size_t>(bytes(sent.front())));
  const std::string together = packed(sent);
  m_writer->add(c, together.data(), together.size());
}

void recording::record_uncovered(mpi_function f, const call_times& times) {
  trace_call c;
  c.kind = call_kind::Uncovered;
  c.function = f;
  put_times(c, times);
  m_writer->add(c);
}

void recording::record_other_processes(mpi_function f, const call_times& times) {
  record_uncovered(mpi_function::OtherProcesses, times);
  warn_not_truncated(f, m_warned_others, "between this program and processes that were spawned or joined",
                     "such calls");
}

bool recording::keeps_payload() {
  const std::uint64_t number = m_messages++;
  return m_settings.payload == trace_payload::Whole ||
         (m_settings.payload == trace_payload::Sampled && number % m_settings.sample == 0);
}

std::pair<char*, char*> recording::reach(const buffer& b) {
  const type_of& t = type(b.type);
  char* const first = static_cast<char*>(b.base) + t.first;
  return {first, b.count == 0 ? first : first + static_cast<MPI_Aint>(b.count - 1) * t.extent + t.span};
}

std::string recording::packed(const std::vector<buffer>& parts) {
  std::uint64_t together = 0;
  for (const buffer& b : parts) together += bytes(b);
  std::string all;
  all.reserve(static_cast<std::size_t>(together));
  for (const buffer& b : parts) {
    const auto size = static_cast<std::size_t>(bytes(b));
    if (size == 0) continue;
    if (type(b.type).contiguous) {
      all.append(static_cast<const char*>(b.base), size);
      continue;
    }
    const std::size_t at = all.size();
    all.resize(at + size);
    for (std::uint64_t i = 0; i < b.count; ++i) {  // one at a time, because positions are ints
      int position = 0;
      const std::size_t one = type(b.type).size;
      PMPI_Pack(static_cast<char*>(b.base) + static_cast<MPI_Aint>(i) * type(b.type).extent, 1, b.type,
                &all[at + i * one], static_cast<int>(one), &position, MPI_COMM_SELF);
    }
  }
  return all;
}

void recording::warn_unwritable(mpi_function f) {
  if (std::exchange(m_warned_unwritable, true)) return;
  std::fprintf(
      stderr,
      "libweft_mpi: rank %d: %s sends from memory that cannot be written, so WEFT_MPI_CUT does not truncate the data, "
      "here and in other calls; send a copy of the data, or truncate at the receiver, WEFT_MPI_CUT_AT=receiver\n",
      m_rank, name_of(f));
}

void recording::warn_not_truncated(mpi_function f, bool& warned, const char* between, const char* others) const {
  if (!truncates_any() || f == mpi_function::Barrier || std::exchange(warned, true)) return;
  std::fprintf(
      stderr,
      "libweft_mpi: rank %d: WEFT_MPI_CUT does not truncate the data that %s carries %s, here and in other %s\n",
      m_rank, name_of(f), between, others);
}

bool recording::can_write(const buffer& b) {
  const auto [first, end] = reach(b);
  if (is_writable(first, static_cast<std::size_t>(end - first))) return true;
  const std::vector<type_block> blocks = blocks_of(b.type);  // there may be gaps between them
  const char* one = static_cast<char*>(b.base);
  for (std::uint64_t i = 0; i < b.count; ++i, one += type(b.type).extent)
    for (const type_block& part : blocks)
      if (!is_writable(one + part.first, static_cast<std::size_t>(part.span))) return false;
  return true;
}

void recording::truncate_first(std::uint64_t length, const buffer& b, mpi_function f, std::int64_t tag,
                               std::uint64_t bytes) {
  if (length == 0) return;
  const type_of& t = type(b.type);
  const truncation_rule* const rule = rule_for(m_settings.truncation_rules, {t.kind, tag, f, bytes});
  if (rule == nullptr || !rule->bits) return;
  if (!can_write(b)) return warn_unwritable(f);
  if (t.contiguous) return truncate_doubles(static_cast<char*>(b.base), length / 8, *rule->bits);
  std::string one(t.size, '\0');
  char* at = static_cast<char*>(b.base);
  for (std::uint64_t left = length; left > 0; at += t.extent) {
    const std::uint64_t here = std::min(left, t.size);
    int position = 0;
    PMPI_Pack(at, 1, b.type, one.data(), static_cast<int>(one.size()), &position, MPI_COMM_SELF);
    truncate_doubles(one.data(), here / 8, *rule->bits);
    position = 0;
    PMPI_Unpack(one.data(), static_cast<int>(one.size()), &position, at, 1, b.type, MPI_COMM_SELF);
    left -= here;
  }
}

}  // namespace weft::recorder
