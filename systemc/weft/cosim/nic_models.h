// SPDX-License-Identifier: Apache-2.0
/// Organization of the verilated NICs: a set for each pair of VCs and flits, with several kinds of NICs.
#pragma once

namespace weft::tb {

/// The models of one kind of NIC: with one and with two message classes, without and with a table of path ids.
template <class OneClass, class TwoClasses, class OneClassWithPathIds, class TwoClassesWithPathIds>
struct nic_models {
  using one_class = OneClass;
  using two_classes = TwoClasses;
  using one_class_with_path_ids = OneClassWithPathIds;
  using two_classes_with_path_ids = TwoClassesWithPathIds;
};

}  // namespace weft::tb
