// SPDX-License-Identifier: Apache-2.0
/// The ELF reader: the files that it accepts, and its errors for others.
#include "elf.h"

#include "riscv/program_file.h"
#include "support/files.h"
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

constexpr std::uint32_t Most = 64 * 1024;

/// The reader's error for a good file that \p spoil has modified.
std::string load_error(const std::function<void(std::string&)>& spoil) {
  std::string content = elf_file({1, 2, 3});
  spoil(content);
  const temporary_file file(content);
  try {
    read_elf(file.name(), Most);
  } catch (const elf_error& e) {
    const std::string what = e.what();
    EXPECT_EQ(what.rfind(file.name() + ": ", 0), 0U) << what;
    return what.substr(file.name().size() + 2);
  }
  return "nothing";
}

std::string load_error(std::size_t at, char value) {
  return load_error([=](std::string& s) { s[at] = value; });
}

}  // namespace

TEST(riscv_elf, reads_segments_and_fills_them_with_zeros) {
  const temporary_file file(elf_file({0x0403'0201, 5}));
  const elf_program program = read_elf(file.name(), Most);
  EXPECT_EQ(program.entry, 0x8000'0000U);
  ASSERT_EQ(program.segments.size(), 1U);
  EXPECT_EQ(program.segments[0].address, 0x8000'0000U);
  EXPECT_THAT(program.segments[0].bytes, ElementsAre(1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
}

TEST(riscv_elf, error_for_invalid_program_suggests_a_remedy) {
  EXPECT_THAT(load_error(0, 'x'),
              HasSubstr("is not an ELF file; expected a program linked by riscv64-unknown-elf-gcc"));
  EXPECT_THAT(load_error([](std::string& s) { s.clear(); }), HasSubstr("is not an ELF file"));
  EXPECT_EQ(load_error([](std::string& s) { s.resize(51); }), "ends within its ELF header");
  for (const auto& [at, value] : {std::pair<std::size_t, char>{4, 2}, {5, 2}, {18, 62}})
    EXPECT_THAT(load_error(at, value), HasSubstr("is not for little-endian 32-bit RISC-V; compile with -march=rv32im"));
  EXPECT_THAT(load_error(16, 1), HasSubstr("is not an executable; link it"));
  EXPECT_THAT(load_error(36, 1), HasSubstr("has compressed instructions; compile with -march=rv32im"));
  EXPECT_THAT(load_error(42, 56), HasSubstr("program headers of 56 bytes; expected 32"));
  EXPECT_EQ(load_error(44, 2), "ends within its program headers");
  EXPECT_EQ(load_error(31, 0x7f), "ends within its program headers");
  EXPECT_EQ(load_error([](std::string& s) { s.resize(s.size() - 1); }), "segment 0 goes past the end of the file");
  EXPECT_THAT(load_error(52 + 22, 1), HasSubstr("segment 0 has 65556 bytes, at most 65536"));
  EXPECT_THAT(load_error(52, 2), HasSubstr("has nothing to load; link it with software/link.ld"));
}

TEST(riscv_elf, error_names_a_missing_file) {
  EXPECT_THROW(
      try { read_elf("no/such/file", Most); } catch (const elf_error& e) {
        EXPECT_STREQ(e.what(), "no/such/file: No such file or directory");
        throw;
      },
      elf_error);
}
