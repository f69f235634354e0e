// SPDX-License-Identifier: Apache-2.0
/// The options of `weft schedule`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/time.h"
#include "weft/command/command.h"
#include "weft/configuration/configuration.h"

namespace weft::experiment {

/// An option that abbreviates a key of section `schedule`.
struct key_option {
  const char* name;  ///< name of the key
  const char* type;
  const char* description;
  bool is_list = false;
  std::optional<std::string> value{};
};

struct schedule_command_options {
  input in;
  std::vector<key_option> keys = {
      {"collective", "NAME", "oab, aab, oas, aas, mnb or mns: one, all or many to all or many, broadcast or scatter"},
      {"root", "NODE", "the sender of oab and oas; default 0"},
      {"senders", "LIST", "the senders of mnb and mns; default: all nodes", true},
      {"receivers", "LIST", "the receivers of mnb and mns; default: all nodes", true},
      {"ports", "PORTS",
       "messages that a node may send, and receive, in a step: one, all or a number; default: its ports"},
      {"paths", "PATHS", "paths of messages: minimal or any"},
      {"method", "NAME", "method of search: auto or one of --methods"},
      {"seconds", "N", "time to search; default 60"},
      {"length", "FLITS", "length of a message with --replay; default 4"},
  };
  bool combining = false;
  unsigned jobs = default_jobs();
  std::string output, check, svg, proof, json_file;
  std::optional<std::string> times;  ///< TS,T1
  std::string lengths = "1,4,16,64,256,1024";
  bool list_methods = false;
  bool replay = false;
  bool quiet = false;

  /// Without CONFIG, the configuration of the command line only. \throws configuration_error
  configuration load() const;
};

void add_schedule_options(CLI::App& command, schedule_command_options& o);

/// Rejects options without effect beside others. \throws configuration_error
void reject_unused_options(const schedule_command_options& o);

/// Parses `--times`, which must be given. \throws configuration_error
schedule::time_model time_model_of(const schedule_command_options& o);

/// Parses `--lengths`. \throws configuration_error
std::vector<double> lengths_of(const schedule_command_options& o);

}  // namespace weft::experiment
