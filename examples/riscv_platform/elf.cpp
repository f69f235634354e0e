// SPDX-License-Identifier: Apache-2.0
#include "elf.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

namespace {

constexpr std::uint32_t HeaderSize = 52, ProgramHeaderSize = 32, Loaded = 1;

/// The file's bytes, little-endian.
class image {
 public:
  explicit image(const std::string& file) : m_file(file) {
    std::ifstream in(file, std::ios::binary);
    if (!in) fail(std::strerror(errno));
    m_bytes.assign(std::istreambuf_iterator<char>(in), {});
    if (in.bad()) fail("cannot be read");
  }

  [[noreturn]] void fail(const std::string& why) const { throw elf_error(m_file + ": " + why); }
  void require(bool holds, const std::string& why) const {
    if (!holds) fail(why);
  }

  std::uint32_t half(std::uint32_t at) const { return byte(at) | byte(at + 1) << 8; }
  std::uint32_t word(std::uint32_t at) const { return half(at) | half(at + 2) << 16; }
  std::uint32_t byte(std::uint32_t at) const { return static_cast<unsigned char>(m_bytes[at]); }
  bool has(std::uint64_t at, std::uint64_t bytes) const { return at + bytes <= m_bytes.size(); }
  const char* at(std::uint32_t offset) const { return m_bytes.data() + offset; }

 private:
  const std::string m_file;
  std::vector<char> m_bytes;
};

void check_header(const image& file) {
  file.require(file.has(0, 4) && std::memcmp(file.at(0),
                                             "\x7f"
                                             "ELF",
                                             4) == 0,
               "is not an ELF file; expected a program linked by riscv64-unknown-elf-gcc");
  file.require(file.has(0, HeaderSize), "ends within its ELF header");
  file.require(file.byte(4) == 1 && file.byte(5) == 1 && file.half(18) == 243,
               "is not for little-endian 32-bit RISC-V; compile with -march=rv32im -mabi=ilp32");
  file.require(file.half(16) == 2, "is not an executable; link it with -nostdlib -static");
  file.require((file.word(36) & 1) == 0, "has compressed instructions; compile with -march=rv32im");
  file.require(file.half(42) == ProgramHeaderSize || file.half(44) == 0,
               "has program headers of " + std::to_string(file.half(42)) + " bytes; expected 32");
}

}  // namespace

elf_program read_elf(const std::string& file_name, std::uint32_t most) {
  const image file(file_name);
  check_header(file);
  elf_program program;
  program.entry = file.word(24);
  const std::uint32_t headers = file.word(28), count = file.half(44);
  file.require(file.has(headers, std::uint64_t{count} * ProgramHeaderSize), "ends within its program headers");
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t at = headers + i * ProgramHeaderSize;
    const std::uint32_t offset = file.word(at + 4), in_file = file.word(at + 16), in_memory = file.word(at + 20);
    if (file.word(at) != Loaded || in_memory == 0) continue;
    const std::string segment = "segment " + std::to_string(i);
    file.require(file.has(offset, in_file), segment + " goes past the end of the file");
    file.require(in_file <= in_memory && in_memory <= most,
                 segment + " has " + std::to_string(in_memory) + " bytes, at most " + std::to_string(most));
    elf_segment s;
    s.address = file.word(at + 12);
    s.bytes.resize(in_memory);
    std::copy_n(file.at(offset), in_file, s.bytes.begin());
    program.segments.push_back(std::move(s));
  }
  file.require(!program.segments.empty(), "has nothing to load; link it with software/link.ld");
  return program;
}
