// SPDX-License-Identifier: Apache-2.0
/// The configuration of an experiment, read from a YAML file and from `--set`.
///
/// This file declares the fields and their defaults. The table of keys (keys.h) contains the name, type, range and
/// description of every key.
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
/// The collective communications that `weft schedule` supports, by the abbreviations in the papers: one-to-all (OA),
/// all-to-all (AA) and many-to-many (MN), each as a broadcast (B) or a scatter (S).
enum class step_collective : std::uint8_t { Oab, Aab, Oas, Aas, Mnb, Mns };

/// The place where a value was given. In the order of `kind`, later kinds override earlier ones. A file overrides the
/// files that it includes.
struct origin {
  enum class kind : std::uint8_t { Default, File, CommandLine };
  kind from = kind::Default;
  unsigned layer = 0;  ///< values in a higher layer override values of the same kind in lower layers
  std::string place;   ///< for messages: "run.yaml:4:12" or "--set network.router.vcs=8"
};

/// A key and the values that a sweep gives it, as YAML text. A value `first:last:step` stands for all values of that
/// range. For samples, `low:high` is the interval to draw from.
struct sweep_axis {
  std::string key;
  std::vector<std::string> values;
  std::string place;  ///< for messages: "--over" or "run.yaml:7:3"
};

enum class sampling_kind : std::uint8_t { LatinHypercube, Random };

/// Defines the points of a sweep: every combination of the values in `over`, the rows of `linked`, the samples, and the
/// replicates.
struct sweep_design {
  std::vector<sweep_axis> over;    ///< axes combined in all ways; the last axis varies fastest
  std::vector<sweep_axis> linked;  ///< axes that vary together; their lists have equal length
  std::vector<sweep_axis> sample;  ///< axes whose values are drawn at random
  unsigned samples = 100;
  sampling_kind sampling = sampling_kind::LatinHypercube;
  std::uint64_t sampling_seed = 1;
  unsigned replicates = 1;
};

enum class explore_method : std::uint8_t { Nsga2, Random };

/// Selects SystemC or RTL as the implementation of routers, NICs or NIC stages.
struct implementation_choice {
  implementation_kind kind = implementation_kind::SystemC;
  std::vector<std::uint32_t> places;  ///< numbers of the routers or nodes that use RTL; empty: all

  bool rtl() const { return kind == implementation_kind::Rtl; }
};

/// The key of the offered load, which searches vary; it scales the loads of several traffics.
inline constexpr const char* LoadKey = "workload.injection.load";

struct configuration {
  struct : topology_options {
    const topology_kind* kind = &mesh_topology();  ///< one of topology_kinds()
  } topology;
  struct : routing_options {
    const routing_kind* algorithm = &grid_routing(grid_algorithm::DimensionOrder);  ///< one of routing_kinds()
    bool allow_deadlock = false;  ///< whether to simulate a network in which packets can deadlock
  } routing;
  router_parameters router;
  implementation_choice routers;
  struct {
    cycle_t cycles = 1;
    std::optional<unsigned> width;  ///< in bits of payload; no value: as wide as a flit
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
    unsigned ejection_credits = nic_parameters{}.ejection_credits;
    source_queues queues = nic_parameters{}.queues;
    implementation_choice whole;  ///< for the whole NIC with all its stages
    compression_parameters compression;
    implementation_choice compression_stages;
    xor_parameters coding;
  } nic;
  workload_parameters workload;
  struct {
    std::optional<collective_algorithm> algorithm;  ///< no value: other traffic
    std::filesystem::path schedule;                 ///< file for collective_algorithm::Schedule, in format ccsched/1
    collective_parameters what;                     ///< complete() copies `algorithm` into it
    std::uint32_t length = 1;                       ///< length of every datum in flits
    std::vector<std::uint32_t> lengths;             ///< length of the data of each source; empty: `length` for all
    bool barriers = false;
    cycle_t xor_cycles = 0;
    double loss = 0;
    std::vector<std::uint32_t> lost;
  } collective;
  struct {
    std::optional<step_collective> collective;  ///< no value: no schedule is requested
    std::string root = "0";                     ///< sender of Oab and Oas: "3", "n3" or "r3"
    std::vector<std::string> senders;           ///< senders of Mnb and Mns: "3", "0-7", "r2"; empty: all nodes
    std::vector<std::string> receivers;         ///< receivers of Mnb and Mns, written as in `senders`
    port_rule ports;
    path_rule paths = path_rule::Minimal;
    bool combining = false;
    std::string method = "auto";  ///< "auto", or a name in methods()
    double seconds = 60;
    std::uint32_t length = 4;  ///< length of a unit message in simulations, in flits
  } schedule;
  sweep_design sweep;
  struct {
    std::vector<std::string> minimize, maximize, constraints;
    std::uint64_t budget = 200;  ///< in runs of full length
    std::uint32_t population = 16;
    unsigned shorter = 4;  ///< how many times shorter the first run of a design is
    std::uint32_t seed = 1;
    explore_method method = explore_method::Nsga2;
    bool bounds = true;
    double saturation_width = 0.01;
  } explore;
  struct {
    abstraction_level level = abstraction_level::Pin;
    std::uint64_t seed = 1;
    std::optional<cycle_t> warmup = 2'000;  ///< in cycles; no value: until the transient has ended
    cycle_t measure = 10'000;               ///< in cycles; 0: until the end of the packet list
    std::optional<double> until;  ///< relative error of the mean latency that ends the window; no value: fixed length
    cycle_t at_most = 1'000'000;  ///< longest window if `until` is set, in cycles
    cycle_t drain = 100'000;
    cycle_t deadlock_after = 5'000;
    bool clock_gating = true;
    std::optional<unsigned> threads = 1;  ///< of one run; no value: find_threads()
    unsigned runs_at_once = 1;            ///< number of runs that share the processors; no key
    std::optional<double> clock;          ///< frequency in GHz
  } simulation;
  struct {
    std::filesystem::path directory = "results";
    std::string name;  ///< name of the result files without suffix
    bool json = true;
    bool csv = true;
    bool event_log = false;
    bool answers = false;
    bool breakdown = false;
    bool matrix = false;
    std::optional<cycle_t> interval;  ///< interval of the time series; no value: no time series
    bool queues = false;              ///< whether the time series includes queues
    std::vector<std::string> vcd;     ///< shell patterns for the hierarchical names of wires
    progress_kind progress = progress_kind::Auto;
    struct {
      std::string technology = "none";  ///< "none", "file", or one of built_in_technologies()
      std::filesystem::path file;       ///< for "file"
      double pitch = 1;                 ///< mm between neighboring routers
      std::optional<double> supply;     ///< V; no value: that of the technology
      bool thermal = false;             ///< whether to write a floor plan and the power over time
      bool clock_gating = false;        ///< whether only words that are written are clocked in buffers

