// SPDX-License-Identifier: Apache-2.0
/// The configuration of an experiment, read from a YAML file and from `--set`.
///
/// This file has the fields and defaults. The table of keys (keys.h) has the name, type, range and description of every
/// key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/core/parameters.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/routing_kind.h"
#include "weft/workload/collective_parameters.h"
#include "weft/workload/parameters.h"
#include "weft/workload/schedule_parameters.h"

namespace weft::experiment {

enum class abstraction_level : std::uint8_t { Pin, Engine };
enum class implementation_kind : std::uint8_t { SystemC, Rtl };
enum class progress_kind : std::uint8_t { Auto, Never, Always };
/// The collective of a schedule in steps, named as in the papers: one/all/many-to-all/many, broadcast or scatter.
enum class step_collective : std::uint8_t { Oab, Aab, Oas, Aas, Mnb, Mns };

/// The place where a value was given. A later kind overrides an earlier one, and a file overrides the files that it
/// includes.
struct origin {
  enum class kind : std::uint8_t { Default, File, CommandLine };
  kind from = kind::Default;
  unsigned layer = 0;  ///< within a kind, higher layers override lower ones; a file is above those it includes
  std::string place;   ///< "run.yaml:4:12" or "--set network.router.vcs=8"
};

/// A key and its sweep values, as YAML. A value `first:last:step` represents the whole range; for samples, `low:high`
/// is an interval.
struct sweep_axis {
  std::string key;
  std::vector<std::string> values;
  std::string place;  ///< place for messages: "--over", "run.yaml:7:3"
};

enum class sampling_kind : std::uint8_t { LatinHypercube, Random };

/// The points of a sweep: all combinations of `over`, the rows of `linked`, the samples, and the replicates.
struct sweep_design {
  std::vector<sweep_axis> over;    ///< all combinations, the last axis fastest
  std::vector<sweep_axis> linked;  ///< lists of equal length that vary together
  std::vector<sweep_axis> sample;  ///< drawn
  unsigned samples = 100;
  sampling_kind sampling = sampling_kind::LatinHypercube;
  std::uint64_t sampling_seed = 1;
  unsigned replicates = 1;
};

/// The implementation of some routers, NICs or stages.
struct implementation_choice {
  implementation_kind kind = implementation_kind::SystemC;
  std::vector<std::uint32_t> places;  ///< RTL: the routers or nodes that use it; empty = all

  bool rtl() const { return kind == implementation_kind::Rtl; }
};

struct configuration {
  struct : topology_options {
    const topology_kind* kind = &mesh_topology();  ///< one of topology_kinds()
  } topology;
  struct : routing_options {
    const routing_kind* algorithm = &grid_routing(grid_algorithm::DimensionOrder);  ///< one of routing_kinds()
    bool allow_deadlock = false;  ///< simulate even if packets can deadlock
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
    implementation_choice whole;  ///< the NIC including all stages
    compression_parameters compression;
    implementation_choice compression_stages;
    xor_parameters coding;
  } nic;
  workload_parameters workload;
  struct {
    std::optional<collective_algorithm> algorithm;  ///< none: other traffic
    std::filesystem::path schedule;                 ///< for collective_algorithm::Schedule: a file of format ccsched/1
    collective_parameters what;                     ///< its algorithm is the one above after reading
    std::uint32_t length = 1;                       ///< length of every datum in flits
    std::vector<std::uint32_t> lengths;             ///< by source; empty: `length` for all
    bool barriers = false;
    cycle_t xor_cycles = 0;
    double loss = 0;
    std::vector<std::uint32_t> lost;
  } collective;
  struct {
    std::optional<step_collective> collective;  ///< nothing: no schedule is requested
    std::string root = "0";                     ///< for Oab and Oas: "3", "n3", "r3"
    std::vector<std::string> senders;           ///< for Mnb and Mns: "3", "0-7", "r2"; empty: all nodes
    std::vector<std::string> receivers;         ///< the same
    weft::schedule::port_rule ports;
    weft::schedule::path_rule paths = weft::schedule::path_rule::Minimal;
    bool combining = false;
    std::string method = "auto";  ///< or the name of one of methods()
    double seconds = 60;
    std::uint32_t length = 4;  ///< of a unit message when simulated, in flits
  } schedule;
  sweep_design sweep;
  struct {
    abstraction_level level = abstraction_level::Pin;
    std::uint64_t seed = 1;
    std::optional<cycle_t> warmup = 2'000;  ///< nothing: until the transient has ended
    cycle_t measure = 10'000;               ///< 0 = until the end of the packet list
    std::optional<double> until;            ///< relative error of mean latency that ends the window; nothing: fixed
    cycle_t at_most = 1'000'000;            ///< longest window with `until`
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
    std::optional<cycle_t> interval;  ///< of the time series; nothing: no time series
    bool queues = false;              ///< whether the time series includes queues
    std::vector<std::string> vcd;     ///< shell patterns for hierarchical names
    progress_kind progress = progress_kind::Auto;
  } output;

