// SPDX-License-Identifier: Apache-2.0
/// Code that compiles or does not, by MISTAKE: 0 none, 1 an initiator of another width, 2 a target of another width.
/// CMakeLists.txt has the expected error messages.
#include <tlm>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "weft/tlm/data_type_extension.h"
#include "weft/tlm/noc.h"
#include "weft/tlm/pin_adapter.h"

// As in platforms: all names of SystemC and of Weft are visible; `tlm` must still mean TLM-2.0 only.
using namespace sc_core;
using namespace weft;

namespace {

struct peer : sc_module {
  tlm_utils::simple_initiator_socket<peer, MISTAKE == 1 ? 32 : 64> out{"out"};
  tlm_utils::simple_target_socket<peer, MISTAKE == 2 ? 32 : 64> in{"in"};

  explicit peer(const sc_module_name& name) : sc_module(name) { in.register_b_transport(this, &peer::serve); }
  void serve(tlm::tlm_generic_payload& t, sc_time&) { t.set_response_status(tlm::TLM_OK_RESPONSE); }
};

}  // namespace

int sc_main(int, char*[]) {
  const tlm2::noc_parameters parameters;
  peer one("one");
  noc network("network", parameters);
  one.out.bind(network.from_initiator[0]);
  network.to_target[1].bind(one.in);
  one.out(network.from_initiator[2]);
  network.to_target[3](one.in);
  return 0;
}