      bool enabled() const { return technology != "none"; }
    } energy;
  } output;

  std::filesystem::path file;                   ///< the configuration file
  std::vector<std::filesystem::path> included;  ///< all files that it includes, directly or indirectly
  std::string recorded_by;                      ///< version of Weft that wrote the file, if it is a result
  std::map<std::string, origin> given;          ///< origin of each given key and section, by path

  /// Place of \p key for a message: the place where the key or the nearest enclosing section was given, or the
  /// beginning of the file if neither was given.
  std::string where(const std::string& key) const;
  /// Place for a message about \p keys whose values do not fit together: the place of the key that overrides the
  /// others. If several keys have the same origin, the first one counts.
  std::string where(std::initializer_list<const char*> keys) const;
  std::string where_last(const std::vector<std::string>& keys) const;
  /// The kind of the origin of \p key; Default if the key was not given.
  origin::kind given_by(const std::string& key) const;
  /// Whether key \p a was given by a later kind or in a higher layer than key \p b. The value of \p a is then an
  /// override, and \p b may have lost its effect by it.
  bool overrides(const std::string& a, const std::string& b) const;

  std::uint64_t nodes() const;
  /// The path of this experiment's result file with \p suffix, such as ".json".
  std::filesystem::path result_file(const std::string& suffix) const;
};

/// Thrown with all errors found.
using configuration_error = input_error;

/// A value from the command line.
struct setting {
  std::string key;     ///< a key such as "network.router.vcs", or a section
  std::string value;   ///< the value as YAML text
  std::string place;   ///< for messages: "--set network.router.vcs=8"
  unsigned layer = 0;  ///< higher layers override lower ones; 0 or PointLayer
};

/// Layer of the values that a sweep point or a comparison sets. They override values of `--set` and may make other
/// values of `--set` ineffective.
inline constexpr unsigned PointLayer = 1;

/// Parses the `key=value` of `--set`. \throws configuration_error
setting parse_setting(const std::string& text);

/// Reads \p file, applies \p settings, and checks whether the values fit together. Paths in a file are relative to the
/// directory of the file, and paths in settings to the working directory.
/// \throws configuration_error
configuration load_configuration(const std::filesystem::path& file, const std::vector<setting>& settings = {});

/// Like load_configuration(), but does not check whether the values fit together. For sweeps, which add further
/// settings later.
configuration load_unchecked(const std::filesystem::path& file, const std::vector<setting>& settings);

/// Checks that the key or section of \p s exists. \throws configuration_error at the place of \p s if it does not
void check_key_of(const setting& s);

/// Like load_configuration(), but reads \p text. \p file is the name of the text in messages, and paths are relative to
/// the directory of \p file.
configuration parse_configuration(const std::string& text, const std::filesystem::path& file,
                                  const std::vector<setting>& settings = {});

/// Like parse_configuration(), but does not check whether the values fit together.
configuration parse_unchecked(const std::string& text, const std::filesystem::path& file,
                              const std::vector<setting>& settings);

/// Sets the defaults that depend on given values, and resets keys that have lost their effect by an override.
void complete(configuration& c);

/// The parameters of all NICs.
nic_parameters nic_parameters_of(const configuration& c);

/// Errors of values that are valid individually but do not fit together. In checks.cpp.
std::vector<diagnostic> check_configuration(const configuration& c);

/// Like check_configuration(), but checks only the network and the NICs. For virtual platforms, which have their own
/// traffic. In checks.cpp.
std::vector<diagnostic> check_hardware(const configuration& c);

/// Checks that \p c describes traffic. \throws configuration_error for a collective or a program, which `weft
/// collective` and `weft replay` simulate
void require_flowing_traffic(const configuration& c);

/// Whether the packets of \p c have destinations of a pattern. They have none for packet lists, programs and
/// collectives. False also if there are several traffics and all are closed loops, whose relative loads are unknown.
bool has_pattern(const configuration& c);

/// Errors of buffers that must hold a whole packet but are too small for packets of \p flits flits. In checks.cpp.
std::vector<diagnostic> check_longest_packet(const configuration& c, std::uint32_t flits);

}  // namespace weft::experiment
