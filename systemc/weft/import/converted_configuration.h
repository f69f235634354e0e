// SPDX-License-Identifier: Apache-2.0
/// A configuration of Weft as text, made from one of another simulator.
#pragma once

#include <string>
#include <vector>

#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// The keys and values, in the order in which they were set.
class converted_configuration {
 public:
  /// Sets the key \p path, such as "network.router.vcs", to \p value: YAML on one line.
  void set(const std::string& path, const std::string& value);
  void set(const std::string& path, unsigned value) { set(path, std::to_string(value)); }
  void set(const std::string& path, double value);

  /// The YAML file: \p title in a comment, the keys in their sections, and a comment for each of \p remarks.
  std::string text(const std::string& title, const std::vector<imported_settings::remark>& remarks) const;

 private:
  struct entry {
    std::string name;
    std::string value;  ///< empty if the entry has members
    std::vector<entry> members{};
  };
  static void append(std::string& text, const std::vector<entry>& members, std::size_t depth);

  std::vector<entry> m_entries;
};

/// Sets the payload bits of a flit to the setting \p name of \p in, or notes that Weft lacks this width.
void import_payload_bits(imported_settings& in, const std::string& name, converted_configuration& out);

}  // namespace weft::experiment
