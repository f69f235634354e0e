// SPDX-License-Identifier: Apache-2.0
/// The state of the recorder in a rank: the records so far, the open requests, and the time at which the last call
/// returned. One lock protects the whole state; it is never held while MPI works. A separate thread periodically takes
/// the lock and writes the records, so that all calls of a program that hangs are in the trace.
///
/// A call is recorded when it has ended. If threads may be in MPI concurrently, a call for which others may wait is
/// recorded before MPI works, and the end of a blocking call is recorded separately. Therefore the records of a rank
/// are in causal order: every record follows the records on which it depends.
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

#include "weft/mpi/recorder/groups.h"
#include "weft/mpi/trace/trace_writer.h"
#include "weft/mpi/trace/truncation_rules.h"

namespace weft::recorder {

/// Settings from environment variables; docs/02_user/traces.md lists the variables.
struct settings {
  std::string folder;
  trace_payload payload = trace_payload::None;
  std::uint32_t sample = 1;
  truncation_point cut = truncation_point::None;
  std::vector<truncation_rule> truncation_rules;  ///< messages that match no rule are not truncated
  trace_clock clock = trace_clock::Wall;
  std::string fault;  ///< error message, empty if the settings are valid
};
settings settings_of_environment();

/// The data of one buffer argument.
struct buffer {
  void* base = nullptr;
  std::uint64_t count = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};
/// Returns the buffer, also for data that MPI does not change, because the recorder may truncate them.
inline buffer buffer_of(const void* base, int count, MPI_Datatype type) {
  return {const_cast<void*>(base), count < 0 ? 0 : static_cast<std::uint64_t>(count), type};
}

/// A request of the program.
struct open_request {
  std::uint32_t number = 0;  ///< number in the trace; 0 for a persistent request that is not started
  bool receives = false;
  bool recorded = false;  ///< whether a matched probe has already recorded the receive
  MPI_Comm communicator = MPI_COMM_NULL;
  std::function<void(const MPI_Status&)> arrived;  ///< truncates the received data; may be empty
  std::shared_ptr<trace_call> persistent;          ///< the call that MPI_Start() begins
  buffer sent;                                     ///< the data that it sends
  std::function<void()> made;                      ///< called when the communicator that the request makes exists
};

/// The duration of a call, from construction to returned(). Before returned(), it is zero.
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

  /// Starts recording. Call it after MPI_Init(). Ends the program if the settings are invalid or the files cannot be
  /// written.
  void start();
  /// Stops recording. Call it before MPI_Finalize(), or at the end of the process.
  void stop(bool complete);
  bool on() const { return m_on; }
  /// Whether threads may call MPI concurrently. If so, the beginning of a call is recorded before MPI works.
  bool concurrent() const { return m_concurrent; }
  std::uint64_t now() const;

  // Recording a call
  /// Fills in the communicator, element and times of \p c. If its processes are not in the trace, records an uncovered
  /// call instead. \return whether the processes are in the trace
  bool fill_in(trace_call& c, MPI_Comm comm, MPI_Datatype type, const call_times& times);
  void record(const trace_call& c) { m_writer->add(c); }
  /// Records the end of a call whose beginning has been recorded.
  void record_completion(trace_call end, const call_times& times);
  /// Records a call with its payload.
  void record(const trace_call& c, const std::vector<buffer>& sent);
  void record_uncovered(mpi_function f, const call_times& times);
  /// Records a call of \p f with processes that are not in the trace. If truncation is on, warns that the data of the
  /// call are not truncated.
  void record_other_processes(mpi_function f, const call_times& times);
  /// Accounts for the time of a call that has no record, such as an unsuccessful test, or of the beginning of a call.
  /// The rank computed until the call began and is in MPI now. The next record includes these times.
  void pass(const call_times& times);
  const group_of& group(MPI_Comm c) { return m_groups.of(c); }
  /// Registers \p c, which was made from \p parent with \p tag; see known_groups. The communicator is recorded at once,
  /// because its ordinal depends on the order.
  void add_group(MPI_Comm parent, MPI_Comm c, int tag) { m_groups.enters(c, m_groups.made_of(parent, c, tag)); }
  /// Registers a copy of \p c that a non-blocking call is making. When \p request has ended, \p handle contains the
  /// handle of the copy.
  void open_group(MPI_Comm c, const MPI_Comm* handle, MPI_Request request) {
    open_request made;
    made.made = [this, handle, copy = m_groups.made_of(c, c, NoTag)] { m_groups.enters(*handle, copy); };
    open(request, std::move(made));
  }
  const type_of& type(MPI_Datatype t) {
    return m_types.of(t, [this](const trace_element& element) { m_writer->add(element); });
  }
  std::uint64_t bytes(const buffer& b) { return b.count == 0 ? 0 : b.count * type(b.type).size; }
  void remove(MPI_Comm c) { m_groups.remove(c); }
  void remove(MPI_Datatype t) { m_types.remove(t); }

