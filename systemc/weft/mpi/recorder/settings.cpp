// SPDX-License-Identifier: Apache-2.0
/// Reads the recorder's settings from the environment.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <unistd.h>

#include "weft/core/diagnostic.h"
#include "weft/mpi/recorder/recording.h"

namespace weft::recorder {

namespace {

std::string variable(const char* name, const char* otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr && *text != '\0' ? text : otherwise;
}

constexpr std::array<const char*, 5> Variables = {"WEFT_MPI_TRACE", "WEFT_MPI_PAYLOAD", "WEFT_MPI_CUT",
                                                  "WEFT_MPI_CUT_AT", "WEFT_MPI_CLOCK"};

/// Returns an error message for a WEFT_MPI variable that the recorder does not have; empty if there is none.
std::string unknown_variable() {
  const std::string prefix = "WEFT_MPI_";
  for (char** one = environ; one != nullptr && *one != nullptr; ++one) {
    const std::string entry = *one, name = entry.substr(0, entry.find('='));
    if (name.compare(0, prefix.size(), prefix) != 0 ||
        std::find(Variables.begin(), Variables.end(), name) != Variables.end())
      continue;
    std::string known;
    for (const char* const other : Variables) known += (known.empty() ? "" : ", ") + std::string(other);
    return name + ": unknown variable; expected one of " + known;
  }
  return {};
}

}  // namespace

settings settings_of_environment() {
  settings s;
  s.folder = variable("WEFT_MPI_TRACE", "mpi.trace");
  const std::string payload = variable("WEFT_MPI_PAYLOAD", "none");
  if (payload == "whole") {
    s.payload = trace_payload::Whole;
  } else if (payload != "none") {
    const std::optional<std::uint32_t> every = parse_number<std::uint32_t>(payload);
    if (!every || *every == 0) {
      s.fault = "WEFT_MPI_PAYLOAD=" + payload + ": expected none, whole, or N for one message of N";
    } else {
      s.payload = trace_payload::Sampled;
      s.sample = *every;
    }
  }
  const std::string at = variable("WEFT_MPI_CUT_AT", "sender");
  if (at != "sender" && at != "receiver") s.fault = "WEFT_MPI_CUT_AT=" + at + ": expected sender or receiver";
  const std::string cut = variable("WEFT_MPI_CUT", "");
  if (!cut.empty()) {
    s.cut = at == "receiver" ? truncation_point::Receiver : truncation_point::Sender;
    std::string expected = "expected the number of bits to cut from doubles, 0 to 51, or rules separated by `;`; ";
    try {
      s.truncation_rules = parse_truncation_rules(cut);
      expected.clear();
      check_truncation_rules(s.truncation_rules, s.cut);
    } catch (const std::invalid_argument& e) {
      s.fault = "WEFT_MPI_CUT=" + cut + ": " + expected + e.what();
    }
  }
  const std::string clock = variable("WEFT_MPI_CLOCK", "wall");
  if (clock != "wall" && clock != "cpu") s.fault = "WEFT_MPI_CLOCK=" + clock + ": expected wall or cpu";
  s.clock = clock == "cpu" ? trace_clock::Processor : trace_clock::Wall;
  if (cut.empty() && !variable("WEFT_MPI_CUT_AT", "").empty() && s.fault.empty())
    s.fault = "WEFT_MPI_CUT_AT=" + at +
              ": has no effect without WEFT_MPI_CUT; set WEFT_MPI_CUT, too, or leave WEFT_MPI_CUT_AT out";
  if (const std::string unknown = unknown_variable(); !unknown.empty()) s.fault = unknown;
  return s;
}

}  // namespace weft::recorder
