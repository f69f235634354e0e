# SPDX-License-Identifier: Apache-2.0
# Power of single cells, each with one input that changes. The command behind `set_power_activity -input_ports` is called,
# because `set_power_activity -pins` fails in OpenSTA 2.0.17: its procedure reads a variable that it does not set.
read_liberty @LIBRARY@
read_verilog @OUT@/cells.v
link_design cells
create_clock -name clk -period @PERIOD@ [get_ports clk]
set_input_delay 0 -clock clk [all_inputs]
set_input_transition @SLEW@ [all_inputs]
proc activity {port changes duty} { ::sta::set_power_input_port_activity [get_ports $port] $changes $duty }
source @OUT@/activity.tcl
foreach cell [get_cells c*] {
  puts "cell [get_property $cell full_name]"
  report_power -instances $cell -digits 8
}