  std::uint32_t next_request() { return ++m_last_request; }
  void open(MPI_Request handle, open_request r) { m_requests[handle] = std::move(r); }
  open_request* find(MPI_Request handle) {
    const auto found = m_requests.find(handle);
    return found == m_requests.end() ? nullptr : &found->second;
  }
  void close(MPI_Request handle) { m_requests.erase(handle); }
  /// Removes a request so that no other thread finds it until put_back(). The result is empty if there is no such
  /// request.
  open_requests::node_type take(MPI_Request handle) { return m_requests.extract(handle); }
  void put_back(open_requests::node_type&& taken) { m_requests.insert(std::move(taken)); }

  // Truncation
  bool truncates(truncation_point where) const { return m_settings.cut == where; }
  bool truncates_any() const { return m_settings.cut != truncation_point::None; }
  /// Truncates the data in \p b of a message of \p bytes bytes, according to the rules. Data in read-only memory are
  /// not truncated.
  /// \param tag AnyTag for a collective
  void truncate(const buffer& b, mpi_function f, std::int64_t tag, std::uint64_t bytes) {
    truncate_first(this->bytes(b), b, f, tag, bytes);
  }
  /// Like truncate(), but only for the first \p length bytes of the data in \p b.
  void truncate_first(std::uint64_t length, const buffer& b, mpi_function f, std::int64_t tag, std::uint64_t bytes);
  /// Whether data for rank \p to of \p comm go to another rank that is in the trace.
  bool leaves(MPI_Comm comm, int to) {
    const group_of& g = group(comm);
    return g.covered && g.world(to) != m_rank;
  }
  /// If truncation is on, warns that the data of a collective between two groups are not truncated.
  void warn_not_truncated_between_groups(mpi_function f) {
    warn_not_truncated(f, m_warned_between_groups, "between two groups", "collectives of intercommunicators");
  }
  std::int64_t rank() const { return m_rank; }

  /// Whether the trace must contain the payload of the next message. Call it once for each message with a payload.
  bool keeps_payload();
  /// Returns the bytes of all \p parts, one part after the other.
  std::string packed(const std::vector<buffer>& parts);
  /// Returns the first and the last address of the data of \p b.
  std::pair<char*, char*> reach(const buffer& b);

  std::mutex lock;

 private:
  void write_now_and_then();
  void note_thread();
  void put_times(trace_call& c, const call_times& times);
  bool can_write(const buffer& b);
  void warn_unwritable(mpi_function f);
  void warn_not_truncated(mpi_function f, bool& warned, const char* between, const char* others) const;

  settings m_settings;
  int m_rank = 0;
  pid_t m_process = 0;  ///< process that owns the file
  std::atomic<bool> m_on{false};
  bool m_concurrent = false;
  std::uint32_t m_threads = 0;  ///< number of threads that have called MPI
  std::unique_ptr<trace_writer> m_writer;
  known_groups m_groups{[this](const trace_communicator& communicator) { m_writer->add(communicator); }};
  known_types m_types;
  open_requests m_requests;
  std::uint32_t m_last_request = 0;
  std::uint64_t m_last = 0;                     ///< time at which a call began or ended last
  std::uint64_t m_computing = 0, m_inside = 0;  ///< times since the last record, from calls that have no record
  bool m_warned_unwritable = false;
  bool m_warned_between_groups = false;
  bool m_warned_others = false;
  std::uint64_t m_messages = 0;  ///< number of messages with a payload, whether it is stored or not
};

/// Returns the recording, which exists until the process ends, because threads may outlive main().
recording& the_recording();

using guard = std::lock_guard<std::mutex>;

}  // namespace weft::recorder
