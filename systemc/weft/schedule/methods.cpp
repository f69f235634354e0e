// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/constructions/constructions.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

const std::vector<const method*>& methods() {
  static const std::vector<const method*> all = constructions();
  return all;
}

}  // namespace weft::schedule
