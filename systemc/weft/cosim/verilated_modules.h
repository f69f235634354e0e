// SPDX-License-Identifier: Apache-2.0
/// Includes the wrappers of the verilated modules for compression and XOR coding, which the lockstep tests need
/// together.
#pragma once

#include "weft/cosim/verilated_compressor.h"
#include "weft/cosim/verilated_counters.h"
#include "weft/cosim/verilated_decoders.h"
#include "weft/cosim/verilated_decompressor.h"
#include "weft/cosim/verilated_encoders.h"
#include "weft/cosim/verilated_xor.h"
