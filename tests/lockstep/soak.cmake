# SPDX-License-Identifier: Apache-2.0
# Soak: all variants, and longer runs of everything. A test builds it on demand. One factor raises the total of the
# minimum work that the stage tests require above 10^8 words.
weft_variants(lockstep_soak soak)
set_target_properties(lockstep_soak PROPERTIES EXCLUDE_FROM_ALL ON)
add_executable(test_lockstep_soak EXCLUDE_FROM_ALL compressor_test.cpp decompressor_test.cpp encoders_test.cpp
  decoders_test.cpp
  ${PROJECT_SOURCE_DIR}/tests/sc_main.cpp)
target_link_libraries(test_lockstep_soak PRIVATE lockstep_soak GTest::gtest)
weft_optimise_less(test_lockstep_soak)
weft_reuse_precompiled(test_lockstep_soak weft_verilated_tests)

add_test(NAME lockstep_soak.build COMMAND ${CMAKE_COMMAND} --build ${PROJECT_BINARY_DIR} --target test_lockstep_soak)
set_tests_properties(lockstep_soak.build PROPERTIES LABELS soak TIMEOUT 7200 FIXTURES_SETUP lockstep_soak)

# add_soak(program module suite.test factor): adds a test for every variant of the module.
function(add_soak program module test factor)
  set(index 0)
  foreach(name ${${module}_names})
    add_test(NAME soak/${test}/${name} COMMAND ${program} --gtest_filter=*${test}/${index})
    set_tests_properties(soak/${test}/${name} PROPERTIES LABELS soak TIMEOUT 3600 FIXTURES_REQUIRED lockstep_soak
      PASS_REGULAR_EXPRESSION "PASSED  . 1 test" FAIL_REGULAR_EXPRESSION "FAILED"
      ENVIRONMENT "SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1;WEFT_LOCKSTEP_LENGTH=${factor}")
    math(EXPR index "${index} + 1")
  endforeach()
endfunction()
foreach(module compressor decompressor)
  add_soak(test_lockstep_soak ${module} lockstep_${module}.outputs_match_in_every_cycle 10)
  add_soak(test_lockstep_soak fpc_${module} lockstep_fpc_${module}.* 20)
  add_soak(test_lockstep_soak lsb_cut_${module} lockstep_lsb_cut_${module}.* 20)
endforeach()
add_soak(test_lockstep_soak bit_packer lockstep_bit_packer.outputs_the_same_flits_as_systemc 20)
add_soak(test_lockstep_soak bit_unpacker lockstep_bit_unpacker.outputs_the_same_window_as_systemc 20)

# Routers and NICs for networks that are compiled on demand only, in a separate build.
add_test(NAME soak/lockstep_compiled
  COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/compiled
    --build-generator Ninja --build-noclean --build-target test_lockstep_nic_network
    --build-options -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE} -DCMAKE_UNITY_BUILD=ON -DWEFT_BENCH=OFF
      -DWEFT_RTL_MORE_ROUTERS=s3_cut_through\;s5\;s5_cut_through\;s7\;s7_cut_through\;s9\;s9_cut_through
      -DWEFT_RTL_ROUTER_SIZES=Ports=7\;Vcs=5\;Depth=20\;Words=4 -DWEFT_RTL_MORE_NICS=2x3\;5x20
    --test-command tests/lockstep/test_lockstep_nic_network --gtest_filter=*lockstep_compiled*)
set_tests_properties(soak/lockstep_compiled PROPERTIES LABELS soak TIMEOUT 7200
  PASS_REGULAR_EXPRESSION "PASSED  . 13 tests" FAIL_REGULAR_EXPRESSION "FAILED")
