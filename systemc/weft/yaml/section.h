// SPDX-License-Identifier: Apache-2.0
/// Reads maps with a fixed set of keys. Unknown and duplicate keys are errors.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weft/yaml/document.h"
#include "weft/yaml/errors.h"

namespace weft {

/// The allowed keys of a map, and functions that give hints for other names. A hint is empty or begins with "; ".
struct known_keys {
  using hint = std::function<std::string(const std::string& name)>;
  std::vector<std::string> names;
  hint first{};  ///< called first, for names known from other programs: "; BookSim2's num_vcs is …"
  hint last{};   ///< called if no key is similar
};

/// Adds the error that the map at \p path has no key \p name, and names the most similar allowed key. An empty \p path
/// stands for the whole document.
void add_unknown_key(yaml_errors& errors, const YAML::Mark& at, const std::string& name, const std::string& path,
                     const known_keys& keys);

/// Calls use(name, value, place of the name) for each key of \p map that is allowed and not a duplicate. \p map must be
/// a map.
void for_each_key(yaml_errors& errors, const YAML::Node& map, const std::string& path, const known_keys& keys,
                  const std::function<void(const std::string&, const YAML::Node&, const YAML::Mark&)>& use);

/// A map with a fixed set of keys. Its values are read by type. A value of the wrong type is recorded as an error, and
/// the caller gets the default.
class yaml_section {
 public:
  /// \param path path of the map, "links[3]"; "" for the whole document
  /// \param names names of the allowed keys
  /// \param document name of the whole document in messages
  yaml_section(yaml_errors& errors, const YAML::Node& node, std::string path, std::vector<std::string> names,
               const std::string& document = "document");

  bool is_map() const { return m_node.IsMap(); }
  bool has(const std::string& key) const { return find(key) != nullptr; }
  /// The value of \p key, which must exist.
  YAML::Node operator[](const std::string& key) const { return find(key)->value; }
  /// The path of \p key in messages, such as "links[3].cycles".
  std::string path(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }
  YAML::Mark mark() const { return m_node.Mark(); }
  /// The place of the value of \p key; the place of the map if the key is missing.
  YAML::Mark mark_of(const std::string& key) const;
  yaml_errors& errors() const { return *m_errors; }

  /// Returns whether \p key exists. If it does not, records an error.
  bool need(const std::string& key) const;

  /// A whole number from \p min to \p max; \p otherwise if the key is missing.
  std::uint64_t number(const std::string& key, std::uint64_t min, std::uint64_t max, std::uint64_t otherwise) const;
  std::uint64_t needed_number(const std::string& key, std::uint64_t min, std::uint64_t max) const;
  bool boolean(const std::string& key, bool otherwise) const;
  /// The value of \p key as a text, which must not be empty; an empty string if the key is missing.
  std::string text(const std::string& key) const;
  /// The index in \p names of the value of \p key. The key is required.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names) const;
  /// Calls use(element, path) for each element of the list \p key.
  /// \param of name of the elements in messages
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

  yaml_errors* m_errors;
  YAML::Node m_node;
  std::string m_path, m_title;
  std::vector<entry> m_entries;
};

/// Reads \p node as a whole number from \p min to \p max; otherwise records an error and returns \p otherwise.
std::uint64_t read_number(yaml_errors& errors, const YAML::Node& node, const std::string& path, std::uint64_t min,
                          std::uint64_t max, std::uint64_t otherwise);

}  // namespace weft
