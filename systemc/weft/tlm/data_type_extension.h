// SPDX-License-Identifier: Apache-2.0
/// The data type of a transaction, which selects a codec of the NIC.
#pragma once

#include <tlm>

#include "weft/core/codec.h"

namespace weft::tlm2 {

/// Declares the data type of a request and its response. Without this extension, data are data_type::Other and travel
/// uncompressed. Data declared as doubles may arrive changed, because LSB-cut removes the lowest bits of doubles.
class data_type_extension : public ::tlm::tlm_extension<data_type_extension> {
 public:
  explicit data_type_extension(data_type t = data_type::Other) : type(t) {}

  ::tlm::tlm_extension_base* clone() const override { return new data_type_extension(type); }
  void copy_from(const ::tlm::tlm_extension_base& other) override {
    type = static_cast<const data_type_extension&>(other).type;
  }

  data_type type;
};

}  // namespace weft::tlm2