  std::filesystem::path file;                   ///< the configuration file
  std::vector<std::filesystem::path> included;  ///< files that were read before it, because it includes them
  std::string recorded_by;                      ///< if the file is a result, the version of Weft that wrote it
  std::map<std::string, origin> given;          ///< origin of each given key and section, by path

  /// Place of \p key for a message: where it, or the nearest enclosing section, was given; otherwise the file.
  std::string where(const std::string& key) const;
  /// The same for a combination of keys that is wrong: the one given last; of several, the first.
  std::string where(std::initializer_list<const char*> keys) const;
  std::string where_last(const std::vector<std::string>& keys) const;
  /// The kind of origin of \p key.
  origin::kind given_by(const std::string& key) const;
  /// Whether \p a was given in a later layer than \p b, so that it overrides what \p b came from.
  bool overrides(const std::string& a, const std::string& b) const;

  std::uint64_t nodes() const;
  /// The name of this experiment's result file with \p suffix, such as ".json".
  std::filesystem::path result_file(const std::string& suffix) const;
};

/// Thrown with all errors found.
using configuration_error = input_error;

/// A value from the command line.
struct setting {
  std::string key;     ///< "network.router.vcs", or a section
  std::string value;   ///< YAML
  std::string place;   ///< "--set network.router.vcs=8"
  unsigned layer = 0;  ///< higher layers override lower ones; PointLayer for values that a command iterates over
};

/// Layer of sweep points and of the values of a comparison, which may make a `--set` ineffective.
inline constexpr unsigned PointLayer = 1;

/// Parses the `key=value` of `--set`. \throws configuration_error
setting parse_setting(const std::string& text);

/// Reads \p file, applies \p settings, and checks whether the values fit together. Paths are relative to the file that
/// contains them, in settings to the working directory.
/// \throws configuration_error
configuration load_configuration(const std::filesystem::path& file, const std::vector<setting>& settings = {});

/// The same without checking whether the values fit together, for sweeps, whose settings follow later.
configuration load_unchecked(const std::filesystem::path& file, const std::vector<setting>& settings);

/// \throws configuration_error, at the place of \p s, if its key or section does not exist
void check_key_of(const setting& s);

/// The same from a text; \p file is its name in messages and the base of its paths.
configuration parse_configuration(const std::string& text, const std::filesystem::path& file,
                                  const std::vector<setting>& settings = {});

/// Sets the defaults that depend on given values.
void complete(configuration& c);

/// The parameters of all NICs.
nic_parameters nic_parameters_of(const configuration& c);

/// Errors of values that are valid individually but do not fit together. In checks.cpp.
std::vector<diagnostic> check_configuration(const configuration& c);

/// The same for network and NICs only, for users with their own traffic. In checks.cpp.
std::vector<diagnostic> check_hardware(const configuration& c);

/// Checks that buffers that must hold a whole packet are large enough for packets of \p flits flits. In checks.cpp.
std::vector<diagnostic> check_longest_packet(const configuration& c, std::uint32_t flits);

}  // namespace weft::experiment
