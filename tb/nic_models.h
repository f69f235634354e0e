// SPDX-License-Identifier: Apache-2.0
/// How verilated NICs are sorted: of each number of VCs and flits a set, of each set some kinds.
#pragma once

namespace weft::tb {

/// The models of one kind of NIC: in one class and in two, without ways and with a table of them.
template <class OneClass, class TwoClasses, class OneClassWithWays, class TwoClassesWithWays>
struct nic_models {
  using one_class = OneClass;
  using two_classes = TwoClasses;
  using one_class_with_ways = OneClassWithWays;
  using two_classes_with_ways = TwoClassesWithWays;
};

}  // namespace weft::tb
