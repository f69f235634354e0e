# SPDX-License-Identifier: Apache-2.0
# The slowest path between registers, inputs and outputs of each part; inputs arrive at the clock edge, without wires.
read_liberty @LIBRARY@
foreach part {@PARTS@} {
  read_verilog @OUT@/$part.v
  link_design $part
  create_clock -name clk -period @PERIOD@ [get_ports clk_i]
  set_input_delay 0 -clock clk [all_inputs]
  set_output_delay 0 -clock clk [all_outputs]
  set_driving_cell -lib_cell @DRIVER@ [all_inputs]
  set_load @LOAD@ [all_outputs]
  set_false_path -from [get_ports rst_ni]
  foreach constant {rule_i* depth_i* phits_i* path_ids_i*} {
    if {[llength [get_ports $constant]] > 0} { set_false_path -from [get_ports $constant] }
  }
  puts "slack $part [get_property [lindex [find_timing_paths] 0] slack]"
  report_checks -format full -digits 3 -fields {net fanout capacitance slew}
}
