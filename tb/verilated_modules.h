// SPDX-License-Identifier: Apache-2.0
/// All wrappers of verilated modules.
#pragma once

#include "tb/verilated_compressor.h"
#include "tb/verilated_counters.h"
#include "tb/verilated_decoders.h"
#include "tb/verilated_decompressor.h"
#include "tb/verilated_encoders.h"
#include "tb/verilated_xor.h"
