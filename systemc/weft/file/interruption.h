// SPDX-License-Identifier: Apache-2.0
/// Handling of signals that end a command: when the process ends, and the removal of its unfinished files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>

#include <sys/types.h>

namespace weft {

/// Thrown if a signal ends a wait for another process. The text names the reason for the wait.
class interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// From now on SIGINT, SIGTERM and SIGHUP end the process at once with status 128 + signal, after the files of
/// `unfinished_path` have been removed. (SIGHUP is ignored if `nohup` ignores it.) This setting suits all commands
/// except runs that can be stopped early: no wait needs to check for signals. SIGPIPE also ends the process and removes
/// these files. SIGXFSZ is ignored, so that a write beyond the limit of file sizes fails.
void exit_on_signal();

/// From now on, the first of these signals is only recorded; see noted_signal(). A second signal of the same kind kills
/// the process, unless it comes within a second of the first, because `timeout` sends each signal twice.
void note_signals();

/// The first signal that was recorded, or 0.
int noted_signal();

/// Within its scope, signals end the process at once, as after exit_on_signal(); afterwards, the previous setting
/// applies. If a signal has been recorded before, the constructor ends the process.
class exit_on_signal_scope {
 public:
  /// \param message printed to standard error instead of "weft: interrupted"; must outlive the process
  explicit exit_on_signal_scope(const char* message);
  ~exit_on_signal_scope();
  exit_on_signal_scope(const exit_on_signal_scope&) = delete;
  exit_on_signal_scope& operator=(const exit_on_signal_scope&) = delete;

 private:
  bool m_noted_before;
  const char* m_message_before;
};

/// Within its scope, signals that would end the process are deferred to the end of the scope. It protects steps that
/// must not be separated, such as creating a file and registering it.
class signal_hold {
 public:
  signal_hold();
  ~signal_hold();
  signal_hold(const signal_hold&) = delete;
  signal_hold& operator=(const signal_hold&) = delete;
};

/// A file or directory that must not remain after an interrupted command. While it is registered, a signal that ends
/// the process removes it; a directory is removed only if it is empty. Child processes remove nothing: only the process
/// that installed the signal handlers does. At most 256 paths can be registered at a time; the next command removes any
/// others.
class unfinished_path {
 public:
  enum class kind { File, Directory };

  unfinished_path() = default;
  unfinished_path(const std::filesystem::path& path, kind what);
  ~unfinished_path() { release(); }
  unfinished_path(unfinished_path&& other) noexcept;
  unfinished_path& operator=(unfinished_path&& other) noexcept;

  /// Unregisters the path, so that it remains.
  void release();

 private:
  int m_slot = -1;
};

/// A wait for another process. After a signal has been recorded, the wait continues for one more second.
class interruptible_wait {
 public:
  /// Whether that second is over. Each call of progress() restarts the second.
  bool is_over();
  /// Reports that the other process has made progress, so that its second restarts.
  void progress() { m_noted_at = 0; }
  /// Sleeps for 10 ms, or until a signal arrives. \return false if the wait is over
  bool pause();
  /// Sleeps until \p descriptor is ready for \p events of poll(), or has failed. \return false if the wait is over
  bool until_ready(int descriptor, short events);

 private:
  double m_noted_at = 0;  ///< monotonic time in seconds at which this wait noticed the signal; 0: not yet
};

/// Opens the pipe or device \p file for writing; for a pipe, waits for a reader.
/// \return -1 with errno; EINTR if a signal ended the wait
int open_for_reader(const std::filesystem::path& file);

/// Writes some of \p size bytes, like write(); waits while the reader accepts none.
/// \return -1 with errno; EINTR if a signal ended the wait
ssize_t write_to_reader(int descriptor, const char* from, std::size_t size);

/// Reads at most \p size bytes, like read(); waits while the writer provides none.
/// \return -1 with errno; EINTR if a signal ended the wait
ssize_t read_from_writer(int descriptor, char* to, std::size_t size);

}  // namespace weft
