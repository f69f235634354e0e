/// Router, NIC and its stages as synthesis would see them: compiled with WEFT_SYNTHESIS, never run.
#include "weft/pin/compressor.h"
#include "weft/pin/decompressor.h"
#include "weft/pin/link.h"
#include "weft/pin/nic.h"
#include "weft/pin/output_unit.cpp"
#include "weft/pin/queue_counter.h"
#include "weft/pin/route_computation.cpp"
#include "weft/pin/router.h"
#include "weft/pin/switch_allocator.cpp"
#include "weft/pin/vc_allocator.cpp"
#include "weft/pin/xor_decoder.h"
#include "weft/pin/xor_encoder.h"

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
