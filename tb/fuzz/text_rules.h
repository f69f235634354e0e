// SPDX-License-Identifier: Apache-2.0
/// Rules that the readers of text files must meet for every input: a reader throws only its own errors, and each error
///       message is one short line.
#pragma once

#include "tb/fuzz/finding.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/core/warning.h"
#include "weft/workload/error.h"

namespace weft::fuzz {

/// Checks that a message is not empty, has at most 4096 bytes, and contains no control characters.
inline void check_message(const std::string& message) {
  constexpr std::size_t Longest = 4096;
  require(!message.empty(), "an error has a message");
  require(message.size() <= Longest, "an error does not repeat long names");
  require(std::none_of(message.begin(), message.end(),
                       [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }),
          "an error has no control characters");
}

/// Calls \p read, and checks the messages of its warnings and of its error.
/// \return the result of \p read, or nothing if it throws its own error
template <class Read>
auto read_or_rejected(Read read) -> std::optional<decltype(read())> {
  set_warning_handler([](const diagnostic& d) { check_message(d.place + ": " + d.message); });  // clears old warnings
  try {
    return read();
  } catch (const input_error& e) {
    require(!e.found().empty(), "an error has a message");
    for (const diagnostic& d : e.found()) check_message(d.place + ": " + d.message);
  } catch (const std::invalid_argument& e) {
    check_message(e.what());
  } catch (const workload_error& e) {
    for (const std::string& one : e.found()) check_message(one);
  }
  return std::nullopt;
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace weft::fuzz
