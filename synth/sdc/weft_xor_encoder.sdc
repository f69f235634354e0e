# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_xor_encoder, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_period]} { set weft_period 3.1 }
if {![info exists weft_outside]} { set weft_outside 0.3 }

create_clock -name clk -period $weft_period [get_ports clk_i]
set_input_delay $weft_outside -clock clk [get_ports {
  rst_ni flit_valid_i flit_head_i flit_tail_i flit_header_i* flit_code_i* flit_payload_i* ready_i
}]
set_output_delay $weft_outside -clock clk [get_ports {
  ready_o flit_valid_o flit_head_o flit_tail_o flit_header_o* flit_code_o* flit_payload_o* busy_o
}]
