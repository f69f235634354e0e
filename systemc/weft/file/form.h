// SPDX-License-Identifier: Apache-2.0
/// Recognizes the format of a user's file by its beginning, for messages of readers that expect another format.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// \p text without the byte order mark of UTF-8 that some editors write at the beginning.
std::string_view without_byte_order_mark(std::string_view text);

enum class file_form {
  Other,
  Packed,  ///< compressed by gzip, bzip2, xz, zip or zstd
  Binary,
  Xml,
  GraphMl,
  Dot,
  BookSimConfiguration,  ///< `topology = mesh;`
  BookSimNetwork,        ///< a network of its topology anynet: `router 0 node 0 router 1`
};

/// The format of a file that starts with \p bytes. Text in Weft's own formats gives Other.
file_form form_of(std::string_view bytes);

/// The format in words, such as "a configuration of BookSim2"; empty for Other.
std::string name_of(file_form form);

}  // namespace weft
