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
      {"collective", "NAME",
       "oab, aab, mnb (broadcast from one, all or many nodes), oas, aas or mns (scatter from one, all or many nodes)"},
      {"root", "NODE", "the sender of oab and oas; default 0"},
      {"senders", "LIST", "the senders of mnb and mns; default: all nodes", true},
      {"receivers", "LIST", "the receivers of mnb and mns; default: all nodes", true},
      {"ports", "PORTS",
       "maximum number of messages that a node sends, and that it receives, in a step: one, all or a number; default: "
       "the number of its ports"},
      {"paths", "PATHS", "paths that messages may take: minimal or any"},
      {"method", "NAME", "search method: auto, or a method that --methods lists"},
      {"seconds", "N", "time limit of the search in seconds; default 60"},
      {"length", "FLITS", "length of a message with --replay; default 4"},
  };
  bool combining = false;
  unsigned jobs = default_jobs();
  std::string output, check, svg, proof, json_file;
  std::optional<std::string> times;  ///< the text TS,T1
  std::string lengths = "1,4,16,64,256,1024";
  bool list_methods = false;
  bool replay = false;
  bool quiet = false;

  /// Loads the configuration. Without CONFIG, only the options determine it. \throws configuration_error
  configuration load() const;
};

void add_schedule_options(CLI::App& command, schedule_command_options& o);

/// Rejects options that have no effect together with other options. \throws configuration_error
void reject_unused_options(const schedule_command_options& o);

/// The times in `--times`, which must be given. \throws configuration_error
schedule::time_model time_model_of(const schedule_command_options& o);

/// The message lengths in `--lengths`. \throws configuration_error
std::vector<double> lengths_of(const schedule_command_options& o);

}  // namespace weft::experiment
