// SPDX-License-Identifier: Apache-2.0
/// The keys of another simulator: their defaults and the values that they accept.
#pragma once

#include <limits>
#include <string>

namespace weft::experiment {

enum class value_kind {
  Text,           ///< a name or a list
  Integer,        ///< 8
  Real,           ///< 0.5, with a decimal point or an exponent
  IntegerOrText,  ///< an integer, or a list with an element for each class of traffic
  RealOrText,
  Number,   ///< 8 or 0.5
  Boolean,  ///< true, yes, on, false, no or off
};

struct simulator_key {
  static constexpr double Unlimited = std::numeric_limits<double>::infinity();

  const char* name;
  const char* value;  ///< its default
  value_kind kind = value_kind::Text;
  double least = -Unlimited;  ///< of numbers, also of those in a list
  double most = Unlimited;
  const char* names = "";  ///< the accepted texts, separated by blanks; empty: any
  /// Whether Weft behaves as with the default. A setting with this value then needs no remark.
  bool is_default_behavior = false;
  bool changes_results = false;  ///< whether another value than this default changes the path or the delay of flits

  /// A key with a name or a list. \param names the accepted texts, separated by blanks; empty: any
  static constexpr simulator_key text(const char* name, const char* value, const char* names = "") {
    simulator_key k{name, value};
    k.names = names;
    return k;
  }
  static constexpr simulator_key whole(const char* name, const char* value, double least = -Unlimited,
                                       double most = Unlimited) {
    return {name, value, value_kind::Integer, least, most};
  }
  /// 0 or 1.
  static constexpr simulator_key flag(const char* name, const char* value) { return whole(name, value, 0, 1); }
  static constexpr simulator_key real(const char* name, const char* value, double least, double most = Unlimited) {
    return {name, value, value_kind::Real, least, most};
  }
  static constexpr simulator_key number(const char* name, const char* value, double least, double most = Unlimited) {
    return {name, value, value_kind::Number, least, most};
  }
  static constexpr simulator_key boolean(const char* name, const char* value) {
    return {name, value, value_kind::Boolean};
  }

  /// This key, for which a list may stand instead of a number. \param texts the accepted texts; empty: any
  constexpr simulator_key or_list(const char* texts = "") const {
    simulator_key k = *this;
    k.kind = kind == value_kind::Integer ? value_kind::IntegerOrText : value_kind::RealOrText;
    k.names = texts;
    return k;
  }
  /// This key, with a default that Weft's behavior matches and other values that Weft lacks.
  constexpr simulator_key as_weft(bool other_values_change_results = false) const {
    simulator_key k = *this;
    k.is_default_behavior = true;
    k.changes_results = other_values_change_results;
    return k;
  }
};

/// What is wrong with \p value as a value of \p k, as in "expected an integer from 1 to 16, got '0'"; empty if nothing
/// is. \param simulator its name in messages
std::string fault_of_value(const std::string& simulator, const simulator_key& k, const std::string& value);

/// Whether a simulator reads \p value as a number. BookSim2 stores numbers and texts of a key separately.
bool is_number_token(const std::string& value);

}  // namespace weft::experiment
