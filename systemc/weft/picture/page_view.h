// SPDX-License-Identifier: Apache-2.0
/// Makes the interactive view of the network of a run in a report: its drawing, and its data for page.js.
#pragma once

#include <string>

#include "weft/picture/network_map.h"
#include "weft/picture/stored.h"

namespace weft::experiment {

/// A <section class="view"> with controls, the drawing in SVG, and JSON of the form
///
///     {"routers": [{"name", "x", "y", "rows": [index of an output port]}], "nodes": [{"router"}], "queued": [packets],
///      "links": [{"name", "from", "to", "row"}], "rows": [{"port", "to", "flits", "utilisation"}],
///      "series": {"start", "interval", "first": index of the first interval that begins in the window,
///                 "channels": [row: [interval]], "occupancy": … or null} or null,
///      "queues": {"depth", "inputs": [{"router", "port", "from", "flits": [VC: [interval]]}]} or null,
///      "ring": [{"packet", "router", "place", "waits_for"}],
///      "packets": {"which", "list": [[id, source, destination, vc, flits, head in, tail in, head out, tail out, cycles
///                  of the head in an empty network or null]], "paths": {"SOURCE-DESTINATION": [link]}}}
///
/// The packets come from the event log beside the result, if it exists. The function returns an empty text if the
/// network is too large to display.
std::string network_view(const stored_result& run, const network_map& map);

}  // namespace weft::experiment
