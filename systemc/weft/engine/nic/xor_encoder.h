// SPDX-License-Identifier: Apache-2.0
/// The XOR encoder of a NIC's send path, as pin::xor_encoder.
#pragma once

#include <memory>

#include "weft/core/parameters.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// \param keeps_bits the payload of combined packets is needed
/// \param behind     stage that accepts its packets; null = the injector
std::unique_ptr<send_stage> make_xor_encoder(const xor_parameters& parameters, packet_pool& packets,
                                             packet_contents& contents, bool keeps_bits,
                                             std::unique_ptr<send_stage> behind);

}  // namespace weft::engine
