// SPDX-License-Identifier: Apache-2.0
/// Programs that a test writes word by word.
#pragma once

#include "riscv/encodings.h"
#include <cstdint>
#include <string>
#include <vector>

/// An ELF executable with one segment, \p words, at the address of a core's local memory; execution starts at the first
/// word.
inline std::string elf_file(const std::vector<riscv::word>& words, riscv::word address = 0x8000'0000) {
  std::string file;
  const auto put = [&file](std::uint32_t value, unsigned bytes) {
    for (unsigned b = 0; b < bytes; ++b) file.push_back(static_cast<char>(value >> 8 * b));
  };
  file.append(
      "\x7f"
      "ELF\x01\x01\x01",
      7);
  file.append(9, '\0');
  const std::uint32_t size = static_cast<std::uint32_t>(4 * words.size()), headers = 52, content = headers + 32;
  put(2, 2);        // an executable
  put(243, 2);      // RISC-V
  put(1, 4);        // version
  put(address, 4);  // entry
  put(headers, 4);
  put(0, 4);        // no sections
  put(0, 4);        // flags
  put(headers, 2);  // size of this header
  put(32, 2);       // of a program header
  put(1, 2);        // one of them
  put(0, 6);
  for (const std::uint32_t field : {1U, content, address, address, size, size + 8, 5U, 4U}) put(field, 4);
  for (const riscv::word w : words) put(w, 4);
  return file;
}
