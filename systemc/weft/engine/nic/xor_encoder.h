// SPDX-License-Identifier: Apache-2.0
/// The XOR encoder of a NIC's send path: what pin::xor_encoder does.
#pragma once

#include <memory>

#include "weft/core/parameters.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/compressors.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// \param keeps_bits the payload of packets that are joined is wanted
/// \param behind     the stage that takes its packets; null = the injector
std::unique_ptr<send_stage> make_xor_encoder(const xor_parameters& parameters, packet_pool& packets,
                                             packet_contents& contents, bool keeps_bits,
                                             std::unique_ptr<send_stage> behind);

}  // namespace weft::engine
