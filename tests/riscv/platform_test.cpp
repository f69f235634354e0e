// SPDX-License-Identifier: Apache-2.0
/// The platform of examples/riscv_platform as a user runs it: the same program on all its networks.
#include "riscv/arithmetic.h"
#include "riscv/program_file.h"
#include "support/files.h"
#include "support/temporary_directory.h"
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using testing::HasSubstr;
using testing::StartsWith;

namespace {

struct outcome {
  int status = -1;
  std::string out, err;
};

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class riscv_platform : public testing::Test {
 protected:
  outcome run(std::vector<std::string> arguments, const std::function<void(pid_t)>& meanwhile = {}) {
    arguments.insert(arguments.begin(), RISCV_PLATFORM);
    std::vector<char*> argv;
    for (std::string& a : arguments) argv.push_back(a.data());
    argv.push_back(nullptr);
    const std::string out = file("out"), err = file("err");
    std::filesystem::remove(out);  // of a previous run
    const pid_t child = fork();
    if (child == 0) {
      dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDOUT_FILENO);
      dup2(open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
      execv(argv[0], argv.data());
      _exit(127);
    }
    if (meanwhile) meanwhile(child);
    int status = 0;
    waitpid(child, &status, 0);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), content(out), content(err)};
  }
  std::string file(const std::string& name) const { return (m_directory / name).string(); }

  /// The third column of the table.
  static std::uint64_t transactions_of_cores(const outcome& o) {
    std::istringstream lines(o.err);
    std::uint64_t sum = 0, core = 0, instructions = 0, transactions = 0, direct = 0;
    for (std::string line; std::getline(lines, line);)
      if (std::istringstream(line) >> core >> instructions >> transactions >> direct) sum += transactions;
    return sum;
  }
  static std::string simulated_time(const outcome& o) {
    std::smatch found;
    return std::regex_search(o.err, found, std::regex("simulated ([0-9.]+) us")) ? found[1].str() : "none";
  }

 private:
  temporary_directory m_directory;
};

/// The checksum that the program computes: sum (rotated by 5) of C = A x B, modulo 2^32.
std::uint32_t expected_checksum(unsigned size) {
  std::vector<std::uint32_t> a, b;
  std::uint32_t random = 1, sum = 0;
  for (unsigned i = 0; i < size * size; ++i) {
    random = random * 1664525 + 1013904223;
    a.push_back(random >> 16);
    b.push_back(random & 0xffff);
  }
  for (unsigned i = 0; i < size; ++i)
    for (unsigned j = 0; j < size; ++j) {
      std::uint32_t c = 0;
      for (unsigned k = 0; k < size; ++k) c += a[i * size + k] * b[k * size + j];
      sum = (sum << 5 | sum >> 27) ^ c;
    }
  return sum;
}

std::string expected_output(unsigned cores, unsigned size) {
  std::string text = fmt::format("multiplying on {} core{}\n", cores, cores == 1 ? "" : "s");
  unsigned first = size / cores;
  for (unsigned c = 0; c < cores; ++c) {
    const unsigned rows = c == 0 ? size / cores : (size - first) / (cores - c);
    if (c > 0) first += rows;
    text += fmt::format("core {}: {} rows\n", c, rows);
  }
  return text + fmt::format("checksum {:08x}\nC = A x B\n", expected_checksum(size));
}

#define SKIP_WITHOUT_PROGRAM(program)                                                             \
  if (std::string(program).empty())                                                               \
  GTEST_SKIP() << "needs riscv64-unknown-elf-gcc when the tests are configured: apt-get install " \
                  "gcc-riscv64-unknown-elf"

TEST_F(riscv_platform, matrix_product_is_correct_on_every_network_with_one_to_four_cores) {
  SKIP_WITHOUT_PROGRAM(MATRIX_PROGRAM);
  for (const char* network : {"bus", "loose", "contended", "cycle", "pin"})
    for (unsigned cores = 1; cores <= 4; ++cores) {
      SCOPED_TRACE(fmt::format("{}, {} cores", network, cores));
      const outcome o = run({"--network", network, "--cores", std::to_string(cores), "--size", "7", MATRIX_PROGRAM});
      EXPECT_EQ(o.status, 0) << o.err;
      EXPECT_EQ(o.out, expected_output(cores, 7));
    }
}

