// SPDX-License-Identifier: Apache-2.0
/// Makes recordings of messages (format MPTRACE1) by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

inline std::string little_endian(std::uint64_t value, unsigned bytes) {
  std::string text;
  for (unsigned i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

/// \param message_class class of every message: 0 int, 1 double, 2 double complex
inline std::string recording(const std::vector<std::string>& messages, std::uint32_t message_class = 0) {
  const std::string application = "by hand";
  std::string text = "MPTRACE1" + little_endian(1, 4) + little_endian(64, 4) + little_endian(2, 4) +
                     little_endian(message_class, 4) + little_endian(messages.size(), 4) +
                     little_endian(messages.size(), 4) + application + std::string(32 - application.size(), '\0');
  for (const std::string& message : messages) {
    text += "MSG1" + std::string(16, '\xff') + little_endian(message_class, 4) + std::string(36, '\xff') +
            little_endian(message.size(), 4) + message;
  }
  return text;
}

/// Returns \p words as the bytes of a message.
inline std::string as_bytes(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t word : words) text += little_endian(word, 4);
  return text;
}
