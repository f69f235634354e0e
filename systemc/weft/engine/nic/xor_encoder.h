// SPDX-License-Identifier: Apache-2.0
/// The XOR encoder in the send path of a NIC, for one channel. It behaves as pin::xor_encoder does.
#pragma once

#include <memory>

#include "weft/core/parameters.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// Makes an XOR encoder.
/// \param keeps_bits whether the payload of combined packets is needed
/// \param behind     stage that accepts the packets of the encoder; null if the injector follows
std::unique_ptr<send_stage> make_xor_encoder(const xor_parameters& parameters, packet_pool& packets,
                                             packet_contents& contents, bool keeps_bits,
                                             std::unique_ptr<send_stage> behind);

}  // namespace weft::engine
