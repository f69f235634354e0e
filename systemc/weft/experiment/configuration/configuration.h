// SPDX-License-Identifier: Apache-2.0
/// Everything a user chooses about an experiment, read from a YAML file and from `--set`.
///
/// Fields and defaults live here; the name, type, range and description of every key live in the table of keys
/// (keys.h), once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/core/parameters.h"
#include "weft/schedule/step_network.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"
#include "weft/workload/collective/collective_parameters.h"
#include "weft/workload/parameters.h"

namespace weft::experiment {

enum class level_kind : std::uint8_t { Pin, Tlm };
enum class implementation_kind : std::uint8_t { SystemC, Rtl };
enum class progress_kind : std::uint8_t { Auto, Never, Always };
/// What a schedule in steps is for, as the papers call it: one or all or many to all or many, broadcast or scatter.
enum class step_collective : std::uint8_t { Oab, Aab, Oas, Aas, Mnb, Mns };

/// Where a value was given. A later kind overrides an earlier one, and a file those that it includes.
struct origin {
  enum class kind : std::uint8_t { Default, File, CommandLine };
  kind from = kind::Default;
  unsigned layer = 0;  ///< the one that overrides others of its kind has more: a file those that it includes
  std::string place;   ///< "run.yaml:4:12" or "--set network.router.vcs=8"
};

/// A key and the values it goes through, as YAML. A value `first:last:step` stands for all of that range; where samples
/// are drawn, `low:high` for what lies between.
struct sweep_axis {
  std::string key;
  std::vector<std::string> values;
  std::string place;  ///< for messages: "--over", "run.yaml:7:3"
};

enum class sampling_kind : std::uint8_t { LatinHypercube, Random };

/// The points of a sweep: every combination of `over`, of the rows of `linked`, of the samples and of the replicates.
struct sweep_design {
  std::vector<sweep_axis> over;    ///< all combinations, the last axis fastest
  std::vector<sweep_axis> linked;  ///< lists of one length that go together
  std::vector<sweep_axis> sample;  ///< drawn
  unsigned samples = 100;
  sampling_kind sampling = sampling_kind::LatinHypercube;
  std::uint64_t sampling_seed = 1;
  unsigned replicates = 1;
};

/// What is inside some routers, NICs or stages.
struct implementation_choice {
  implementation_kind kind = implementation_kind::SystemC;
  std::vector<std::uint32_t> places;  ///< RTL: the routers or nodes that have it; empty = all

  bool rtl() const { return kind == implementation_kind::Rtl; }
};

struct configuration {
  struct : topology_options {
    const topology_kind* kind = &mesh_topology();  ///< one of topology_kinds()
  } topology;
  struct : routing_options {
    const routing_kind* algorithm = &grid_routing(grid_algorithm::DimensionOrder);  ///< one of routing_kinds()
    bool allow_deadlock = false;  ///< simulate even where packets can block each other for ever
  } routing;
  router_parameters router;
  implementation_choice routers;
  struct {
    cycle_t cycles = 1;
  } link;
  struct {
    unsigned payload_bits = 64;
  } flit;
  struct {
    unsigned ports = 1;
    cycle_t link_cycles = 1;
    cycle_t window = nic_parameters{}.window;
    unsigned buckets = nic_parameters{}.buckets;
    unsigned ejection_depth = nic_parameters{}.ejection_depth;
    implementation_choice whole;  ///< with all stages
    compression_parameters compression;
    implementation_choice compression_stages;
    xor_parameters coding;
  } nic;
  workload_parameters workload;
  struct {
    std::optional<collective_algorithm> algorithm;  ///< none: other traffic
    std::filesystem::path schedule;                 ///< of collective_algorithm::Schedule: a file of form ccsched/1
    collective_parameters what;                     ///< its algorithm is the one above, once all is read
    std::uint32_t length = 1;                       ///< of every datum, flits
    std::vector<std::uint32_t> lengths;             ///< by source; empty: all of `length`
    bool barriers = false;
    cycle_t xor_cycles = 0;
    double loss = 0;
    std::vector<std::uint32_t> lost;
  } collective;
  struct {
    std::optional<step_collective> collective;  ///< none: no schedule is asked for
    std::string root = "0";                     ///< of Oab and Oas: "3", "n3", "r3"
    std::vector<std::string> senders;           ///< of Mnb and Mns: "3", "0-7", "r2"; empty: all nodes
    std::vector<std::string> receivers;         ///< the same
    weft::schedule::port_rule ports;
    weft::schedule::path_rule paths = weft::schedule::path_rule::Minimal;
    bool combining = false;
    std::string method = "auto";  ///< or the name of one of methods()
    double seconds = 60;
    std::uint32_t length = 4;  ///< of a unit message in a replay, flits
  } schedule;
  sweep_design sweep;
  struct {
    level_kind level = level_kind::Pin;
    std::uint64_t seed = 1;
    std::optional<cycle_t> warmup = 2'000;  ///< none: until the transient has ended
    cycle_t measure = 10'000;               ///< 0 = until the end of the packet list
    std::optional<double> until;            ///< relative error of the mean latency; none: measure says how long
    cycle_t at_most = 1'000'000;            ///< longest window then
    cycle_t drain = 100'000;
    cycle_t deadlock_after = 5'000;
    bool clock_gating = true;
    std::optional<double> clock;  ///< GHz
  } simulation;
  struct {
    std::filesystem::path directory = "results";
    std::string name;  ///< of the result files, without suffix
    bool json = true;
    bool csv = true;
    bool event_log = false;
    bool answers = false;
    bool breakdown = false;
    bool matrix = false;
    std::optional<cycle_t> interval;  ///< of the time series; none: not recorded
    bool queues = false;              ///< in the time series
    std::vector<std::string> vcd;     ///< shell patterns on hierarchical names
    progress_kind progress = progress_kind::Auto;
  } output;

