// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/constructions/constructions.h"
#include "weft/schedule/method.h"
#include "weft/schedule/search/searches.h"

namespace weft::schedule {

const std::vector<const method*>& methods() {
  static const std::vector<const method*> all = [] {
    std::vector<const method*> list = constructions();
    list.insert(list.end(), searches().begin(), searches().end());
    return list;
  }();
  return all;
}

}  // namespace weft::schedule
