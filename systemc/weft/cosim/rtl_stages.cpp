// SPDX-License-Identifier: Apache-2.0
#include "weft/cosim/rtl_stages.h"

#include "Vcompressor_k1_classic_exact.h"
#include "Vcompressor_k1_one_exact.h"
#include "Vcompressor_k2_classic_exact.h"
#include "Vcompressor_k2_one_exact.h"
#include "Vcompressor_k4_classic_exact.h"
#include "Vcompressor_k4_one_exact.h"
#include "Vcompressor_k8_classic_exact.h"
#include "Vcompressor_k8_one_exact.h"
#include "Vdecompressor_k1_classic_exact.h"
#include "Vdecompressor_k1_one_exact.h"
#include "Vdecompressor_k2_classic_exact.h"
#include "Vdecompressor_k2_one_exact.h"
#include "Vdecompressor_k4_classic_exact.h"
#include "Vdecompressor_k4_one_exact.h"
#include "Vdecompressor_k8_classic_exact.h"
#include "Vdecompressor_k8_one_exact.h"
#include <stdexcept>
#include <utility>

#include "weft/cosim/verilated_compressor.h"
#include "weft/cosim/verilated_decompressor.h"
#include "weft/pin/nic/compression.h"

namespace weft::tb {

namespace {

template <unsigned PayloadBits, class Compressor, class Decompressor>
pin::compression_stages<PayloadBits> stages_of() {
  using stage = pin::packet_stage<PayloadBits>;
  return {[](sc_core::sc_module_name name, const pin::compression_settings& settings) -> std::unique_ptr<stage> {
            auto made = std::make_unique<verilated_compressor<PayloadBits, Compressor>>(name);
            settings.bind(*made);
            return made;
          },
          [](sc_core::sc_module_name name) -> std::unique_ptr<stage> {
            return std::make_unique<verilated_decompressor<PayloadBits, Decompressor>>(name);
          }};
}

}  // namespace

std::shared_ptr<const pin::external_stages> make_rtl_stages(const compression_parameters& p,
                                                            std::vector<node_id> nodes) {
  const auto require = [](bool condition, const char* text) {
    if (!condition) throw std::invalid_argument(text);
  };
  require(p.codec.classic || p.codec.table == fpc_table(),
          "the RTL is available only for the table [18, 17, 16, 15, 14, 13] and for the classic code, not for other "
          "tables");
  require(p.codec.exact, "the RTL is compiled with exact LSB-cut, not with the plain form");
  require(p.depth == 512, "the RTL is compiled with buffers of 512 flits; other sizes are not available");

  auto stages = std::make_shared<pin::external_stages>();
  stages->nodes = std::move(nodes);
  if (p.codec.classic)
    stages->make = {stages_of<32, Vcompressor_k1_classic_exact, Vdecompressor_k1_classic_exact>(),
                    stages_of<64, Vcompressor_k2_classic_exact, Vdecompressor_k2_classic_exact>(),
                    stages_of<128, Vcompressor_k4_classic_exact, Vdecompressor_k4_classic_exact>(),
                    stages_of<256, Vcompressor_k8_classic_exact, Vdecompressor_k8_classic_exact>()};
  else
    stages->make = {stages_of<32, Vcompressor_k1_one_exact, Vdecompressor_k1_one_exact>(),
                    stages_of<64, Vcompressor_k2_one_exact, Vdecompressor_k2_one_exact>(),
                    stages_of<128, Vcompressor_k4_one_exact, Vdecompressor_k4_one_exact>(),
                    stages_of<256, Vcompressor_k8_one_exact, Vdecompressor_k8_one_exact>()};
  return stages;
}

}  // namespace weft::tb
