# SPDX-License-Identifier: Apache-2.0
# The slowest path from register to register. flow.py adds a flip-flop before every input and after every output.
read_liberty @LIBERTY@
read_verilog @OUT@/netlist.v
read_verilog @OUT@/harness.v
link_design harness
create_clock -name clk -period 1.0 [get_ports clk_i]
set_false_path -from [get_ports rst_ni]
@ACCESS@
puts "slack [get_property [lindex [find_timing_paths] 0] slack]"
report_checks -format full -digits 3 -fields {net fanout capacitance slew}
