# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_switch_allocator, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_period]} { set weft_period 3.1 }
if {![info exists weft_outside]} { set weft_outside 0.3 }

create_clock -name clk -period $weft_period [get_ports clk_i]
set_input_delay $weft_outside -clock clk [get_ports {
  rst_ni status_occupied_i* status_tail_i* assigned_active_i* assigned_port_i* assigned_vc_i* credit_available_i*
  credit_busy_i*
}]
set_output_delay $weft_outside -clock clk [get_ports {
  grant_input_o* grant_tail_o* grant_vc_o* grant_output_o* grant_out_vc_o*
}]
