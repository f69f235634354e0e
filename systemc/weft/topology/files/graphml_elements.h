// SPDX-License-Identifier: Apache-2.0
/// Checks for elements and XML attributes that are not part of GraphML and that an XML parser would ignore.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// Line numbers of a GraphML file: of its `key` elements, by id, and of all elements.
using key_lines = std::map<std::string, std::size_t>;

struct graphml_lines {
  key_lines keys;
  std::vector<std::size_t> elements;  ///< of all elements, in the order of the file
};

/// Checks that elements and XML attributes of \p text, which is well-formed XML, are those of GraphML. Extensions are
/// accepted only within `data` and as attributes of another namespace.
/// \throws input_error at `file:line`
graphml_lines check_graphml_elements(const std::string& text, const std::string& file);

}  // namespace weft
