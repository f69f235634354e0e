// SPDX-License-Identifier: Apache-2.0
#include "sources/module_ports.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

namespace weft::sources {
namespace {

/// The text between the bracket at \p open and its closing bracket.
std::string within(const std::string& text, std::size_t open, char left, char right) {
  unsigned depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    depth += text[i] == left;
    depth -= text[i] == right;
    if (depth == 0) return text.substr(open + 1, i - open - 1);
  }
  throw std::runtime_error(std::string("no ") + right);
}

std::vector<std::string> all_matches(const std::string& text, const std::regex& pattern) {
  std::vector<std::string> found;
  for (std::sregex_iterator m(text.begin(), text.end(), pattern), end; m != end; ++m) found.push_back((*m)[1]);
  return found;
}

/// The RTL names for a wire of SystemC: required names, names of which one is required, and optional ones.
struct expansion {
  std::vector<std::string> must, some, may;
};

/// The records between the parts of a router, from which each part takes the fields that it needs.
const std::map<std::string, std::vector<std::string>> RouterRecords = {
    {"buffer_status", {"occupied", "tail"}},
    {"vc_assignment", {"active", "port", "vc"}},
    {"credit_status", {"available", "busy"}},
    {"switch_grants", {"input", "tail", "vc", "output", "out_vc"}},
};

/// \param whole the RTL has a wire with the name of \p p
expansion expansion_of(const port& p, bool whole) {
  const std::string stem = p.name.substr(0, p.name.size() - 2), suffix = p.name.substr(p.name.size() - 2);
  const auto starts = [&p](const char* type) { return p.type.rfind(type, 0) == 0; };
  const auto record = RouterRecords.find(p.type);
  if (record != RouterRecords.end()) {
    expansion e;
    for (const std::string& field : record->second) e.some.push_back(stem + '_' + field + suffix);
    return e;
  }
  if (!whole && (p.type == "flit_t" || starts("flit<"))) {
    expansion e{{stem + "_valid" + suffix}, {}, {}};
    if (p.vector) return e;
    for (const char* field : {"_head", "_tail", "_header", "_payload"}) e.must.push_back(stem + field + suffix);
    for (const char* field : {"_code", "_error"}) e.may.push_back(stem + field + suffix);
    return e;
  }
  if (starts("chunk<")) return {{p.name, "length" + suffix}, {}, {}};
  if (starts("window<")) return {{p.name, "available" + suffix}, {}, {}};
  return {{p.name}, {}, {}};
}

}  // namespace

std::string source_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::stringstream text;
  text << in.rdbuf();
  return std::regex_replace(text.str(), std::regex("//[^\n]*"), "");
}

module_interface systemc_module(const std::string& source, const std::string& name) {
  module_interface m;
  m.name = name;
  std::smatch head;
  const std::regex declaration("(?:template <([^>]*)>\\s*)?class " + name + R"( : public ([\w:]+)(?:<(\w+)<)?)");
  if (!std::regex_search(source, head, declaration)) throw std::runtime_error("no class " + name);
  m.base = head[3].matched ? head[3] : head[2];  // searches<entries<…>> is derived from its entries, and adds no ports
  m.parameters = all_matches(head[1], std::regex(R"((\w+)\s*(?:,|$))"));
  const std::string body = within(source, source.find('{', static_cast<std::size_t>(head.position(2))), '{', '}');

  const std::regex port_pattern(R"((sc_core::sc_vector<)?(?:sc_core::|pin::)?(sc_in|sc_out|in_port|out_port)(s?)<)"
                                R"(([\w:]+(?:<[^;{]*>)?)>>? (\w+_(?:i|o|ni))[;{])");
  for (std::sregex_iterator p(body.begin(), body.end(), port_pattern), end; p != end; ++p)
    m.ports.push_back(
        {(*p)[2] == "sc_in" || (*p)[2] == "in_port", (*p)[4], (*p)[1].matched || (*p)[3] == "s", (*p)[5]});
  return m;
}

module_interface systemverilog_module(const std::string& source, const std::string& name) {
  module_interface m;
  m.name = name;
  const std::size_t start = source.find("module weft_" + name);
  if (start == std::string::npos) throw std::runtime_error("no module weft_" + name);
  std::size_t open = source.find_first_of("#(", start);
  if (open != std::string::npos && source[open] == '#') {
    open = source.find('(', open);
    const std::string parameters = within(source, open, '(', ')');
    m.parameters = all_matches(parameters, std::regex(R"(\bparameter [\w ]*?(\w+)\s*=)"));
    open = source.find('(', open + parameters.size() + 2);
  }
  const std::string list = within(source, open, '(', ')');
  const std::regex port_pattern(R"(\b(input|output)\s+(?:wire\s+)?([\w:]+)\s*((?:\[[^\]]*\]\s*)*)(\w+))");
  for (std::sregex_iterator p(list.begin(), list.end(), port_pattern), end; p != end; ++p)
    m.ports.push_back({(*p)[1] == "input", (*p)[2], (*p)[3].length() != 0, (*p)[4]});
  return m;
}

std::vector<std::string> differences(const module_interface& systemc, const module_interface& rtl,
                                     const std::vector<std::string>& optional,
                                     const std::vector<std::string>& constructed) {
  std::vector<std::string> found;
  std::map<std::string, const port*> in_rtl;
  for (const port& p : rtl.ports) in_rtl[p.name] = &p;

  std::set<std::string> known(constructed.begin(), constructed.end());
  const auto compare = [&](const port& p, const std::string& wire, bool must) {
    known.insert(wire);
    const auto there = in_rtl.find(wire);
    if (there == in_rtl.end()) {
      if (must) found.push_back("RTL has no " + wire);
      return;
    }
    if (there->second->input != p.input) found.push_back(wire + " has another direction in RTL");
    if (wire == p.name && (p.type == "bool" && !p.vector) != (there->second->type == "logic" && !there->second->vector))
      found.push_back(wire + " is " + p.type + " in SystemC and of another width in RTL");
  };
  for (const port& p : systemc.ports) {
    const bool may_lack = std::find(optional.begin(), optional.end(), p.name) != optional.end();
    const expansion e = expansion_of(p, in_rtl.count(p.name) != 0);
    for (const std::string& wire : e.must) compare(p, wire, !may_lack);
    for (const std::vector<std::string>& wires : {e.some, e.may})
      for (const std::string& wire : wires) compare(p, wire, false);
    const auto there = [&in_rtl](const std::string& wire) { return in_rtl.count(wire) != 0; };
    if (!may_lack && !e.some.empty() && std::none_of(e.some.begin(), e.some.end(), there))
      found.push_back("RTL has no field of " + p.name);
  }
  for (const port& p : rtl.ports)
    if (known.count(p.name) == 0) found.push_back("SystemC has no " + p.name);

  const auto takes = [](const module_interface& m, const char* parameter) {
    return std::find(m.parameters.begin(), m.parameters.end(), parameter) != m.parameters.end();
  };
  if (takes(systemc, "Words") && !takes(rtl, "Words")) found.push_back("RTL does not take Words");
  return found;
}

}  // namespace weft::sources
