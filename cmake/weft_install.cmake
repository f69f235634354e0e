# SPDX-License-Identifier: Apache-2.0
# cmake --install: the command, the libraries of the model with their headers, a CMake package and a pkg-config file.
#
# The libraries that read YAML (weft_yaml, weft_topology_files, weft_configuration, weft_tlm_yaml, weft_experiment)
# belong to the command and are not installed; other projects can use them with add_subdirectory().
include(CMakePackageConfigHelpers)

set(parts ${WEFT_INSTALLED_LIBRARIES})
install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH libraries /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft PROPERTIES INSTALL_RPATH $ORIGIN/${libraries})
endif()
if(WEFT_MPI)
  install(TARGETS weft_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS ${parts} weft_usage weft_systemc EXPORT weft_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
set_target_properties(weft_usage PROPERTIES EXPORT_NAME usage)
foreach(part ${parts})
  string(REGEX REPLACE "^weft_" "" folder ${part})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/systemc/weft/${folder} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft
    FILES_MATCHING PATTERN "*.h" PATTERN read_topology.h EXCLUDE PATTERN network_builder.h EXCLUDE
    PATTERN router_names.h EXCLUDE PATTERN "yaml_*.h" EXCLUDE PATTERN drawing.h EXCLUDE
    PATTERN model_of_width.h EXCLUDE
    # The search for schedules, with solvers, belongs to the command.
    PATTERN "schedule/exact" EXCLUDE PATTERN "schedule/search" EXCLUDE PATTERN "schedule/forwarding" EXCLUDE
    PATTERN "schedule/solve.h" EXCLUDE PATTERN "schedule/pareto.h" EXCLUDE)
endforeach()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft_targets NAMESPACE weft:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${package})

# The prefix is known only at installation, so it is relative to the folder of the file.
file(RELATIVE_PATH weft_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" weft_pc_to_prefix ${weft_pc_to_prefix})
configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.pc.in ${PROJECT_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
