// SPDX-License-Identifier: Apache-2.0
/// What holds for every reader of a user's text, whatever its bytes: only its own errors are thrown, and these say what
/// is wrong in few words, a line each.
#pragma once

#include "tb/fuzz/verdict.h"
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

/// One message: not empty, no longer than a screen, without control characters.
inline void check_message(const std::string& message) {
  constexpr std::size_t Longest = 4096;
  require(!message.empty(), "an error says what is wrong");
  require(message.size() <= Longest, "an error does not repeat long names");
  require(std::none_of(message.begin(), message.end(),
                       [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; }),
          "an error has no control characters");
}

/// What \p read reads; nothing where it throws what a reader may throw. Its warnings are messages, too.
template <class Read>
auto read_or_refused(Read read) -> std::optional<decltype(read())> {
  set_warning_handler([](const diagnostic& d) { check_message(d.place + ": " + d.message); });  // forgets those before
  try {
    return read();
  } catch (const input_error& e) {
    require(!e.found().empty(), "an error says what is wrong");
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
