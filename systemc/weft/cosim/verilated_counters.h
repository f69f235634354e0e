// SPDX-License-Identifier: Apache-2.0
/// Wrappers of the verilated compression selector and of the counters that it reads (verilated_block.h).
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/core/flit.h"
#include "weft/cosim/verilated_block.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::tb {

/// The pins of weft_compression_selector
class compression_selector_pins : public sc_core::sc_module {
 public:
  pin::in_port<std::uint8_t> mode_i{"mode_i"};
  pin::in_port<std::uint8_t> type_i{"type_i"};
  pin::in_port<std::uint32_t> flits_i{"flits_i"};
  pin::in_port<std::uint32_t> words_i{"words_i"};
  pin::in_port<std::uint8_t> codec_i{"codec_i"};
  pin::in_port<std::uint32_t> received_i{"received_i"};
  pin::in_port<std::uint32_t> queue_i{"queue_i"};
  pin::in_port<std::uint32_t> length_threshold_i{"length_threshold_i"};
  pin::in_port<std::uint32_t> received_threshold_i{"received_threshold_i"};
  pin::in_port<std::uint32_t> queue_threshold_i{"queue_threshold_i"};
  sc_core::sc_out<std::uint8_t> codec_o{"codec_o"};

 protected:
  explicit compression_selector_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_compression_selector : public verilated_block<compression_selector_pins, Model, false> {
 public:
  explicit verilated_compression_selector(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<compression_selector_pins, Model, false>(name, seed) {
    this->sensitive_to(this->mode_i, this->type_i, this->flits_i, this->words_i, this->codec_i, this->received_i,
                       this->queue_i, this->length_threshold_i, this->received_threshold_i, this->queue_threshold_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.mode_i = this->mode_i.read();
    rtl.type_i = this->type_i.read();
    rtl.flits_i = this->flits_i.read();
    rtl.words_i = this->words_i.read();
    rtl.codec_i = this->codec_i.read();
    rtl.received_i = this->received_i.read();
    rtl.queue_i = this->queue_i.read();
    rtl.length_threshold_i = std::min<std::uint32_t>(this->length_threshold_i.read(), (1U << HeaderLengthBits) - 1);
    rtl.received_threshold_i = this->received_threshold_i.read();
    rtl.queue_threshold_i = this->queue_threshold_i.read();
  }
  void get_outputs(const Model& rtl) override { this->codec_o.write(rtl.codec_o); }
};

/// The pins of weft_queue_counter
class queue_counter_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> join_i{"join_i"};
  pin::in_port<bool> leave_i{"leave_i"};
  sc_core::sc_out<std::uint32_t> queue_o{"queue_o"};

 protected:
  explicit queue_counter_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_queue_counter : public verilated_block<queue_counter_pins, Model> {
 public:
  explicit verilated_queue_counter(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<queue_counter_pins, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->join_i, this->leave_i);
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.join_i = this->join_i.read();
    rtl.leave_i = this->leave_i.read();
  }
  void get_outputs(const Model& rtl) override { this->queue_o.write(rtl.queue_o); }
};

/// The pins of weft_window_timer
class window_timer_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_out<bool> tick_o{"tick_o"};

 protected:
  explicit window_timer_pins(sc_core::sc_module_name name) : sc_module(name) {}
};

template <class Model>
class verilated_window_timer : public verilated_block<window_timer_pins, Model> {
 public:
  explicit verilated_window_timer(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<window_timer_pins, Model>(name, seed) {
    this->sensitive_to(this->rst_ni);
  }

 private:
  void put_inputs(Model& rtl) override { rtl.rst_ni = this->rst_ni.read(); }
  void get_outputs(const Model& rtl) override { this->tick_o.write(rtl.tick_o); }
};

/// The pins of weft_congestion_counter
template <unsigned PayloadBits>
class congestion_counter_pins : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<bool> tick_i{"tick_i"};
  sc_core::sc_vector<pin::in_port<flit<PayloadBits>>> flit_i;
  sc_core::sc_out<std::uint32_t> received_o{"received_o"};

 protected:
  congestion_counter_pins(sc_core::sc_module_name name, unsigned ports) : sc_module(name), flit_i("flit_i", ports) {}
};

template <unsigned PayloadBits, unsigned Ports>
struct congestion_counter_pins_of : congestion_counter_pins<PayloadBits> {
  explicit congestion_counter_pins_of(sc_core::sc_module_name name)
      : congestion_counter_pins<PayloadBits>(name, Ports) {}
};

template <unsigned PayloadBits, unsigned Ports, class Model>
class verilated_congestion_counter : public verilated_block<congestion_counter_pins_of<PayloadBits, Ports>, Model> {
 public:
  explicit verilated_congestion_counter(sc_core::sc_module_name name, int seed = 0)
      : verilated_block<congestion_counter_pins_of<PayloadBits, Ports>, Model>(name, seed) {
    this->sensitive_to(this->rst_ni, this->tick_i);
    for (auto& port : this->flit_i) this->sensitive << port;
  }

 private:
  void put_inputs(Model& rtl) override {
    rtl.rst_ni = this->rst_ni.read();
    rtl.tick_i = this->tick_i.read();
    unsigned valid = 0;
    for (unsigned p = 0; p < Ports; ++p) valid |= unsigned{this->flit_i[p].read().valid} << p;
    rtl.flit_valid_i = valid;
  }
  void get_outputs(const Model& rtl) override { this->received_o.write(rtl.received_o); }
};

}  // namespace weft::tb