TEST_F(riscv_platform, computes_the_product_with_dmi_shared_memory_or_other_quanta) {
  SKIP_WITHOUT_PROGRAM(MATRIX_PROGRAM);
  for (const char* network : {"bus", "loose", "cycle", "pin"})
    for (const std::vector<std::string>& options : std::vector<std::vector<std::string>>{
             {"--dmi"}, {"--shared"}, {"--quantum", "0"}, {"--dmi", "--quantum", "100000"}}) {
      SCOPED_TRACE(fmt::format("{}, {}", network, options.front()));
      std::vector<std::string> arguments = {"--network", network, "--size", "5", MATRIX_PROGRAM};
      arguments.insert(arguments.begin(), options.begin(), options.end());
      const outcome o = run(arguments);
      EXPECT_EQ(o.status, 0) << o.err;
      EXPECT_EQ(o.out, expected_output(4, 5));
    }
}

TEST_F(riscv_platform, takes_the_same_time_at_pin_level_and_in_cycle_mode) {
  SKIP_WITHOUT_PROGRAM(MATRIX_PROGRAM);
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{}, {"--shared"}, {"--dmi"}, {"--shared", "--quantum", "0"}}) {
    const auto time_on = [&](const char* network) {
      std::vector<std::string> arguments = {"--network", network, "--size", "6", MATRIX_PROGRAM};
      arguments.insert(arguments.begin(), options.begin(), options.end());
      return simulated_time(run(arguments));
    };
    EXPECT_EQ(time_on("pin"), time_on("cycle"));
    EXPECT_NE(time_on("cycle"), "none");
  }
}

/// Two packets per transaction, there and back; the report takes no simulated time.
TEST_F(riscv_platform, traffic_report_does_not_change_the_run) {
  SKIP_WITHOUT_PROGRAM(MATRIX_PROGRAM);
  const std::vector<std::string> arguments = {"--network", "cycle", "--cores", "2", "--size", "4", MATRIX_PROGRAM};
  for (const bool dmi : {false, true}) {
    std::vector<std::string> given = arguments;
    if (dmi) given.emplace_back("--dmi");
    const outcome without = run(given);
    given.insert(given.end(), {"--report", file("traffic.txt")});
    const outcome with = run(given);
    EXPECT_EQ(with.out, without.out);
    EXPECT_EQ(with.err.substr(0, with.err.find(" in ")), without.err.substr(0, without.err.find(" in ")));

    std::istringstream list(content(file("traffic.txt")));
    std::string comment;
    std::getline(list, comment);
    std::getline(list, comment);
    struct packet_line {
      std::uint64_t id = 0, cycle = 0, from = 0, to = 0, flits = 0;
      bool read(std::istream& in) { return static_cast<bool>(in >> id >> cycle >> from >> to >> flits); }
    } request, response;
    std::uint64_t pairs = 0;
    for (; request.read(list); ++pairs) {
      ASSERT_TRUE(response.read(list));
      EXPECT_EQ(request.id, 2 * pairs);
      EXPECT_EQ(response.id, 2 * pairs + 1);
      EXPECT_EQ(response.from, request.to);
      EXPECT_EQ(response.to, request.from);
      EXPECT_GT(response.cycle, request.cycle);
      EXPECT_TRUE(request.flits + response.flits >= 4 && request.flits + response.flits <= 11) << pairs;
    }
    EXPECT_TRUE(list.eof());
    // For each core the DMA engine copies three blocks of one burst: it reads, writes and reports. The transaction that
    // ends the program is never completed.
    EXPECT_EQ(pairs, transactions_of_cores(with) - 1 + 2 * 3 * 3);
  }
}

/// Compares with the results of the host's compiler.
TEST_F(riscv_platform, matches_host_arithmetic) {
  SKIP_WITHOUT_PROGRAM(ARITHMETIC_PROGRAM);
  const outcome o = run({"--network", "loose", "--dmi", "--cores", "1", ARITHMETIC_PROGRAM});
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(o.out, fmt::format("{:08x}\n", fold_arithmetic(1000)));
}

