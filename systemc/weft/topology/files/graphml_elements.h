// SPDX-License-Identifier: Apache-2.0
/// Rejects elements and XML attributes that are not part of GraphML, which an XML parser alone would ignore.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// Line numbers of the `key` elements of a GraphML file, by id.
using key_lines = std::map<std::string, std::size_t>;

struct graphml_lines {
  key_lines keys;
  std::vector<std::size_t> elements;  ///< of all elements, in the order of the file
};

/// Checks that the elements and XML attributes of \p text, which must be well-formed XML, belong to GraphML. Extensions
/// are accepted only within `data` and as attributes of another namespace.
/// \return the line numbers of the elements
/// \throws input_error at `file:line` for any other element or attribute
graphml_lines check_graphml_elements(const std::string& text, const std::string& file);

}  // namespace weft
