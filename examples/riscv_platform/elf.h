// SPDX-License-Identifier: Apache-2.0
/// Programs: ELF executables of 32 bits for RISC-V.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// What a program is not: a message with the file and what would do.
class elf_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct elf_segment {
  std::uint32_t address = 0;         ///< physical
  std::vector<unsigned char> bytes;  ///< as long as in memory: what the file does not have is 0
};

struct elf_program {
  std::uint32_t entry = 0;
  std::vector<elf_segment> segments;
};

/// \param most bytes that a segment may have
/// \throws elf_error
elf_program read_elf(const std::string& file_name, std::uint32_t most);
