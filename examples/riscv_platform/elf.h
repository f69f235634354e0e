// SPDX-License-Identifier: Apache-2.0
/// Programs: ELF executables of 32 bits for RISC-V.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/// The file is not a valid program. The message contains the file and what is expected.
class elf_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct elf_segment {
  std::uint32_t address = 0;         ///< physical
  std::vector<unsigned char> bytes;  ///< of the whole segment in memory; bytes that the file does not contain are 0
};

struct elf_program {
  std::uint32_t entry = 0;
  std::vector<elf_segment> segments;
};

/// \param most bytes that a segment may have
/// \throws elf_error
elf_program read_elf(const std::string& file_name, std::uint32_t most);
