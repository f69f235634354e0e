// SPDX-License-Identifier: Apache-2.0
/// Router, NIC and its stages as synthesis would see them: compiled with WEFT_SYNTHESIS, never run.
#include "weft/pin/link.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/decompressor.h"
#include "weft/pin/nic/nic.h"
#include "weft/pin/nic/queue_counter.h"
#include "weft/pin/nic/xor_decoder.h"
#include "weft/pin/nic/xor_encoder.h"
#include "weft/pin/router/output_unit.cpp"
#include "weft/pin/router/route_computation.cpp"
#include "weft/pin/router/router.h"
#include "weft/pin/router/switch_allocator.cpp"
#include "weft/pin/router/vc_allocator.cpp"

template class weft::pin::router<64>;
template class weft::pin::nic<64>;
template class weft::pin::link<64>;
template class weft::pin::compressor<32>;
template class weft::pin::compressor<64>;
template class weft::pin::decompressor<32>;
template class weft::pin::decompressor<64>;
template class weft::pin::xor_encoder<32>;
template class weft::pin::xor_encoder<64>;
template class weft::pin::xor_decoder<32>;
template class weft::pin::xor_decoder<64>;
