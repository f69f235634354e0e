# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_output_unit, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_period]} { set weft_period 3.1 }
if {![info exists weft_outside]} { set weft_outside 0.3 }

create_clock -name clk -period $weft_period [get_ports clk_i]
set_input_delay $weft_outside -clock clk [get_ports {rst_ni grant_output_i* grant_out_vc_i* credit_i*}]
set_output_delay $weft_outside -clock clk [get_ports {status_available_o* status_busy_o* count_o*}]

# Constant while the network runs.
set_false_path -from [get_ports {depth_i* phits_i*}]
