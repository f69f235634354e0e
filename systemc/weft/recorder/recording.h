// SPDX-License-Identifier: Apache-2.0
/// The recorder's state in a rank: what has been told, which requests are open, when the last call returned. All of it
/// is used under one lock, which is never held while MPI works. A thread of its own takes the lock now and then and
/// writes what there is, so that a program that hangs leaves all its calls.
///
/// Calls are told when they have ended. Where threads may be in MPI at once, what others wait for is told before MPI
/// works, and a call that blocks has its end told as well: so the records of a rank stand in the order in which things
/// went on, and nothing stands behind what only came about by it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpi.h>
#include <sys/types.h>

#include "weft/recorder/groups.h"
#include "weft/trace/cut_rules.h"
#include "weft/trace/trace_writer.h"

namespace weft::recorder {

/// What the environment asks for; docs/02_user/traces.md has the variables.
struct settings {
  std::string folder;
  trace_payload payload = trace_payload::None;
  std::uint32_t sample = 1;
  trace_cut cut = trace_cut::None;
  std::vector<cut_rule> cuts;  ///< of what they do not fit nothing is cut
  trace_clock clock = trace_clock::Wall;
  std::string fault;  ///< what is wrong, if something is
};
settings settings_of_environment();

/// Some data of a call.
struct buffer {
  void* base = nullptr;
  std::uint64_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};
/// For data that MPI does not change either, but the cut may.
inline buffer buffer_of(const void* base, int count, MPI_Datatype type) {
  return {const_cast<void*>(base), count < 0 ? 0 : static_cast<std::uint64_t>(count), type};
}

/// A request of the program.
struct open_request {
  std::uint32_t number = 0;  ///< in the trace; 0: a persistent one that is not started
  bool receives = false;
  bool told = false;  ///< what it receives, by its matched probe: its end has no completion
  MPI_Comm communicator = MPI_COMM_NULL;
  std::function<void(const MPI_Status&)> arrived;  ///< the cut of what came, if there is one
  std::shared_ptr<trace_call> persistent;          ///< what MPI_Start() begins
  buffer sent;                                     ///< of it
  std::function<void()> made;                      ///< of none in the trace: what it made is there
};

/// The time of a call: from its making to returned(). Until then it has taken none.
class call_times {
 public:
  call_times();
  void returned();
  std::uint64_t began() const { return m_began; }
  std::uint64_t ended() const { return m_ended; }

 private:
  std::uint64_t m_began;
  std::uint64_t m_ended;
};

class recording {
 public:
  using open_requests = std::unordered_map<MPI_Request, open_request>;

  /// After MPI_Init(). Ends the program if the settings are wrong or the files cannot be written.
  void start();
  /// Before MPI_Finalize(), or at the end of the process.
  void stop(bool complete);
  bool on() const { return m_on; }
  /// Threads may call MPI at once: what a call begins is told before MPI works.
  bool concurrent() const { return m_concurrent; }
  std::uint64_t now() const;

  // While a call is being told.
  /// Fills in communicator, element and times of \p c. \return false if its processes are not covered, which is told
  bool begin_telling(trace_call& c, MPI_Comm comm, MPI_Datatype type, const call_times& times);
  void tell(const trace_call& c) { m_writer->add(c); }
  /// The end of a call that began before.
  void tell_end(trace_call end, const call_times& times);
  /// The same with the payload.
  void tell(const trace_call& c, const std::vector<buffer>& sent);
  void tell_uncovered(mpi_function f, const call_times& times);
  /// Of \p f, with processes that the trace does not have; says that it is not cut, if there is a cut.
  void tell_others(mpi_function f, const call_times& times);
  /// Of a call that has no record, such as a test that finds nothing, or of the beginning of one: the rank computed
  /// until then, and is in MPI, which the next record says.
  void pass(const call_times& times);
  const group_of& group(MPI_Comm c) { return m_groups.of(c); }
  /// \p c has come into being, of \p parent and by \p tag; see known_groups. It is told now: its ordinal counts.
  void add_group(MPI_Comm parent, MPI_Comm c, int tag) { m_groups.enters(c, m_groups.made_of(parent, c, tag)); }
  /// A copy of \p c begins to be made, which is told as of now. \p handle has its handle when \p request has ended.
  void open_group(MPI_Comm c, const MPI_Comm* handle, MPI_Request request) {
    open_request made;
    made.made = [this, handle, copy = m_groups.made_of(c, c, NoTag)] { m_groups.enters(*handle, copy); };
    open(request, std::move(made));
  }
  const type_of& type(MPI_Datatype t) {
    return m_types.of(t, [this](const trace_element& told) { m_writer->add(told); });
  }
  std::uint64_t bytes(const buffer& b) { return b.count == 0 ? 0 : b.count * type(b.type).size; }
  void forget(MPI_Comm c) { m_groups.forget(c); }
  void forget(MPI_Datatype t) { m_types.forget(t); }

