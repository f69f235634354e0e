// SPDX-License-Identifier: Apache-2.0
/// Routers, links and nodes of a topology file.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "weft/topology/files/network_builder.h"
#include "weft/topology/files/read_topology.h"
#include "weft/topology/files/router_names.h"
#include "weft/yaml/section.h"

namespace weft {

/// The greatest number of a router, node or coordinate in a file.
inline constexpr std::uint64_t MaxNumber = std::numeric_limits<std::uint32_t>::max();

class yaml_graph {
 public:
  yaml_graph(yaml_faults& faults, const read_options& options)
      : m_faults(faults), m_options(options), m_names(faults) {}

  /// Reads the sections `routers`, `width`, `links`, `channels` and `nodes`, and joins what they name.
  /// \throws input_error
  void read(const yaml_section& top);

  const router_names& names() const { return m_names; }
  /// The network without its routing.
  topology take() { return m_builder.take(); }
  /// How the nodes of \p t, the network that was taken, choose ways: for routing functions that are in the file too.
  void give_ways(topology& t) const;
  /// A fault for each node with `ways`, which have no meaning beside other routing.
  void refuse_ways() const;

 private:
  using end = network_builder::end;

  struct link {
    YAML::Mark mark;
    std::string path;
    end from, to;
    bool two_way = false;
    unsigned cycles = 1;
  };
  struct node {
    YAML::Mark mark;
    std::string path;
    std::vector<end> ends;
    unsigned cycles = 1;
    way_rule ways;
    bool has_ways = false;
    YAML::Mark ways_mark;
  };
  struct width {
    YAML::Mark mark;
    std::string path;
    std::uint64_t bits = 0;
  };

  void read_router(const YAML::Node& n, const std::string& path);
  std::optional<std::uint32_t> read_port(const YAML::Node& n, const std::string& name, bool is_number, router_id router,
                                         const std::string& path);
  std::optional<end> read_end(const YAML::Node& n, const std::string& path);
  std::optional<end> read_end_in_parts(const YAML::Node& n, const std::string& path);
  void read_link(const YAML::Node& n, const std::string& path);
  bool read_ends(const yaml_section& s, const std::string& path, std::optional<end>& from, std::optional<end>& to);
  void read_width(const yaml_section& s, const std::string& path);
  void read_node(const YAML::Node& n, const std::string& path);
  void check_widths();
  void connect();

  /// Makes a fault of what \p use throws.
  template <class F>
  void attempt(const YAML::Mark& mark, const std::string& path, F use);

  yaml_faults& m_faults;
  const read_options& m_options;
  network_builder m_builder;
  router_names m_names;
  std::vector<link> m_links;
  std::vector<node> m_nodes;
  std::vector<width> m_widths;
  std::uint64_t m_width = 0;  ///< bits of links that have no width of their own; 0: none is given
};

}  // namespace weft
