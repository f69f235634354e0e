# SPDX-License-Identifier: Apache-2.0
# Constraints of weft_async_fifo_sink, made by synth/sdc/make.py: see README.md there. Times in ns.
if {![info exists weft_write_period]} { set weft_write_period 3.1 }
if {![info exists weft_read_period]} { set weft_read_period 3.7 }
if {![info exists weft_outside]} { set weft_outside 0.3 }
if {![info exists weft_sync_reset]} { set weft_sync_reset 0 }

create_clock -name write_clk -period $weft_write_period
create_clock -name read_clk -period $weft_read_period [get_ports clk_i]
set_input_delay $weft_outside -clock write_clk [get_ports {async_data_i* async_write_i*}]
set_output_delay $weft_outside -clock write_clk [get_ports async_read_o*]
set_input_delay $weft_outside -clock read_clk [get_ports ready_i]
set_output_delay $weft_outside -clock read_clk [get_ports {valid_o data_o*}]

# Asynchronous, but with WEFT_SYNC_RESET; what releases it does so at an edge of the clock.
if {$weft_sync_reset} {
  set_input_delay $weft_outside -clock read_clk [get_ports rst_ni]
} else {
  set_false_path -from [get_ports rst_ni]
}

# Between the clocks: no relation of edges, but the bits of a pointer may not be apart by more than a period, else more
# than one would seem to change at a time; and data are there before the pointer that tells of them is through.
set weft_crossing [expr {min($weft_write_period, $weft_read_period)}]
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks write_clk] -to [get_clocks read_clk]
set_max_delay $weft_crossing -ignore_clock_latency -from [get_clocks read_clk] -to [get_clocks write_clk]
set_false_path -hold -from [get_clocks write_clk] -to [get_clocks read_clk]
set_false_path -hold -from [get_clocks read_clk] -to [get_clocks write_clk]
