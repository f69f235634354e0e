// SPDX-License-Identifier: Apache-2.0
/// Router, NIC and its stages as a synthesis tool reads them: compiled with WEFT_SYNTHESIS, never run. `scripts/check
/// subset` checks all code that their processes reach.
#include "weft/core/grid_routing.cpp"
#include "weft/pin/link.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/decompressor.h"
#include "weft/pin/nic/nic.h"
#include "weft/pin/nic/queue_counter.h"
#include "weft/pin/nic/window_timer.h"
#include "weft/pin/nic/xor_decoder.h"
#include "weft/pin/nic/xor_encoder.h"
#include "weft/pin/router/output_unit.cpp"
#include "weft/pin/router/route_computation.cpp"
#include "weft/pin/router/router.h"
#include "weft/pin/router/switch_allocator.cpp"
#include "weft/pin/router/vc_allocator.cpp"

namespace weft::pin {

template class router<64, 5 * 4 * 8>;
template class nic<64>;
template class link<64>;
template class congestion_counter<64>;
template class compressor<32>;
template class compressor<64>;
template class decompressor<32>;
template class decompressor<64>;
template class xor_encoder<32>;
template class xor_encoder<64>;
template class xor_decoder<32>;
template class xor_decoder<64>;

}  // namespace weft::pin
