# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_nic, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_period]} { set weft_period 3.1 }
if {![info exists weft_outside]} { set weft_outside 0.3 }

create_clock -name clk -period $weft_period [get_ports clk_i]
set_input_delay $weft_outside -clock clk [get_ports {
  rst_ni tick_i send_i* receive_ready_i* queue_i* credit_i* flit_i* mode_i* length_threshold_i* received_threshold_i*
  queue_threshold_i* cut_i* flush_i
}]
set_output_delay $weft_outside -clock clk [get_ports {send_ready_o* receive_o* received_o* flit_o* credit_o* busy_o}]

# Constant while the network runs.
set_false_path -from [get_ports path_ids_i*]
