// SPDX-License-Identifier: Apache-2.0
#include "weft/import/anynet_file.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/diagnostic.h"

namespace weft::experiment {

namespace {

class anynet_reader {
 public:
  explicit anynet_reader(std::string file) : m_file(std::move(file)) {}

  void read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      ++m_line;
      read_line(line);
    }
    check_nodes();
    if (!m_errors.empty()) throw input_error(m_errors);
  }

  std::string network() const {
    std::string text = "format: weft-topology-1\nkind: anynet\nrouters:\n";
    for (const unsigned r : m_routers) text += fmt::format("  - r{}\n", r);
    text += "links:\n";
    for (const auto& [ends, cycles] : m_links) {
      const auto [from, to] = ends;
      const unsigned back = cycles_of(to, from);
      if (back != cycles)
        text += fmt::format("  - {{from: r{}, to: r{}, cycles: {}}}\n", from, to, cycles);
      else if (from < to)
        text += fmt::format("  - {{between: [r{}, r{}], cycles: {}}}\n", from, to, cycles);
    }
    if (m_links.empty()) text.replace(text.size() - 1, 1, " []\n");
    text += "nodes:\n";
    for (const auto& [node, router] : m_nodes) text += fmt::format("  - r{}  # node {}\n", router, node);
    return text;
  }

 private:
  struct end {
    bool is_router = false;
    unsigned number = 0;
  };

  void error(const std::string& message) { m_errors.push_back({fmt::format("{}:{}", m_file, m_line), message}); }

  void read_line(const std::string& line) {
    std::istringstream words(line);
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    if (all.empty()) return;
    std::size_t at = 0;
    end head;
    if (!read_end(all, at, head)) return;
    while (at < all.size()) {
      end other;
      if (!read_end(all, at, other)) return;
      unsigned cycles = 0;  // not given
      if (at < all.size() && all[at] != "router" && all[at] != "node") {
        const auto value = parse_number<unsigned>(all[at]);
        if (!value || *value == 0) return error(fmt::format("expected a number of cycles, got {}", in_quotes(all[at])));
        cycles = *value;
        ++at;
      }
      connect(head, other, cycles);
    }
  }

  /// Reads `router 3` or `node 3` at word \p at.
  bool read_end(const std::vector<std::string>& words, std::size_t& at, end& e) {
    const std::string& kind = words[at];
    const std::string number = at + 1 < words.size() ? words[at + 1] : "";
    const auto value = parse_number<unsigned>(number);
    if ((kind != "router" && kind != "node") || !value) {
      error(fmt::format("expected router or node and its number, got {}", in_quotes(kind + " " + number)));
      return false;
    }
    e = {kind == "router", *value};
    if (e.is_router) m_routers.insert(e.number);
    at += 2;
    return true;
  }

  void connect(const end& a, const end& b, unsigned cycles) {
    if (!a.is_router && !b.is_router)
      return error(fmt::format("node {} and node {} cannot be neighbors", a.number, b.number));
    if (a.is_router && b.is_router) {
      if (a.number == b.number) return error(fmt::format("router {} cannot be its own neighbor", a.number));
      m_links[{a.number, b.number}] = std::max(1U, cycles);  // a later mention replaces an earlier one
      m_links.insert({{b.number, a.number}, 1});
      return;
    }
    const unsigned router = a.is_router ? a.number : b.number, node = a.is_router ? b.number : a.number;
    const auto [found, is_new] = m_nodes.insert({node, router});
    if (!is_new && found->second != router) error(fmt::format("node {} is at router {} already", node, found->second));
    if (cycles > 1) error("BookSim2 has lengths only for links between routers; its channels of nodes take one cycle");
  }

  void check_nodes() {
    unsigned expected = 0;
    for (const auto& [node, router] : m_nodes) {
      if (node != expected) {
        m_errors.push_back(
            {m_file, fmt::format("there is no node {}; Weft numbers nodes consecutively from 0", expected)});
        return;
      }
      ++expected;
    }
    if (m_nodes.empty()) m_errors.push_back({m_file, "the network has no nodes"});
  }

  unsigned cycles_of(unsigned from, unsigned to) const { return m_links.at({from, to}); }

  std::string m_file;
  unsigned m_line = 0;
  std::set<unsigned> m_routers;
  std::map<std::pair<unsigned, unsigned>, unsigned> m_links;  ///< cycles from a router to another
  std::map<unsigned, unsigned> m_nodes;                       ///< the router of each node
  std::vector<diagnostic> m_errors;
};

}  // namespace

std::string import_anynet(const std::string& text, const std::string& file) {
  anynet_reader reader(file);
  reader.read(text);
  return reader.network();
}

}  // namespace weft::experiment
