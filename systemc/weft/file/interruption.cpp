// SPDX-License-Identifier: Apache-2.0
#include "weft/file/interruption.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>
#include <iterator>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft {

namespace {

constexpr int Signals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr const char* Interrupted = "weft: interrupted\n";
constexpr int PollIntervalMilliseconds = 100;

volatile std::sig_atomic_t g_signal = 0;
volatile std::sig_atomic_t g_first_at[std::size(Signals)] = {};  ///< first of each signal: seconds, rounded down; or 0
std::atomic<bool> g_noted{false};                                ///< signals are recorded and do not end the process
std::atomic<int> g_holds{0};
std::atomic<const char*> g_message{Interrupted};
std::atomic<pid_t> g_owner{0};

struct slot {
  std::atomic<const char*> path{nullptr};
  std::atomic<bool> directory{false};
};
std::array<slot, 256> g_unfinished;
std::mutex g_registering;

double seconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The following functions run in the signal handler; they call only functions that POSIX allows there.

/// Removes files first, then their directories, innermost first.
void remove_unfinished() {
  if (getpid() != g_owner) return;
  for (const slot& s : g_unfinished)
    if (const char* const path = s.path; path != nullptr && !s.directory) unlink(path);
  for (auto s = g_unfinished.rbegin(); s != g_unfinished.rend(); ++s)
    if (const char* const path = s->path; path != nullptr && s->directory) rmdir(path);
}

[[noreturn]] void exit_now() {
  remove_unfinished();
  const char* const message = g_message;
  if (pollfd error{STDERR_FILENO, POLLOUT, 0}; poll(&error, 1, 0) > 0)  // there may be no reader
      [[maybe_unused]]
    const ssize_t written = write(STDERR_FILENO, message, std::strlen(message));
  _exit(128 + g_signal);
}

/// Kills the process at the second signal of a kind, so that a run that ignores the first needs no third Ctrl-C.
/// Signals of different kinds do not count together: Ctrl-C also reaches the points of a sweep, to which the sweep then
/// sends SIGTERM.
void kill_at_second(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  volatile std::sig_atomic_t& first = g_first_at[std::find(std::begin(Signals), std::end(Signals), signal) - Signals];
  const auto seconds = static_cast<std::sig_atomic_t>(now.tv_sec + 1);
  if (first == 0) first = seconds;
  if (seconds - first <= 1) return;
  remove_unfinished();
  std::signal(signal, SIG_DFL);
  raise(signal);  // delivered when the handler returns
}

void handle(int signal) {
  const int error = errno;
  if (g_signal == 0) g_signal = signal;
  if (g_noted)
    kill_at_second(signal);
  else if (g_holds == 0)
    exit_now();
  errno = error;
}

/// The reader of a pipe has closed it: the process ends as it would by default, but removes unfinished files.
void handle_lost_reader(int signal) {
  remove_unfinished();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

// The remaining functions run outside the handler.

void install() {
  g_owner = getpid();
  for (const int signal : Signals) {
    struct sigaction before {
    }, action{};
    action.sa_handler = handle;  // without SA_RESTART: the signal interrupts a waiting system call
    sigfillset(&action.sa_mask);
    sigaction(signal, &action, &before);
    // A signal that `nohup` ignores remains ignored.
    if (before.sa_handler == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
  }
  struct sigaction of_pipe {};
  if (sigaction(SIGPIPE, nullptr, &of_pipe) == 0 && of_pipe.sa_handler == SIG_DFL)
    std::signal(SIGPIPE, handle_lost_reader);
  std::signal(SIGXFSZ, SIG_IGN);  // write() beyond the limit of file sizes fails, as on a full disk
}

void exit_if_signalled() {
  if (g_signal != 0 && !g_noted && g_holds == 0) exit_now();
}

/// A permanent copy, which the handler can read at any time.
const char* kept(const std::string& path) {
  static std::set<std::string> all;
  return all.insert(path).first->c_str();
}

/// For a pipe, at most the number of bytes that a pipe with any free space accepts at once; for a file, all.
std::size_t piece_of(int descriptor, std::size_t size) {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) ? size : std::min<std::size_t>(size, PIPE_BUF);
}

}  // namespace

void exit_on_signal() {
  g_noted = false;
  install();
  exit_if_signalled();
}

void note_signals() {
  g_noted = true;
  install();
}

int noted_signal() { return g_signal; }

exit_on_signal_scope::exit_on_signal_scope(const char* message) : m_noted_before(g_noted), m_message_before(g_message) {
  g_message = message;
  g_noted = false;
  exit_if_signalled();
}

exit_on_signal_scope::~exit_on_signal_scope() {
  g_noted = m_noted_before;
  g_message = m_message_before;
}

signal_hold::signal_hold() { ++g_holds; }

signal_hold::~signal_hold() {
  if (--g_holds == 0) exit_if_signalled();
}

unfinished_path::unfinished_path(const std::filesystem::path& path, kind what) {
  const std::lock_guard lock(g_registering);
  const auto free = std::find_if(g_unfinished.begin(), g_unfinished.end(), [](const slot& s) { return !s.path; });
  if (free == g_unfinished.end()) return;
  free->directory = what == kind::Directory;
  free->path = kept(path.string());
  m_slot = static_cast<int>(free - g_unfinished.begin());
}

unfinished_path::unfinished_path(unfinished_path&& other) noexcept : m_slot(std::exchange(other.m_slot, -1)) {}

unfinished_path& unfinished_path::operator=(unfinished_path&& other) noexcept {
  if (this == &other) return *this;
  release();
  m_slot = std::exchange(other.m_slot, -1);
  return *this;
}

void unfinished_path::release() {
  if (m_slot >= 0) g_unfinished[static_cast<std::size_t>(m_slot)].path = nullptr;
  m_slot = -1;
}

bool interruptible_wait::is_over() {
  constexpr double Grace = 1;  // seconds
  if (g_signal == 0) return false;
  const double now = seconds_now();
  if (m_noted_at == 0) m_noted_at = now;
  return now - m_noted_at >= Grace;
}

bool interruptible_wait::pause() {
  constexpr long Nanoseconds = 10'000'000;
  const timespec interval{0, Nanoseconds};
  nanosleep(&interval, nullptr);
  return !is_over();
}

bool interruptible_wait::until_ready(int descriptor, short events) {
  for (pollfd one{descriptor, events, 0}; !is_over();)
    if (const int ready = poll(&one, 1, PollIntervalMilliseconds); ready > 0 || (ready < 0 && errno != EINTR))
      return true;
  return false;
}

int open_for_reader(const std::filesystem::path& file) {
  interruptible_wait wait;
  for (;;) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor >= 0) {
      fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
      return descriptor;
    }
    struct stat status {};
    const int error = errno;  // ENXIO: the pipe has no reader yet
    if (error != EINTR && (error != ENXIO || stat(file.c_str(), &status) != 0 || !S_ISFIFO(status.st_mode))) {
      errno = error;
      return -1;
    }
    if (wait.pause()) continue;
    errno = EINTR;
    return -1;
  }
}

ssize_t write_to_reader(int descriptor, const char* from, std::size_t size) {
  const std::size_t piece = piece_of(descriptor, size);
  for (interruptible_wait wait; wait.until_ready(descriptor, POLLOUT);) {
    const ssize_t written = write(descriptor, from, piece);
    if (written >= 0 || (errno != EINTR && errno != EAGAIN)) return written;
  }
  errno = EINTR;
  return -1;
}

ssize_t read_from_writer(int descriptor, char* to, std::size_t size) {
  for (interruptible_wait wait; wait.until_ready(descriptor, POLLIN);) {
    const ssize_t got = read(descriptor, to, size);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
  }
  errno = EINTR;
  return -1;
}

}  // namespace weft
