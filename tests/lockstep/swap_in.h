// SPDX-License-Identifier: Apache-2.0
/// Runs the weft command on a network with SystemC modules and with RTL. The event logs of both must be equal, byte for
/// byte.
#pragma once

#include "cli/command.h"
#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::cli {

using settings = std::vector<std::string>;  ///< arguments of --set

/// A network that is simulated with several choices of RTL parts.
struct swapped_network {
  const char* name;
  std::string text;
  settings rtl{};
};

inline void PrintTo(const swapped_network& n, std::ostream* out) { *out << n.name; }

constexpr const char* UniformTraffic =
    "workload: {injection: {load: 0.4}, length: {kind: uniform, min: 1, max: 8}}\n"
    "simulation: {warmup: 100, measure: 700}\n";

class swap_in_test : public command_test {
 protected:
  using arguments = std::vector<std::string>;

  /// Runs \p command on case.yaml with the additional arguments \p more.
  command_result call(const char* command, const arguments& more) {
    arguments all = {command, "case.yaml"};
    all.insert(all.end(), more.begin(), more.end());
    return weft(all);
  }

  /// Returns the event log of case.yaml. The results are written to \p directory.
  std::string events_of(const char* command, const std::string& directory, const settings& more = {}) {
    arguments all = {"-q", "-o", directory, "--set", "output.event_log=true"};
    for (const std::string& setting : more) all.insert(all.end(), {"--set", setting});
    const command_result r = call(command, all);
    EXPECT_EQ(r.status, 0) << r.out << r.err;
    return read(directory + "/case.events");
  }

  /// Runs case.yaml in SystemC and with each of the settings \p rtl, and expects equal event logs.
  void expect_same(const char* command, const std::vector<settings>& rtl) {
    const std::string systemc = events_of(command, "systemc");
    EXPECT_GT(std::count(systemc.begin(), systemc.end(), '\n'), 2000);
    for (const settings& chosen : rtl) {
      EXPECT_TRUE(events_of(command, "rtl", chosen) == systemc)
          << "the event logs differ with " << testing::PrintToString(chosen) << ": " << m_directory.path();
      EXPECT_EQ(read("rtl/case.csv"), read("systemc/case.csv")) << testing::PrintToString(chosen);
    }
  }

  /// Expects that a sweep over \p key gives the same results for both values of this key.
  void expect_same_in_sweep(const std::string& key) {
    const command_result r = call("sweep", {"--over", key + "=systemc,rtl", "-q", "-j", "2", "-o", "results"});
    ASSERT_EQ(r.status, 0) << r.out << r.err;
    const std::string csv = read("results/case.sweep.csv");
    const auto row = [&csv](const std::string& implementation) {
      const std::size_t at = csv.find("\n" + implementation + ",");
      EXPECT_NE(at, std::string::npos) << csv;
      const std::size_t begin = at + implementation.size() + 2;
      return csv.substr(begin, csv.find('\n', begin) - begin);
    };
    EXPECT_EQ(row("systemc"), row("rtl"));
  }

  /// Expects that `check` and `run` reject case.yaml with \p setting, and that the error begins with \p place and
  /// contains \p why.
  void expect_rejection(const char* setting, const std::string& place, const char* why) {
    for (const char* command : {"check", "run"}) {
      const command_result r = call(command, {"--set", setting});
      EXPECT_EQ(r.status, 2) << setting;
      EXPECT_THAT(r.err, testing::StartsWith("case.yaml:" + place)) << setting;
      EXPECT_THAT(r.err, testing::HasSubstr(why)) << setting;
    }
  }
};

/// Returns the settings \p first followed by \p more.
inline settings joined(settings first, const settings& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

}  // namespace weft::cli
