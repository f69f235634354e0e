// SPDX-License-Identifier: Apache-2.0
/// Maps whose keys are known beforehand: what is unknown or given twice is a fault.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weft/yaml/document.h"
#include "weft/yaml/faults.h"

namespace weft {

/// Keys that a map may have, and what to say of others. Hints begin with "; " or are empty.
struct known_keys {
  using hint = std::function<std::string(const std::string& name)>;
  std::vector<std::string> names;
  hint first{};  ///< asked first, for names that the reader knows from elsewhere: "; BookSim2's num_vcs is …"
  hint last{};   ///< asked if no key is near
};

/// Adds the fault that the map at \p path ("": the document) has no key \p name, with the nearest one that it has.
void add_unknown_key(yaml_faults& faults, const YAML::Mark& at, const std::string& name, const std::string& path,
                     const known_keys& keys);

/// Calls use(name, value, place of the name) for each key of \p map, a map, that is known and not given before.
void for_each_key(yaml_faults& faults, const YAML::Node& map, const std::string& path, const known_keys& keys,
                  const std::function<void(const std::string&, const YAML::Node&, const YAML::Mark&)>& use);

/// One such map. Every value is asked for with its type; what does not fit is a fault, and a default is returned.
class yaml_section {
 public:
  /// \param path of the map, "links[3]"; "" for the whole document
  /// \param names of the keys that it may have
  /// \param document what the whole document is called in messages
  yaml_section(yaml_faults& faults, const YAML::Node& node, std::string path, std::vector<std::string> names,
               const std::string& document = "document");

  bool is_map() const { return m_node.IsMap(); }
  bool has(const std::string& key) const { return find(key) != nullptr; }
  /// \p key is there.
  YAML::Node operator[](const std::string& key) const { return find(key)->value; }
  /// "links[3].cycles"
  std::string path(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }
  YAML::Mark mark() const { return m_node.Mark(); }
  /// Place of the value of \p key, or if there is none, of the map.
  YAML::Mark mark_of(const std::string& key) const;
  yaml_faults& faults() const { return *m_faults; }

  /// Whether \p key is there; if not, that is a fault.
  bool need(const std::string& key) const;

  /// A whole number from \p min to \p max; \p otherwise if there is none.
  std::uint64_t number(const std::string& key, std::uint64_t min, std::uint64_t max, std::uint64_t otherwise) const;
  std::uint64_t needed_number(const std::string& key, std::uint64_t min, std::uint64_t max) const;
  bool boolean(const std::string& key, bool otherwise) const;
  /// Not empty; empty if there is none.
  std::string text(const std::string& key) const;
  /// The index in \p names of the one that is given. The key is needed.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names) const;
  /// Calls use(element, path) for each element of the list \p key. \param of what the elements are, for messages
  void each(const std::string& key, const char* of,
            const std::function<void(const YAML::Node&, const std::string&)>& use) const;
  /// A list of whole numbers from 0 to \p max.
  std::vector<std::uint64_t> numbers(const std::string& key, std::uint64_t max) const;

 private:
  struct entry {
    std::string name;
    YAML::Node value;
    YAML::Mark at;
  };
  const entry* find(const std::string& key) const;

  yaml_faults* m_faults;
  YAML::Node m_node;
  std::string m_path, m_title;
  std::vector<entry> m_entries;
};

/// \p node as a whole number from \p min to \p max; else a fault, and \p otherwise.
std::uint64_t read_number(yaml_faults& faults, const YAML::Node& node, const std::string& path, std::uint64_t min,
                          std::uint64_t max, std::uint64_t otherwise);

}  // namespace weft
