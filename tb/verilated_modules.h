/// All wrappers of verilated modules.
#pragma once

#include "tb/verilated_blocks.h"
#include "tb/verilated_compressor.h"
#include "tb/verilated_decompressor.h"
#include "tb/verilated_xor.h"
