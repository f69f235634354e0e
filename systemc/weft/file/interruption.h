// SPDX-License-Identifier: Apache-2.0
/// Signals that end a command: what they do, the files that they remove, and waits that end with them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>

#include <sys/types.h>

namespace weft {

/// A signal ended a wait for another process. The text says what the wait was for.
class interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From here on SIGINT, SIGTERM, and SIGHUP unless `nohup` has set it to be ignored, end the process at once, with
/// status 128 + signal. The files of `unfinished_path` are removed. This is for everything but a run that can be
/// stopped: no wait needs to look for signals. SIGPIPE removes these files, too. SIGXFSZ is ignored: a write over the
/// limit of a file's size fails.
void exit_on_signal();

/// From here on these signals are only noted, see noted_signal(). A second one of the same kind kills, but not within a
/// second of the first: `timeout` sends each twice.
void note_signals();

/// The first signal, or 0.
int noted_signal();

/// Within its scope signals end the process at once, as after exit_on_signal(); afterwards as was set before.
/// A signal that was noted before ends the process in the constructor.
class exit_on_signal_scope {
 public:
  /// \param message goes to standard error in place of "weft: interrupted"; it outlives the process
  explicit exit_on_signal_scope(const char* message);
  ~exit_on_signal_scope();
  exit_on_signal_scope(const exit_on_signal_scope&) = delete;
  exit_on_signal_scope& operator=(const exit_on_signal_scope&) = delete;

 private:
  bool m_noted_before;
  const char* m_message_before;
};

/// Within its scope a signal that would end the process waits for the end of the scope. For steps that must not be torn
/// apart, such as making a file and registering it.
class signal_hold {
 public:
  signal_hold();
  ~signal_hold();
  signal_hold(const signal_hold&) = delete;
  signal_hold& operator=(const signal_hold&) = delete;
};

/// A file or directory that must not outlive an interrupted command. While registered, a signal that ends the process
/// removes it; a directory only if it is empty. Only the process that has installed the handlers removes anything, not
/// its children. At most 256 at a time are registered; more are left to the next command, which removes them.
class unfinished_path {
 public:
  enum class kind { File, Directory };

  unfinished_path() = default;
  unfinished_path(const std::filesystem::path& path, kind what);
  ~unfinished_path() { release(); }
  unfinished_path(unfinished_path&& other) noexcept;
  unfinished_path& operator=(unfinished_path&& other) noexcept;

  /// It stays.
  void release();

 private:
  int m_slot = -1;
};

/// A wait for another process that ends with a signal. After one is noted, the other process has one more second.
class interruptible_wait {
 public:
  /// Whether a signal was noted a second ago, or before the last call to progress().
  bool is_over();
  /// The other process has done something: its second begins anew.
  void progress() { m_noted_at = 0; }
  /// Sleeps for 10 ms, or until a signal comes. \return false if the wait is over
  bool pause();
  /// Sleeps until \p descriptor is ready for \p events of poll(), or has failed. \return false if the wait is over
  bool until_ready(int descriptor, short events);

 private:
  double m_noted_at = 0;  ///< seconds of the monotonic clock at which this wait saw the signal; 0: not yet
};

/// Opens the pipe or device \p file for writing, and waits for the reader of a pipe.
/// \return -1 with errno; EINTR if a signal ended the wait
int open_for_reader(const std::filesystem::path& file);

/// Writes some of \p size bytes, as write() does, and waits while the reader takes none.
/// \return -1 with errno; EINTR if a signal ended the wait
ssize_t write_to_reader(int descriptor, const char* from, std::size_t size);

/// Reads at most \p size bytes, as read() does, and waits for the writer. \return -1 with errno; EINTR if a signal
/// ended the wait
ssize_t read_from_writer(int descriptor, char* to, std::size_t size);

}  // namespace weft
