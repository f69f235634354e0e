#include "weft/tlm/yaml.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "weft/core/suggest.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/run/run.h"
#include "weft/tlm/address_map.h"

namespace weft::tlm {

namespace {

using experiment::configuration_error;

struct unit {
  const char* name;
  std::uint64_t factor;
};

/// A number, decimal or hexadecimal, and one of \p units after it, or none if there is none.
std::optional<std::uint64_t> parse(const std::string& text, const std::vector<unit>& units) {
  const bool hex = text.rfind("0x", 0) == 0 || text.rfind("0X", 0) == 0;
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  auto [stop, error] = std::from_chars(text.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
  if (error != std::errc()) return std::nullopt;
  while (stop != end && *stop == ' ') ++stop;
  const std::string rest(stop, end);
  for (const unit& u : units)
    if (rest == u.name && value <= ~std::uint64_t{0} / u.factor) return value * u.factor;
  return std::nullopt;
}

const std::vector<unit> Plain{{"", 1}};
const std::vector<unit> Bytes{{"", 1}, {"KiB", 1ULL << 10}, {"MiB", 1ULL << 20}, {"GiB", 1ULL << 30}};
const std::vector<unit> Femtoseconds{{"fs", 1},
                                     {"ps", 1000},
                                     {"ns", 1000'000},
                                     {"us", 1000'000'000},
                                     {"ms", 1000'000'000'000},
                                     {"s", 1000'000'000'000'000}};

/// Reads the section `tlm`.
class reader {
 public:
  reader(std::string file, noc_parameters& p) : m_file(std::move(file)), m_parameters(p) {}

  void read(const YAML::Node& section) {
    read_map(
        section, "tlm",
        {"allow_dmi", "clock_period", "map", "max_packet_flits", "mode", "queue_depth", "receive_depth", "translate"},
        [this](const std::string& name, const YAML::Node& value) { read_key(name, value); });
  }

  std::vector<diagnostic> take_errors() { return std::move(m_errors); }

  /// Place of a key of the section, or of the section.
  std::string where(const std::string& name) const {
    const auto at = m_places.find(name);
    return at != m_places.end() ? at->second : m_places.at("tlm");
  }
  bool has(const std::string& name) const { return m_places.count(name) > 0; }

  std::string place(const YAML::Mark& mark) const {
    return m_file + ":" + std::to_string(mark.line + 1) + ":" + std::to_string(mark.column + 1);
  }
  void error(const YAML::Mark& mark, std::string message) { m_errors.push_back({place(mark), std::move(message)}); }
  void begin(const YAML::Mark& mark) { m_places["tlm"] = place(mark); }

 private:
  template <typename F>
  void read_map(const YAML::Node& map, const std::string& path, const std::vector<std::string>& names, F use) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    if (!map.IsMap()) return error(map.Mark(), path + ": expected a map with " + list);
    std::set<std::string> seen;
    for (const auto& entry : map) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        const std::string hint = did_you_mean(name, names);
        error(entry.first.Mark(),
              "unknown key '" + name + "' in " + path + (hint.empty() ? "; expected one of " + list : hint));
      } else if (!seen.insert(name).second) {
        error(entry.first.Mark(), "key '" + name + "' is given twice");
      } else {
        use(name, entry.second);
      }
    }
  }

  void wrong(const YAML::Node& value, const std::string& path, const std::string& expected) {
    error(value.Mark(), path + ": expected " + expected + ", got " +
                            (value.IsScalar() ? "'" + value.Scalar() + "'"
                             : value.IsNull() ? "nothing"
                                              : "a list or map"));
  }

  std::optional<std::uint64_t> number(const YAML::Node& value, const std::string& path, const std::vector<unit>& units,
                                      std::uint64_t least, std::uint64_t most, const std::string& expected) {
    const auto parsed = value.IsScalar() ? parse(value.Scalar(), units) : std::nullopt;
    if (parsed && *parsed >= least && *parsed <= most) return parsed;
    wrong(value, path, expected);
    return std::nullopt;
  }

  void count(const YAML::Node& value, const std::string& path, unsigned& out, std::uint64_t most) {
    if (const auto n = number(value, path, Plain, 1, most, "an integer from 1 to " + std::to_string(most)))
      out = static_cast<unsigned>(*n);
  }

  void flag(const YAML::Node& value, const std::string& path, bool& out) {
    if (value.IsScalar() && (value.Scalar() == "true" || value.Scalar() == "false"))
      out = value.Scalar() == "true";
    else
      wrong(value, path, "true or false");
  }

  void read_key(const std::string& name, const YAML::Node& value) {
    const std::string path = "tlm." + name;
    m_places[name] = place(value.Mark());
    noc_parameters& p = m_parameters;
    if (name == "allow_dmi") return flag(value, path, p.allow_dmi);
    if (name == "translate") return flag(value, path, p.translate);
    if (name == "queue_depth") return count(value, path, p.queue_depth, 4096);
    if (name == "receive_depth") return count(value, path, p.receive_depth, 4096);
    if (name == "max_packet_flits") return count(value, path, p.max_packet_flits, 16384);
    if (name == "map") return read_regions(value);
    if (name == "mode") {
      if (value.IsScalar() && (value.Scalar() == "cycle" || value.Scalar() == "loose"))
        p.mode = value.Scalar() == "cycle" ? timing::Cycle : timing::Loose;
      else
        wrong(value, path, "cycle or loose");
      return;
    }
    constexpr std::uint64_t Most = 1'000'000'000'000'000;  // 1 s
    if (const auto fs = number(value, path, Femtoseconds, 1, Most, "a time up to 1 s with its unit, as in '500 ps'")) {
      const sc_core::sc_time period(static_cast<double>(*fs), sc_core::SC_FS);
      if (period == sc_core::SC_ZERO_TIME)
        wrong(value, path, "at least the resolution of SystemC, " + sc_core::sc_get_time_resolution().to_string());
      else
        p.clock_period = period;
    }
  }

  void read_regions(const YAML::Node& list) {
    if (!list.IsSequence()) return wrong(list, "tlm.map", "a list of regions {base, size, node}");
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string path = "tlm.map[" + std::to_string(i) + "]";
      region r;
      std::set<std::string> given;
      read_map(list[i], path, {"base", "node", "size"}, [&](const std::string& name, const YAML::Node& value) {
        given.insert(name);
        const bool is_node = name == "node";
        const std::uint64_t most = is_node ? m_parameters.graph.nodes.size() - 1 : ~std::uint64_t{0};
        const auto n =
            number(value, path + "." + name, is_node ? Plain : Bytes, name == "size" ? 1 : 0, most,
                   is_node ? "a node from 0 to " + std::to_string(most)
                           : "a number as in 0x8000 or '64 KiB'" + std::string(name == "size" ? ", above 0" : ""));
        if (n && is_node) r.node = static_cast<node_id>(*n);
        if (n && !is_node) (name == "base" ? r.base : r.size) = *n;
      });
      if (!list[i].IsMap()) continue;
      for (const char* const name : {"base", "size", "node"})
        if (given.count(name) == 0) error(list[i].Mark(), path + ": expected a '" + name + "'; give it");
      m_parameters.map.push_back(r);
    }
  }

