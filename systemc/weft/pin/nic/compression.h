// SPDX-License-Identifier: Apache-2.0
/// The compression stages in the NICs of a network, and the values of their configuration inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/parameters.h"
#include "weft/pin/nic/compressor.h"
#include "weft/pin/nic/decompressor.h"
#include "weft/pin/nic/packet_cuts.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/nic/timed_compressor.h"

namespace weft::pin {

/// The configuration inputs of all compressors of a network: wires with constant values, and a driver of the cut for
/// each packet.
class compression_settings {
 public:
  explicit compression_settings(const compression_parameters& p)
      : m_mode(unnamed("mode"), static_cast<std::uint8_t>(p.selection.mode)),
        m_length_threshold(unnamed("length_threshold"), p.selection.length_threshold),
        m_received_threshold(unnamed("received_threshold"), p.selection.received_threshold),
        m_queue_threshold(unnamed("queue_threshold"), p.selection.queue_threshold),
        m_codec(p.codec) {}

  /// The cuts of the network's packets. attach() connects them to the table that stores the packets.
  packet_cuts& cuts() { return m_cuts; }
  const packet_cuts& cuts() const { return m_cuts; }

  /// Binds the configuration inputs of \p stage, which has the configuration inputs of a compressor.
  template <class Stage>
  void bind(Stage& stage) const {
    stage.mode_i(m_mode);
    stage.length_threshold_i(m_length_threshold);
    stage.received_threshold_i(m_received_threshold);
    stage.queue_threshold_i(m_queue_threshold);
    auto driver = std::make_unique<cut_driver<typename Stage::flit_t>>(unnamed("cut_driver"), m_codec, m_cuts);
    driver->flit_i(stage.flit_i);
    stage.cut_i(driver->cut);
    m_drivers.push_back(std::move(driver));
  }

 private:
  /// Returns a unique name. A fixed name would clash, because several networks may exist in one process.
  static const char* unnamed(const char* what) { return sc_core::sc_gen_unique_name(what); }

  sc_core::sc_signal<std::uint8_t> m_mode;
  sc_core::sc_signal<std::uint32_t> m_length_threshold;
  sc_core::sc_signal<std::uint32_t> m_received_threshold;
  sc_core::sc_signal<std::uint32_t> m_queue_threshold;
  const codec_parameters m_codec;
  packet_cuts m_cuts;
  mutable std::vector<std::unique_ptr<sc_core::sc_module>> m_drivers;  ///< drivers of the compressors
};

/// Makes the compressor and the decompressor of one port in another implementation and binds them to the settings.
template <unsigned PayloadBits>
struct compression_stages {
  std::function<std::unique_ptr<packet_stage<PayloadBits>>(sc_core::sc_module_name, const compression_settings&)>
      compressor;
  std::function<std::unique_ptr<packet_stage<PayloadBits>>(sc_core::sc_module_name)> decompressor;
};

/// Another implementation of the compression stages, with a maker for each payload width, and the nodes that use it.
struct external_stages {
  std::tuple<compression_stages<32>, compression_stages<64>, compression_stages<128>, compression_stages<256>> make;
  std::vector<node_id> nodes;  ///< nodes that use it; empty = all nodes

  bool at(node_id node) const { return nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end(); }
};

/// Makes the compression stages of a network's NICs.
/// \param settings must outlive the stages
/// \param external stages that replace those of this level at some nodes, or null
template <unsigned PayloadBits>
nic_stages<PayloadBits> make_compression_stages(const compression_parameters& p, const compression_settings& settings,
                                                std::shared_ptr<const external_stages> external) {
  using stage = packet_stage<PayloadBits>;
  nic_stages<PayloadBits> stages;
  if (!p.enabled()) return stages;
  if (p.latency) {
    stages.send.push_back([p, &settings](sc_core::sc_module_name name, node_id) -> std::unique_ptr<stage> {
      return std::make_unique<timed_compressor<PayloadBits>>(name, p, settings.cuts());
    });
    return stages;
  }
  const auto external_at = [external](node_id node) -> const compression_stages<PayloadBits>* {
    if (external == nullptr || !external->at(node)) return nullptr;
    return &std::get<compression_stages<PayloadBits>>(external->make);
  };
  stages.send.push_back(
      [p, &settings, external_at](sc_core::sc_module_name name, node_id node) -> std::unique_ptr<stage> {
        if (const auto* other = external_at(node)) return other->compressor(name, settings);
        compressor_parameters c;
        c.depth = p.depth;
        c.table = p.codec.table;
        c.classic = p.codec.classic;
        c.exact = p.codec.exact;
        auto made = std::make_unique<compressor<PayloadBits>>(name, c);
        settings.bind(*made);
        return made;
      });
  stages.receive.push_back([p, external_at](sc_core::sc_module_name name, node_id node) -> std::unique_ptr<stage> {
    if (const auto* other = external_at(node)) return other->decompressor(name);
    decompressor_parameters d;
    d.table = p.codec.table;
    d.classic = p.codec.classic;
    d.exact = p.codec.exact;
    return std::make_unique<decompressor<PayloadBits>>(name, d);
  });
  return stages;
}

}  // namespace weft::pin
