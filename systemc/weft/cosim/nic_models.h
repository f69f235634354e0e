// SPDX-License-Identifier: Apache-2.0
/// The kinds of verilated NICs. For each number of VCs and flits per VC there is a set of NICs, which contains several
/// kinds.
#pragma once

namespace weft::tb {

/// The models of one kind of NIC: for one and for two message classes, each without and with a table of path ids.
template <class OneClass, class TwoClasses, class OneClassWithPathIds, class TwoClassesWithPathIds>
struct nic_models {
  using one_class = OneClass;
  using two_classes = TwoClasses;
  using one_class_with_path_ids = OneClassWithPathIds;
  using two_classes_with_path_ids = TwoClassesWithPathIds;
};

}  // namespace weft::tb
