// SPDX-License-Identifier: Apache-2.0
/// The settings of another simulator's configuration, and which of them a conversion has used.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "weft/core/diagnostic.h"

namespace weft::experiment {

/// A line of a configuration.
struct foreign_setting {
  std::string name;
  std::string value;
  std::string place;  ///< "mesh:7", or the argument on the command line
};

/// A key of another simulator.
struct foreign_key {
  const char* name;
  const char* value;  ///< its default
  /// Whether the default is what Weft does. If not, no value of the key has a counterpart, or all values have one.
  bool is_default_behavior = false;
};

class foreign_settings {
 public:
  /// Of several settings of a key, the last one holds. Unknown keys are errors.
  /// \param simulator its name in messages
  foreign_settings(const char* simulator, std::vector<foreign_setting> given, std::vector<foreign_key> keys);

  const char* simulator() const { return m_simulator; }
  /// Whether the configuration sets the key \p name.
  bool has(const std::string& name) const { return m_last.count(name) > 0; }
  /// The setting of the key \p name, or its default. Marks it as used.
  foreign_setting use(const std::string& name);
  /// The value of use() as a number. What is no such number is an error, and gives 1.
  unsigned whole(const std::string& name);
  double number(const std::string& name);
  bool flag(const std::string& name) { return whole(name) != 0; }

  /// A setting without a counterpart in Weft, and the reason.
  struct remark {
    foreign_setting setting;
    std::string why;
  };
  /// Marks the setting of the key \p name as one without a counterpart, if the configuration contains it.
  void lack(const std::string& name, const std::string& why);
  /// All settings without a counterpart: those of lack(), those that nobody has used, and those that a later line
  /// replaces, in the order of the configuration.
  std::vector<remark> remarks() const;

  /// Records an error at the setting of the key \p name.
  void error(const std::string& name, const std::string& message);
  /// \throws input_error with all errors, if there are any
  void throw_if_any() const;

 private:
  const foreign_key* find(const std::string& name) const;

  const char* m_simulator;
  std::vector<foreign_setting> m_given;
  std::vector<foreign_key> m_keys;
  std::map<std::string, std::size_t> m_last;  ///< index of the setting that holds
  std::set<std::string> m_used;
  std::map<std::string, std::string> m_lacks;
  std::vector<diagnostic> m_errors;
};

}  // namespace weft::experiment
