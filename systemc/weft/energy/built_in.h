// SPDX-License-Identifier: Apache-2.0
/// The technology files that are compiled into Weft.
#pragma once

namespace weft {

struct built_in_file {
  const char* name;  ///< null behind the last file
  const char* text;
};

extern const built_in_file BuiltInTechnologies[];

}  // namespace weft
