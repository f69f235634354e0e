// SPDX-License-Identifier: Apache-2.0
/// The terms of other simulators, BookSim2 and Noxim, and their equivalents in Weft.
/// One table provides the hints in error messages and the page docs/02_user/coming_from.md; a test compares them.
#pragma once

#include <string>
#include <vector>

namespace weft::experiment {

struct import_hint {
  const char* simulator;
  const char* word;  ///< a key, or a value
  const char* key;   ///< for a value: the Weft key that it was given for; for a key: empty
  const char* ours;  ///< the key or value with the same meaning; empty: Weft has no equivalent
  const char* note;  ///< caveat; may be empty
};

/// All hints, by simulator; keys and their values in the order of the page.
const std::vector<import_hint>& import_hints();

/// "; BookSim2's num_vcs is network.router.vcs" for the unknown key \p name in \p section; empty if no simulator has
/// it. Single letters have other meanings in most sections, so they yield a hint only in the sections around Weft's
/// key.
std::string key_hint(const std::string& section, const std::string& name);

/// The same for the invalid value \p value of key \p path: "; BookSim2's dor is dimension_order".
std::string value_hint(const std::string& path, const std::string& value);

}  // namespace weft::experiment
