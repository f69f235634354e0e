// SPDX-License-Identifier: Apache-2.0
/// Elements and XML attributes of GraphML that are no part of the format, which a parser of XML passes over.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace weft {

/// Lines of the elements `key` of a GraphML file, by their id.
using key_lines = std::map<std::string, std::size_t>;

struct graphml_lines {
  key_lines keys;
  std::vector<std::size_t> elements;  ///< of all elements, in the order of the file
};

/// Checks that elements and XML attributes of \p text, well-formed XML, are those of the format. Of extensions, only
/// what is within `data`, and attributes of another namespace, pass.
/// \throws input_error at `file:line`
graphml_lines check_graphml_elements(const std::string& text, const std::string& file);

}  // namespace weft
