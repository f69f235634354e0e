// SPDX-License-Identifier: Apache-2.0
/// Reads routers, links and nodes of a topology file.
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

/// The highest number of a router, node or coordinate that a file may contain.
inline constexpr std::uint64_t MaxNumber = std::numeric_limits<std::uint32_t>::max();

class yaml_graph {
 public:
  yaml_graph(yaml_errors& errors, const read_options& options)
      : m_errors(errors), m_options(options), m_names(errors) {}

  /// Reads the sections `routers`, `width`, `links`, `channels` and `nodes`, and connects the parts that they describe.
  /// \throws input_error for errors in the file
  void read(const yaml_section& top);

  const router_names& names() const { return m_names; }
  /// Returns the network, which has no routing yet. May be called once.
  topology take() { return m_builder.take(); }
  /// Sets the path ids of the nodes of \p t, the network returned by take(), as the file describes them. For files that
  /// also contain routing functions.
  void assign_path_ids(topology& t) const;
  /// Records an error for each node with the key `ways`, which has an effect only if the file contains routing
  /// functions.
  void reject_path_ids() const;

 private:
  using end = network_builder::end;

  struct link {
    YAML::Mark mark;
    std::string path;
    end from, to;
    bool two_way = false;
    channel sizes;
  };
  struct node {
    YAML::Mark mark;
    std::string path;
    std::vector<end> ends;
    unsigned cycles = 1;
    path_selector path_ids;
    bool has_path_ids = false;
    YAML::Mark path_ids_mark;
  };
  struct width {
    YAML::Mark mark;
    std::string path;
    std::uint64_t bits = 0;
    std::size_t link = 0;  ///< index into m_links
  };

  void read_router(const YAML::Node& n, const std::string& path);
  std::optional<std::uint32_t> read_port(const YAML::Node& n, const std::string& name, bool is_number, router_id router,
                                         const std::string& path);
  std::optional<end> read_end(const YAML::Node& n, const std::string& path);
  std::optional<end> read_end_in_parts(const YAML::Node& n, const std::string& path);
  void read_link(const YAML::Node& n, const std::string& path);
  bool read_ends(const yaml_section& s, const std::string& path, std::optional<end>& from, std::optional<end>& to);
  void read_width(const yaml_section& s, const std::string& path, link& l);
  void read_node(const YAML::Node& n, const std::string& path);
  void convert_widths();
  void connect();

  /// Calls \p use. If it throws, records the exception as an error at \p mark.
  template <class F>
  void attempt(const YAML::Mark& mark, const std::string& path, F use);

  yaml_errors& m_errors;
  const read_options& m_options;
  network_builder m_builder;
  router_names m_names;
  std::vector<link> m_links;
  std::vector<node> m_nodes;
  std::vector<width> m_widths;
  std::uint64_t m_width = 0;  ///< width of links without their own, in bits; 0: not given
};

}  // namespace weft
