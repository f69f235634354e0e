// SPDX-License-Identifier: Apache-2.0
/// The event log: a line for every flit that enters or leaves the network. Two runs agree if their logs do.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/core/network_observer.h"

namespace weft::experiment {

/// Lines `cycle kind node vc packet sequence`, kind `inject` or `eject`, after a header line that says so.
/// Ordered by these columns, inject before eject, in whatever order a cycle's events come.
class event_log {
 public:
  enum class kind : std::uint8_t { Inject, Eject };

  /// \p write takes a text at a time.
  explicit event_log(std::function<void(std::string_view)> write);

  void add(kind what, const flit_event& event);

  /// Writes what is still held back. Nothing may be added after it.
  void finish();

 private:
  struct entry {
    kind what;
    flit_event event;
  };
  void end_cycle();

  std::function<void(std::string_view)> m_write;
  std::vector<entry> m_cycle;  ///< events of the cycle that may not be over
  std::string m_text;
};

}  // namespace weft::experiment