  std::filesystem::path file;                   ///< the configuration file
  std::vector<std::filesystem::path> included;  ///< files that were read before it
  std::string recorded_by;                      ///< if the file is a result: the version of Weft that wrote it
  std::map<std::string, origin> given;          ///< keys and sections that were given, by path ("network.router.vcs")

  /// Place of \p key for a message: where it was given, or the nearest section around it that was, or the
  /// file.
  std::string where(const std::string& key) const;
  /// Of several keys that together are wrong: the one given last, the first of them in doubt.
  std::string where(std::initializer_list<const char*> keys) const;
  std::string where_last(const std::vector<std::string>& keys) const;
  /// By what \p key was given.
  origin::kind given_by(const std::string& key) const;
  /// Whether \p a was given where it overrides what \p b was given by: in a later layer.
  bool overrides(const std::string& a, const std::string& b) const;

  std::uint64_t nodes() const;
  /// \p suffix of this experiment's result file with \p suffix, e.g. ".json".
  std::filesystem::path result_file(const std::string& suffix) const;
};

/// Thrown with everything found wrong.
using configuration_error = input_error;

/// A value from the command line.
struct setting {
  std::string key;     ///< "network.router.vcs", or a section
  std::string value;   ///< YAML
  std::string place;   ///< "--set network.router.vcs=8"
  unsigned layer = 0;  ///< one with more overrides those with less: PointLayer of what a command goes through
};

/// Of the values of a sweep's points, and of what a comparison compares: they may put `--set` out of use.
inline constexpr unsigned PointLayer = 1;

/// `key=value` of `--set`. \throws configuration_error
setting parse_setting(const std::string& text);

/// Reads \p file, then applies \p settings, then checks how the values fit together.
/// Paths are relative to the file that names them, in settings to the working directory.
/// \throws configuration_error
configuration load_configuration(const std::filesystem::path& file, const std::vector<setting>& settings = {});

/// The same without checking how the values fit together: for those of which settings of a sweep are still to come.
configuration load_unchecked(const std::filesystem::path& file, const std::vector<setting>& settings);

/// \throws configuration_error, at the place of \p s, if there is no such key or section
void check_key_of(const setting& s);

/// The same from a text; \p file is its name in messages and the base of its paths.
configuration parse_configuration(const std::string& text, const std::filesystem::path& file,
                                  const std::vector<setting>& settings = {});

/// Sets the defaults that depend on what was given.
void complete(configuration& c);

/// The NICs of the network, all alike.
nic_parameters nic_parameters_of(const configuration& c);

/// What is wrong with values that are each possible but do not fit together. In checks.cpp.
std::vector<diagnostic> check_configuration(const configuration& c);

/// The same of network and NICs only: for users with traffic of their own. In checks.cpp.
std::vector<diagnostic> check_hardware(const configuration& c);

/// Whether buffers have room for packets of \p flits, where they need it. In checks.cpp.
std::vector<diagnostic> check_longest_packet(const configuration& c, std::uint32_t flits);

}  // namespace weft::experiment
