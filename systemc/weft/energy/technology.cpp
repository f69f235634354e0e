// SPDX-License-Identifier: Apache-2.0
#include "weft/energy/technology.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/energy/built_in.h"
#include "weft/yaml/document.h"
#include "weft/yaml/errors.h"
#include "weft/yaml/section.h"

namespace weft {

namespace {

constexpr const char* Format = "weft-technology-1";
constexpr double Most = 1e12;  ///< largest coefficient

/// The units of the numbers in a file. A file states them, so that a number in other units is not mistaken.
const std::array<std::pair<const char*, const char*>, 6> Units = {{{"energy", "fJ"},
                                                                   {"power", "nW"},
                                                                   {"area", "um2"},
                                                                   {"period", "ps"},
                                                                   {"capacitance", "fF/mm"},
                                                                   {"resistance", "ohm/mm"}}};

std::vector<std::string> names_of_units() {
  std::vector<std::string> names;
  for (const auto& [name, unit] : Units) names.emplace_back(name);
  return names;
}

class technology_reader {
 public:
  technology_reader(yaml_errors& errors, const YAML::Node& document)
      : m_errors(errors),
        m_top(errors, document, "",
              {"format", "name", "description", "source", "supply", "units", "range", "router", "nic", "codec", "link"},
              "technology file") {}

  technology read() {
    technology made;
    if (m_top.need("format")) check_text(m_top, "format", Format);
    if (m_top.need("name")) made.name = m_top.text("name");
    m_top.text("description");
    m_top.text("source");
    if (m_top.need("supply")) made.supply = number(m_top["supply"], "supply", 0.05, 20).value_or(1);
    if (m_top.need("units")) read_units();
    if (m_top.need("range")) read_range(made);
    if (m_top.need("router")) read_router(made);
    read_nic("nic", made, 0, 2);
    read_nic("codec", made, 2, NicModules);
    if (m_top.need("link")) read_link(made);
    return made;
  }

 private:
  /// Checks that the text at \p key is \p expected.
  void check_text(const yaml_section& s, const std::string& key, const std::string& expected) {
    if (s[key].IsScalar() && s[key].Scalar() == expected) return;
    m_errors.wrong(s.mark_of(key), s.path(key), expected, s[key],
                   "; convert the file, because this version of Weft reads only this");
  }

  /// The value of \p node if it is a number from \p low to \p high; otherwise records an error at \p path.
  std::optional<double> number(const YAML::Node& node, const std::string& path, double low, double high) {
    const std::optional<double> value = number_in(node);
    if (value && *value >= low && *value <= high) return value;
    m_errors.wrong(node.Mark(), path, fmt::format("a number from {:g} to {:g}", low, high), node, quotes_hint(node));
    return std::nullopt;
  }

  /// The number at \p key, which must not be negative.
  double amount(const yaml_section& s, const std::string& key, double otherwise) {
    return s.has(key) ? number(s[key], s.path(key), 0, Most).value_or(otherwise) : otherwise;
  }

  void read_units() {
    const yaml_section s(m_errors, m_top["units"], "units", names_of_units());
    for (const auto& [name, unit] : Units)
      if (s.need(name)) check_text(s, name, unit);
  }

  void read_range(technology& made) {
    const yaml_section s(m_errors, m_top["range"], "range", {"ports", "vcs", "depth", "payload_bits"});
    for (const char* name : {"ports", "vcs", "depth", "payload_bits"}) {
      if (!s.need(name)) continue;
      const YAML::Node ends = s[name];
      const bool are_two = ends.IsSequence() && ends.size() == 2;
      const auto low = are_two ? whole_number_in(ends[0]) : std::nullopt,
                 high = are_two ? whole_number_in(ends[1]) : std::nullopt;
      if (low && high && *low > 0 && *low <= *high && static_cast<double>(*high) <= Most)
        made.range.push_back({name, {static_cast<double>(*low), static_cast<double>(*high)}});
      else
        m_errors.add(s.mark_of(name), fmt::format("{}: expected the least and the greatest value in the fit, such as "
                                                  "[3, 8], got {}",
                                                  s.path(name), flow_text(ends)));
    }
  }

  void read_router(technology& made) {
    const auto& names = router_module_names();
    const yaml_section s(m_errors, m_top["router"], "router", {names.begin(), names.end()});
    for (std::size_t i = 0; i < names.size(); ++i)
      if (s.need(names[i])) made.router[i] = read_module(s, names[i], false);
    const cost_parameters least{2, 2, 2, 32, 32};
    const auto has_period = [&least](const module_cost& m) { return m.period.at(least) > 0; };
    if (s.is_map() && std::none_of(made.router.begin(), made.router.end(), has_period))
      m_errors.add(s.mark(), "router: no module has a period, which gives the clock; give period to at least one");
  }