TEST_F(riscv_platform, reports_a_core_that_stops) {
  using namespace riscv;
  const temporary_file program(elf_file({addi(1, 0, 1), 0}));
  const outcome o = run({program.name(), "--cores", "2"});
  EXPECT_EQ(o.status, 1);
  EXPECT_THAT(o.err, HasSubstr("core 0 has stopped: illegal instruction at pc 0x80000004 (mtval 0x00000000)"));
}

TEST_F(riscv_platform, a_program_can_handle_its_own_fault) {
  using namespace riscv;
  // A load from an unmapped address traps into the handler at the end, which ends the program with status 42.
  const temporary_file program(elf_file({auipc(1, 0), addi(1, 1, 16), csrrw(0, Mtvec, 1), load(2, 5, 0, 0),
                                         csrrs(6, Mcause, 0), lui(7, 0x10010), addi(6, 6, 37), store(2, 6, 7, 0x10)}));
  const outcome o = run({program.name(), "--cores", "1"});
  EXPECT_EQ(o.status, 42) << o.err;
}

TEST_F(riscv_platform, ends_when_all_cores_wait_and_no_interrupt_can_come) {
  const temporary_file program(elf_file({riscv::Wfi}));
  for (const char* network : {"bus", "loose", "cycle"}) {
    const outcome o = run({"--network", network, program.name()});
    EXPECT_EQ(o.status, 1);
    EXPECT_THAT(o.err, HasSubstr("all cores wait for interrupts, and none can come"));
  }
}

TEST_F(riscv_platform, ends_at_its_time_limit_and_on_sigint) {
  const temporary_file program(
      elf_file({riscv::lui(7, 0x10000), riscv::addi(1, 0, 10), riscv::store(2, 1, 7, 0), riscv::j_type(0, 0)}));
  const outcome limited = run({"--network", "loose", "--limit", "1", program.name()});
  EXPECT_EQ(limited.status, 1);
  EXPECT_THAT(limited.err, HasSubstr("the program has not ended after 1 ms"));
  const outcome stopped = run({"--limit", "1000000", program.name()}, [this](pid_t child) {
    while (content(file("out")).empty()) usleep(1000);  // its UART has printed
    kill(child, SIGINT);
  });
  EXPECT_EQ(stopped.status, 1);
  EXPECT_THAT(stopped.err, HasSubstr("interrupted"));
  EXPECT_THAT(stopped.err, HasSubstr("MIPS"));
}

TEST_F(riscv_platform, rejects_invalid_options_and_programs) {
  const temporary_file program(elf_file({riscv::Wfi})), elsewhere(elf_file({riscv::Wfi}, 0x9000'0000)), text("hello");
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{}, "no program\nusage:"},
      {{"--fast", program.name()}, "unknown option --fast\nusage:"},
      {{program.name(), "--cores"}, "--cores needs a value\nusage:"},
      {{program.name(), "--cores", "5"}, "--cores: '5' is not a number from 1 to 4\nusage:"},
      {{program.name(), "--cores", "2x"}, "--cores: '2x' is not a number from 1 to 4\nusage:"},
      {{program.name(), "--size", "0"}, "--size: '0' is not a number from 1 to 32\nusage:"},
      {{program.name(), "--network", "tokenring"},
       "--network: 'tokenring' is not one of bus, loose, contended, cycle, pin\nusage:"},
      {{program.name(), text.name()}, "expected one program, got "},
      {{text.name()}, "is not an ELF file"},
      {{elsewhere.name()}, "a segment lies outside the local memory of a core"},
      {{program.name(), "--report", file("no/such/folder")}, "No such file or directory"}};
  for (const auto& [arguments, message] : cases) {
    const outcome o = run(arguments);
    EXPECT_EQ(o.status, 2) << message;
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, StartsWith("riscv_platform: "));
    EXPECT_THAT(o.err, HasSubstr(message));
  }
  EXPECT_THAT(run({"--help"}).out, StartsWith("usage: riscv_platform [options] PROGRAM.elf"));
}

}  // namespace
