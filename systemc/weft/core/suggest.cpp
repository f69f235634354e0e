// SPDX-License-Identifier: Apache-2.0
#include "weft/core/suggest.h"

#include <algorithm>

#include "weft/core/printable.h"

namespace weft {

unsigned edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<unsigned>> d(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<unsigned>(i + j);
        continue;
      }
      const unsigned replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

namespace {

/// ASCII letters in lower case.
std::string lower(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

}  // namespace

std::string nearest(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > 100) return {};
  // Up to a third of the letters may be wrong; more distant suggestions only confuse.
  unsigned best = std::max<unsigned>(1, static_cast<unsigned>(name.size()) / 3) + 1, best_edits = 0;
  std::string found;
  const std::string given = lower(name);
  for (const std::string& candidate : candidates) {
    // An abbreviated name ("dimension" for "dimension_order") is near, however much is missing.
    const std::string other = lower(candidate);
    const bool prefix = given.size() >= 3 && other.size() > given.size() && other.compare(0, given.size(), given) == 0;
    const unsigned edits = edit_distance(given, other), distance = prefix ? 1 : edits;
    if (distance < best || (distance == best && edits < best_edits)) {
      best = distance;
      best_edits = edits;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string found = nearest(name, candidates);
  return found.empty() ? std::string() : "; did you mean " + in_quotes(found) + "?";
}

}  // namespace weft
