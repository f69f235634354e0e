// SPDX-License-Identifier: Apache-2.0
/// All wrappers of verilated modules.
#pragma once

#include "weft/cosim/verilated_compressor.h"
#include "weft/cosim/verilated_counters.h"
#include "weft/cosim/verilated_decoders.h"
#include "weft/cosim/verilated_decompressor.h"
#include "weft/cosim/verilated_encoders.h"
#include "weft/cosim/verilated_xor.h"
