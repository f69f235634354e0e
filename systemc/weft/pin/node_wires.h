// SPDX-License-Identifier: Apache-2.0
/// The streams between a terminal and one port of its NIC.
#pragma once

#include <string>

#include "weft/core/flit.h"
#include "weft/pin/wire.h"

namespace weft::pin {

template <unsigned PayloadBits>
struct node_wires {
  explicit node_wires(const std::string& suffix)
      : send(("send" + suffix).c_str()),
        send_ready(("send_ready" + suffix).c_str()),
        receive(("receive" + suffix).c_str()),
        receive_ready(("receive_ready" + suffix).c_str()) {}
  wire<flit<PayloadBits>> send;
  wire<bool> send_ready;
  wire<flit<PayloadBits>> receive;
  wire<bool> receive_ready;
};

}  // namespace weft::pin
