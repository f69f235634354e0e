# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_async_fifo, made by synth/sdc/make.py: see README.md there.
set_units -time ns
if {![info exists weft_write_period]} { set weft_write_period 3.1 }
if {![info exists weft_read_period]} { set weft_read_period 3.7 }
if {![info exists weft_outside]} { set weft_outside 0.3 }
set weft_crossing [expr {min($weft_write_period, $weft_read_period)}]

create_clock -name write_clk -period $weft_write_period [get_ports write_clk_i]
create_clock -name read_clk -period $weft_read_period [get_ports read_clk_i]
set_input_delay $weft_outside -clock write_clk [get_ports {write_rst_ni valid_i data_i*}]
set_output_delay $weft_outside -clock write_clk [get_ports ready_o]
set_input_delay $weft_outside -clock read_clk [get_ports {read_rst_ni ready_i}]
set_output_delay $weft_outside -clock read_clk [get_ports {valid_o data_o*}]

# Between the clocks: their edges have no relation. The bits of a pointer must arrive within one period, so that at most
# one appears to change at a time, and data must arrive before the pointer that announces them.
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks write_clk] -to [get_clocks read_clk]
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks read_clk] -to [get_clocks write_clk]
set_false_path -hold -from [get_clocks write_clk] -to [get_clocks read_clk]
set_false_path -hold -from [get_clocks read_clk] -to [get_clocks write_clk]
