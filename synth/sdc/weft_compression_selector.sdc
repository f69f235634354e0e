# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_compression_selector, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_period]} { set weft_period 3.1 }
if {![info exists weft_outside]} { set weft_outside 0.3 }

create_clock -name clk -period $weft_period
set_input_delay $weft_outside -clock clk [get_ports {
  mode_i* type_i* flits_i* words_i* codec_i* received_i* queue_i* length_threshold_i* received_threshold_i*
  queue_threshold_i*
}]
set_output_delay $weft_outside -clock clk [get_ports codec_o*]
