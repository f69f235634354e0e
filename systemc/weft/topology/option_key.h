// SPDX-License-Identifier: Apache-2.0
/// Declarations of the configuration keys of topologies and routings: the allowed values, and the field that stores the
/// value. The position of a key in a file and the syntax of its value are defined elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace weft {

/// An option whose value is an integer in [min, max].
template <class Options, class T>
struct integer_option {
  T Options::*field;
  std::uint64_t min;
  std::uint64_t max;
};

/// An option whose value is a list of `least` to `most` integers in [min, max].
template <class Options>
struct list_option {
  std::vector<std::uint32_t> Options::*field;
  std::uint64_t min;
  std::uint64_t max;
  std::size_t least;
  std::size_t most;
};

/// An option whose value is one of several names, each of which stands for an enumerator. choice_of() makes it.
template <class Options>
struct choice_option {
  std::vector<std::pair<std::string, unsigned>> choices;
  void (*set)(Options&, unsigned);
  unsigned (*get)(const Options&);
};

/// An option whose value is a file name; empty if no file is chosen.
template <class Options>
struct file_option {
  std::filesystem::path Options::*field;
};

template <class Options>
using option_value = std::variant<integer_option<Options, std::uint32_t>, integer_option<Options, std::uint64_t>,
                                  list_option<Options>, choice_option<Options>, file_option<Options>>;

/// A key and its option. The default is that of the field.
template <class Options>
struct option_key {
  std::string name;
  option_value<Options> value;
  std::string unit;         ///< "cycles"; may be empty
  std::string description;  ///< a sentence or two for the user's guide
  /// If not empty, the name of another key of the same section and the value for which this key has an effect.
  std::pair<std::string, std::string> only_with{};
};

/// Makes an option from the names of an enumeration. \p Field points to a member of \p Options of type \p Enum.
template <class Options, class Enum, Enum Options::*Field>
choice_option<Options> choice_of(const std::vector<std::pair<std::string, Enum>>& choices) {
  static_assert(std::is_enum_v<Enum>);
  choice_option<Options> made{{},
                              [](Options& o, unsigned value) { o.*Field = static_cast<Enum>(value); },
                              [](const Options& o) { return static_cast<unsigned>(o.*Field); }};
  for (const auto& [name, value] : choices) made.choices.emplace_back(name, static_cast<unsigned>(value));
  return made;
}

/// Copies the field of \p key from \p from to \p to.
template <class Options>
void copy_option(const option_key<Options>& key, const Options& from, Options& to) {
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, choice_option<Options>>)
          value.set(to, value.get(from));
        else
          to.*value.field = from.*value.field;
      },
      key.value);
}

}  // namespace weft
