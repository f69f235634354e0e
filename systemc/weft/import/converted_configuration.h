// SPDX-License-Identifier: Apache-2.0
/// A configuration of Weft as text, made from one of another simulator.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// The keys and values, in the order in which they were set.
class converted_configuration {
 public:
  /// The keys of the other simulator from which a value was computed.
  using sources = std::vector<std::string>;

  /// Sets the key \p path, such as "network.router.vcs", to \p value: YAML on one line. \param from the keys that an
  /// error of this value names; the first one that is set gives the line
  void set(const std::string& path, const std::string& value, sources from);
  void set(const std::string& path, std::uint64_t value, sources from);
  void set(const std::string& path, double value, sources from);

  /// A key with its value.
  struct leaf {
    std::string path;
    std::string value;
    sources from;
  };
  const std::vector<leaf>& leaves() const { return m_leaves; }

  /// The YAML file: \p title in a comment, the keys in their sections, and a comment for each remark of \p in.
  std::string text(const std::string& title, const imported_settings& in) const;

 private:
  struct entry {
    std::string name;
    std::string value;  ///< empty if the entry has members
    std::vector<entry> members{};
  };
  static void insert(std::vector<entry>& entries, const leaf& l);
  static void append(std::string& text, const std::vector<entry>& members, std::size_t depth);

  std::vector<leaf> m_leaves;
};

/// \p name as a value in YAML: in quotes if necessary.
std::string quoted_if_necessary(const std::string& name);

/// Sets the payload bits of a flit to the setting \p name of \p in, or notes that Weft lacks this width.
void import_payload_bits(imported_settings& in, const std::string& name, converted_configuration& out);

}  // namespace weft::experiment
