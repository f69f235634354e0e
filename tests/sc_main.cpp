// SPDX-License-Identifier: Apache-2.0
/// The main of a test program that links SystemC: the library's own main calls sc_main.
#include <gtest/gtest.h>
#include <systemc>

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
