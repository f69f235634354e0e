// SPDX-License-Identifier: Apache-2.0
/// What a user's file is, by how it begins: for messages of readers that expected something else.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// \p text behind the mark of UTF-8 that some editors write first, which is no part of it.
std::string_view without_byte_order_mark(std::string_view text);

enum class file_form {
  Other,
  Packed,  ///< by gzip, bzip2, xz, zip or zstd
  Binary,
  Xml,
  GraphMl,
  Dot,
  BookSimConfiguration,  ///< `topology = mesh;`
  BookSimNetwork,        ///< of its topology anynet: `router 0 node 0 router 1`
};

/// What \p bytes, the beginning of a file or all of it, are. Texts in Weft's own forms are Other.
file_form form_of(std::string_view bytes);

/// "a configuration of BookSim2"; empty for Other.
std::string name_of(file_form form);

}  // namespace weft