  /// Reads the modules \p first to \p end of NICs, which a file may leave out.
  void read_nic(const char* key, technology& made, std::size_t first, std::size_t end) {
    if (!m_top.has(key)) return;
    const auto& all = nic_module_names();
    const yaml_section s(m_errors, m_top[key], key, {all.begin() + first, all.begin() + end});
    for (std::size_t i = first; i < end; ++i)
      if (s.has(all[i])) made.nic[i] = read_module(s, all[i], i >= 2);
  }

  /// \param is_stage whether the module is a stage of a NIC, which has energies of words
  module_cost read_module(const yaml_section& around, const std::string& name, bool is_stage) {
    std::vector<std::string> keys = {"cycle", "flit", "head", "toggle", "leakage", "area", "period", "error"};
    if (is_stage) keys.emplace_back("word");
    const yaml_section s(m_errors, around[name], around.path(name), keys);
    module_cost made;
    if (!s.is_map()) return made;
    for (const char* key : {"cycle", "leakage", "area"}) s.need(key);
    read_terms(s, "cycle", made.cycle);
    read_terms(s, "flit", made.flit);
    read_terms(s, "head", made.head);
    read_terms(s, "toggle", made.toggle);
    read_terms(s, "word", made.word);
    read_terms(s, "leakage", made.leakage);
    read_terms(s, "area", made.area);
    read_terms(s, "period", made.period);
    if (s.has("error")) {
      const yaml_section error(m_errors, s["error"], s.path("error"), {"mean", "worst", "points"});
      amount(error, "mean", 0);
      amount(error, "worst", 0);
    }
    return made;
  }

  void read_terms(const yaml_section& around, const std::string& key, cost_terms& made) {
    if (!around.has(key)) return;
    const YAML::Node map = around[key];
    const std::string path = around.path(key);
    if (!map.IsMap()) return m_errors.wrong(around.mark_of(key), path, "a map from products to coefficients", map);
    for (const auto& entry : map) {
      const std::string product = entry.first.IsScalar() ? entry.first.Scalar() : "";
      const std::optional<double> value = number(entry.second, path + "." + product, 0, Most);
      if (!value) continue;
      if (const std::optional<std::string> fault = made.add(product, *value))
        m_errors.add(entry.first.Mark(), fmt::format("{}: {}", path, *fault));
    }
  }

  void read_link(technology& made) {
    const yaml_section s(m_errors, m_top["link"], "link",
                         {"capacitance", "coupling", "resistance", "leakage", "area", "delay", "source"});
    if (!s.is_map()) return;
    s.need("capacitance");
    made.link.capacitance = amount(s, "capacitance", 0);
    amount(s, "coupling", 0);
    amount(s, "resistance", 0);
    made.link.leakage = amount(s, "leakage", 0);
    made.link.area = amount(s, "area", 0);
    amount(s, "delay", 0);
    s.text("source");
  }

  yaml_errors& m_errors;
  const yaml_section m_top;
};

}  // namespace

const std::array<std::string, RouterModules>& router_module_names() {
  static const std::array<std::string, RouterModules> names = {"input_unit",       "route_computation", "vc_allocator",
                                                               "switch_allocator", "crossbar",          "output_unit"};
  return names;
}

const std::array<std::string, NicModules>& nic_module_names() {
  static const std::array<std::string, NicModules> names = {"injector",     "ejector",     "compressor",
                                                            "decompressor", "xor_encoder", "xor_decoder"};
  return names;
}

std::vector<std::string> built_in_technologies() {
  std::vector<std::string> names;
  for (const built_in_file* file = BuiltInTechnologies; file->name != nullptr; ++file) names.emplace_back(file->name);
  return names;
}

technology built_in_technology(const std::string& name) {
  for (const built_in_file* file = BuiltInTechnologies; file->name != nullptr; ++file)
    if (name == file->name) return parse_technology(file->text, name + ".yaml");
  throw std::invalid_argument("no technology is called " + name);
}

technology read_technology(const std::filesystem::path& file) {
  return parse_technology(read_yaml_file(file), file.string());
}

technology parse_technology(const std::string& text, const std::string& file) {
  yaml_errors errors(file);
  const std::optional<YAML::Node> document = parse_yaml(text, errors);
  errors.throw_if_any();
  if (!document->IsDefined() || is_nothing(*document))
    throw input_error({{file, fmt::format("expected a technology file with format: {}, got an empty file", Format)}});
  technology made = technology_reader(errors, *document).read();
  errors.throw_if_any();
  return made;
}

}  // namespace weft
