// SPDX-License-Identifier: Apache-2.0
#include "weft/router/rtl_choices.h"

namespace weft {

std::optional<missing_choice> choice_without_rtl(const router_parameters& router, const nic_parameters& nic) {
  if (router.flow == flow_control::StoreAndForward)
    return missing_choice{"network.router.flow_control", "network.router.flow_control: store_and_forward",
                          "virtual_cut_through"};
  if (router.lookahead_routing) return missing_choice{"network.router.lookahead_routing", "lookahead routing", "false"};
  if (router.speculation != speculation_kind::None)
    return missing_choice{"network.router.speculation", "speculation", "none"};
  if (router.priority != priority_kind::None)
    return missing_choice{"network.router.priority", "network.router.priority", "none"};
  if (router.reallocation != vc_reallocation::AfterTail)
    return missing_choice{"network.router.vc_reallocation", "network.router.vc_reallocation: after_tail_credit",
                          "after_tail"};
  if (router.busy_when_full)
    return missing_choice{"network.router.vc_busy_when_full", "network.router.vc_busy_when_full", "false"};
  if (router.prefer_empty)
    return missing_choice{"network.router.vc_prefer_empty", "network.router.vc_prefer_empty", "false"};
  if (shares_buffer(router))
    return missing_choice{"network.router.buffer.policy", "network.router.buffer.policy: shared", "private"};
  if (router.hold_switch) return missing_choice{"network.router.hold_switch", "network.router.hold_switch", "false"};
  if (router.input_speedup != 1)
    return missing_choice{"network.router.input_speedup", "network.router.input_speedup", "1"};
  if (nic.ejection_credits != 0)
    return missing_choice{"nic.ejection_credits",
                          "nic.ejection_credits; nic.ejection_depth gives nodes a buffer with credits", "0"};
  return {};
}

}  // namespace weft
