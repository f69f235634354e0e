// SPDX-License-Identifier: Apache-2.0
#include "weft/pin/model_of_width.h"

namespace weft::pin {

template std::unique_ptr<audited_model> make_model_of_width<128>(const topology&, const router_parameters&,
                                                                 const nic_parameters&, const model_options&,
                                                                 packet_source&, network_observer&);

}  // namespace weft::pin
