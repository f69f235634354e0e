// SPDX-License-Identifier: Apache-2.0
/// The settings of another simulator's configuration, and which of them a conversion has used.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"

namespace weft::experiment {

/// A setting: a key, its value, and where it was given.
struct imported_setting {
  std::string name;
  std::string value;
  std::string place;  ///< "mesh:7", or the argument on the command line
};

/// A key of another simulator.
struct simulator_key {
  const char* name;
  const char* value;  ///< its default
  /// Whether Weft behaves as with the default. A setting with this value then needs no remark.
  bool is_default_behavior = false;
};

class imported_settings {
 public:
  /// Of several settings of a key, the last one holds. Unknown keys are errors.
  /// \param simulator its name in messages
  imported_settings(const char* simulator, std::vector<imported_setting> given, std::vector<simulator_key> keys);

  const char* simulator() const { return m_simulator; }
  /// Whether the configuration sets the key \p name.
  bool has(const std::string& name) const { return m_last.count(name) > 0; }
  /// The setting of the key \p name, or its default. Marks it as used.
  imported_setting use(const std::string& name);
  /// The value of use() as a number. A malformed number is recorded as an error, and the result is 1.
  unsigned whole(const std::string& name);
  double number(const std::string& name);
  bool flag(const std::string& name) { return whole(name) != 0; }

  /// A setting that is not converted, and the reason.
  struct remark {
    imported_setting setting;
    std::string why;
  };
  /// Marks the setting of the key \p name as not converted, if the configuration contains it.
  void lack(const std::string& name, const std::string& why);
  /// The settings that are not converted, in the order of the configuration: those of lack(), those that no call of
  /// use() has read, except defaults that match Weft's behavior, and those that a later line replaces.
  std::vector<remark> remarks() const;

  /// Records an error at the setting of the key \p name, once if it is reported several times.
  void error(const std::string& name, const std::string& message);
  /// \throws input_error with all errors, if there are any
  void throw_if_any() const;

 private:
  const simulator_key* find(const std::string& name) const;

  const char* m_simulator;
  std::vector<imported_setting> m_given;
  std::vector<simulator_key> m_keys;
  std::map<std::string, std::size_t> m_last;  ///< index of the setting that holds
  std::set<std::string> m_used;
  std::map<std::string, std::string> m_lacks;
  std::vector<diagnostic> m_errors;
};

/// The message that the value \p value of Weft's key \p path is not converted, with the hint of import_hints.h.
/// \param what the kind of value, such as "topology"
std::string not_converted(const std::string& what, const std::string& path, const std::string& value);

}  // namespace weft::experiment