  std::uint32_t next_request() { return ++m_last_request; }
  void open(MPI_Request handle, open_request r) { m_requests[handle] = std::move(r); }
  open_request* find(MPI_Request handle) {
    const auto found = m_requests.find(handle);
    return found == m_requests.end() ? nullptr : &found->second;
  }
  void close(MPI_Request handle) { m_requests.erase(handle); }
  /// Nobody else finds it until it is put back. Empty: there is none
  open_requests::node_type take(MPI_Request handle) { return m_requests.extract(handle); }
  void put_back(open_requests::node_type&& taken) { m_requests.insert(std::move(taken)); }

  // The cut.
  bool cuts(trace_cut where) const { return m_settings.cut == where; }
  bool cuts_at_all() const { return m_settings.cut != trace_cut::None; }
  /// As the rules have it for data of a message of \p bytes. What lies in memory that cannot be written is not cut.
  /// \p tag: AnyTag of a collective
  void cut(const buffer& b, mpi_function f, std::int64_t tag, std::uint64_t bytes) {
    cut_first(this->bytes(b), b, f, tag, bytes);
  }
  /// The same of the first \p length bytes of the data in \p b.
  void cut_first(std::uint64_t length, const buffer& b, mpi_function f, std::int64_t tag, std::uint64_t bytes);
  /// Whether data for \p to of \p comm go to another rank that is in the trace.
  bool leaves(MPI_Comm comm, int to) {
    const group_of& g = group(comm);
    return g.covered && g.world(to) != m_rank;
  }
  /// That a collective between two groups is not cut, if there is a cut.
  void say_uncut_between_groups(mpi_function f) {
    say_uncut(f, m_said_between_groups, "between two groups", "collectives of intercommunicators");
  }
  std::int64_t rank() const { return m_rank; }

  /// Whether the payload of a message is to be kept; each message with a payload asks once.
  bool keeps_payload();
  /// Bytes of the data, behind each other.
  std::string packed(const std::vector<buffer>& parts);
  /// From where to where its data lie.
  std::pair<char*, char*> reach(const buffer& b);

  std::mutex lock;

 private:
  void write_now_and_then();
  void note_thread();
  void put_times(trace_call& c, const call_times& times);
  bool can_write(const buffer& b);
  void say_unwritable(mpi_function f);
  void say_uncut(mpi_function f, bool& said, const char* between, const char* others) const;

  settings m_settings;
  int m_rank = 0;
  pid_t m_process = 0;  ///< whose file it is
  std::atomic<bool> m_on{false};
  bool m_concurrent = false;
  std::uint32_t m_threads = 0;  ///< that have called MPI
  std::unique_ptr<trace_writer> m_writer;
  known_groups m_groups{[this](const trace_communicator& told) { m_writer->add(told); }};
  known_types m_types;
  open_requests m_requests;
  std::uint32_t m_last_request = 0;
  std::uint64_t m_last = 0;                     ///< when a call began or ended
  std::uint64_t m_computing = 0, m_inside = 0;  ///< since the last record, of calls without one
  bool m_said_unwritable = false;
  bool m_said_between_groups = false;
  bool m_said_others = false;
  std::uint64_t m_messages = 0;  ///< with a payload, kept or not
};

/// There until the process ends, for threads that outlive main().
recording& the_recording();

using guard = std::lock_guard<std::mutex>;

}  // namespace weft::recorder
