// SPDX-License-Identifier: Apache-2.0
/// The words of other simulators, BookSim2 and Noxim, and Weft's words for the same things.
///
/// One table serves the hints in error messages and the page docs/02_user/coming_from.md; a test compares the two.
#pragma once

#include <string>
#include <vector>

namespace weft::experiment {

struct foreign_word {
  const char* simulator;
  const char* word;  ///< a key, or a value
  const char* key;   ///< of a value: Weft's key that it was given for; of a key empty
  const char* ours;  ///< the key or value that means the same; empty: Weft has nothing like it
  const char* note;  ///< what to mind; may be empty
};

/// All of them, by simulator; keys and their values in the order of the page.
const std::vector<foreign_word>& foreign_words();

/// "; BookSim2's num_vcs is network.router.vcs" for an unknown key of that name in \p section; empty if no simulator
/// has it. A single letter means something else in most sections: it is a hint only in those around Weft's key.
std::string key_hint(const std::string& section, const std::string& name);

/// The same for the value \p value of key \p path that is none of Weft's: "; BookSim2's dor is dimension_order".
std::string value_hint(const std::string& path, const std::string& value);

}  // namespace weft::experiment
