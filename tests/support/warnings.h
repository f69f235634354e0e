// SPDX-License-Identifier: Apache-2.0
/// Captures warnings.
#pragma once

#include <string>
#include <utility>

#include "weft/core/warning.h"

namespace weft {

class caught_warnings {
 public:
  caught_warnings()
      : m_before(set_warning_handler(
            [this](const diagnostic& d) { m_text += d.place + ": warning: " + d.message + "\n"; })) {}
  ~caught_warnings() { set_warning_handler(std::move(m_before)); }
  caught_warnings(const caught_warnings&) = delete;
  caught_warnings& operator=(const caught_warnings&) = delete;

  /// The captured warnings, one per line.
  const std::string& text() const { return m_text; }

 private:
  std::string m_text;
  warning_handler m_before;
};

}  // namespace weft
