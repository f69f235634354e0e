// SPDX-License-Identifier: Apache-2.0
/// The terms of other simulators, BookSim2 and Noxim, and their equivalents in Weft.
/// One table provides the hints in error messages and the page docs/02_user/coming_from.md; a test compares them.
#pragma once

#include <string>
#include <vector>

namespace weft::experiment {

struct import_hint {
  const char* simulator;
  const char* word;  ///< a key or a value of that simulator
  const char* key;   ///< if `word` is a value, the key of Weft that it is given for; otherwise empty
  const char* ours;  ///< Weft's key or value with the same meaning; empty: there is none
  const char* note;  ///< remark, or the reason why there is no equivalent; may be empty
};

/// All hints, in the order of the page.
const std::vector<import_hint>& import_hints();

/// The hint for the unknown key \p name in \p section, such as "; BookSim2's num_vcs is network.router.vcs"; empty if
/// no simulator has such a key. A single letter may have many meanings, so there is a hint for it only in sections that
/// contain Weft's key.
std::string key_hint(const std::string& section, const std::string& name);

/// The hint for the invalid value \p value of key \p path, such as "; BookSim2's dor is dimension_order"; empty if no
/// simulator has such a value.
std::string value_hint(const std::string& path, const std::string& value);

/// Weft's value of key \p path for the value \p value of another simulator, which has the same name unless a hint gives
/// another one.
std::string counterpart(const std::string& path, const std::string& value);

/// The hint for the key \p name of \p simulator; null if there is none.
const import_hint* hint_of_key(const std::string& simulator, const std::string& name);

}  // namespace weft::experiment