  const std::string m_file;
  noc_parameters& m_parameters;
  std::map<std::string, std::string> m_places;
  std::vector<diagnostic> m_errors;
};

/// \p text without lines \p from to \p end - 1, the others where they were.
std::string blanked(const std::string& text, int from, int end) {
  std::istringstream in(text);
  std::string result, line;
  for (int i = 0; std::getline(in, line); ++i) result += (i >= from && i < end ? "" : line) + "\n";
  return result;
}

}  // namespace

noc_parameters from_yaml_text(const std::string& text, const std::filesystem::path& file) {
  noc_parameters p;
  reader r(file.string(), p);
  YAML::Node section;
  std::string rest = text;
  try {
    const YAML::Node root = YAML::Load(text);
    if (root.IsMap()) {
      int from = -1, end = std::numeric_limits<int>::max();
      std::set<int> lines;
      for (const auto& entry : root) {
        const YAML::Mark mark = entry.first.Mark();
        if (from >= 0 && end == std::numeric_limits<int>::max()) end = mark.line;
        if (!lines.insert(mark.line).second && (from >= 0 || entry.first.Scalar() == "tlm"))
          throw configuration_error(
              {{r.place(mark), "section tlm: expected on lines of its own; put a line break here"}});
        if (!entry.first.IsScalar() || entry.first.Scalar() != "tlm") continue;
        if (from >= 0) throw configuration_error({{r.place(mark), "key 'tlm' is given twice"}});
        from = mark.line;
        section = entry.second;
        r.begin(mark);
      }
      if (from >= 0) rest = blanked(text, from, end);
    }
  } catch (const YAML::Exception& e) {
    throw configuration_error({{r.place(e.mark), "YAML syntax: " + e.msg}});
  }
  if (!r.has("tlm"))
    throw configuration_error({{file.string() + ":1:1",
                                "no section tlm; give one, with at least a map: [{base: 0, size: 64 KiB, node: 0}]"}});

  // The workload's default packets would be checked against the buffers; there are none here.
  const experiment::configuration c =
      experiment::parse_configuration(rest, file, {{"workload.length.flits", "1", "weft::tlm::from_yaml"}});
  std::vector<diagnostic> errors;
  for (const auto& [key, from] : c.given) {
    if (from.from != experiment::origin::kind::File) continue;
    for (const char* const foreign :
         {"workload", "simulation", "output", "nic.compression.implementation", "nic.compression.rtl_nodes"})
      if (key == foreign) errors.push_back({from.place, key + " has no effect in a virtual platform; take it out"});
  }
  if (!errors.empty()) throw configuration_error(std::move(errors));

  p.graph = experiment::build_network(c);
  p.router = c.router;
  p.nic = {c.nic.window, c.nic.ejection_depth, c.nic.buckets, c.nic.compression};
  if (c.given_by("nic.ejection_depth") == experiment::origin::kind::Default) p.nic.ejection_depth = c.router.depth;
  p.payload_bits = c.flit.payload_bits;
  r.read(section);
  errors = r.take_errors();
  if (!errors.empty()) throw configuration_error(std::move(errors));
  try {
    check_parameters(p);
  } catch (const std::invalid_argument& e) {
    const std::string message = e.what(), name = message.substr(0, message.find(' '));
    throw configuration_error(
        {{r.has(name) || name.find('.') == std::string::npos ? r.where(name) : c.where(name), message}});
  }
  try {
    address_map(p.map, p.graph.nodes.size());
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{r.where("map"), std::string("tlm.map: ") + e.what()}});
  }
  return p;
}

noc_parameters from_yaml(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, error))
    throw configuration_error({{file.string(), "cannot be opened; expected a YAML file"}});
  std::ostringstream text;
  text << in.rdbuf();
  return from_yaml_text(text.str(), file);
}

}  // namespace weft::tlm
