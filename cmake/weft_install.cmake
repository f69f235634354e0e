# SPDX-License-Identifier: Apache-2.0
# cmake --install: the command with its manual pages and completions, the libraries of the model with their headers, a
# CMake package and pkg-config files, RTL, benches and examples.
#
# The libraries that read YAML (weft_yaml, weft_topology_files, weft_configuration and those that use it) belong to the
# command and are not installed; other projects can use them with add_subdirectory().
include(CMakePackageConfigHelpers)

set(parts ${WEFT_INSTALLED_LIBRARIES})
install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(BUILD_SHARED_LIBS)
  file(RELATIVE_PATH libraries /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${CMAKE_INSTALL_LIBDIR})
  set_target_properties(weft PROPERTIES INSTALL_RPATH $ORIGIN/${libraries})
endif()
if(WEFT_OPEN_MPI)
  install(TARGETS weft_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS ${parts} weft_usage weft_systemc EXPORT weft_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(weft_usage PROPERTIES EXPORT_NAME usage)

# For each header that has moved, a header is installed at the old place. It prints a note and includes the new one.
foreach(part ${parts})
  get_target_property(headers ${part} HEADER_SET)
  foreach(header ${headers})
    file(RELATIVE_PATH new ${PROJECT_SOURCE_DIR}/systemc ${header})
    set(old ${new})
    foreach(move collectives/schedule/=schedule/ collectives/communication/=workload/collective/ mpi/trace/=trace/
        mpi/replay/=workload/replay/
        workload/collective_parameters.h=workload/collective/collective_parameters.h)
      string(REGEX MATCH "^(.*)=(.*)$" unused ${move})
      string(REGEX REPLACE "^weft/${CMAKE_MATCH_1}" "weft/${CMAKE_MATCH_2}" old ${old})
    endforeach()
    if(NOT old STREQUAL new)
      file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/moved/${old} CONTENT "// SPDX-License-Identifier: Apache-2.0
#pragma once
#pragma message(\"${old} has moved to ${new}\")
#include \"${new}\"  // IWYU pragma: export
" @ONLY)
    endif()
  endforeach()
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/moved/weft DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft_targets NAMESPACE weft:: DESTINATION ${package})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weft-config.cmake.in ${PROJECT_BINARY_DIR}/weft-config.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weft-config.cmake ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  DESTINATION ${package})

include(weft_pkg_config)

# Manual pages, and scripts for completion in shells. The program writes them.
set(shells ${PROJECT_BINARY_DIR}/shells)
add_custom_command(OUTPUT ${shells}/man/weft.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${shells}
  COMMAND ${CMAKE_COMMAND} -E make_directory ${shells}/man
  COMMAND weft manual -o ${shells}/man
  COMMAND weft completion bash > ${shells}/weft
  COMMAND weft completion zsh > ${shells}/_weft
  COMMAND weft completion fish > ${shells}/weft.fish
  DEPENDS weft VERBATIM COMMENT "Writing manual pages and completions")
add_custom_target(weft_shells ALL DEPENDS ${shells}/man/weft.1)
foreach(section 1 5)
  install(DIRECTORY ${shells}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
    FILES_MATCHING PATTERN "*.${section}")
endforeach()
install(FILES ${shells}/weft DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${shells}/weft.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
# zsh searches the first folder below /usr/local, and Debian's zsh the second one below /usr.
install(FILES ${shells}/_weft DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${shells}/_weft DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)

# Sources that users compile themselves: RTL, components of test benches with the golden codecs, and examples. They have
# the same places relative to each other as in the repository, so that the scripts of the examples find them.
set(share ${CMAKE_INSTALL_DATADIR}/weft)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl ${PROJECT_SOURCE_DIR}/examples DESTINATION ${share} USE_SOURCE_PERMISSIONS)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tb/sv ${PROJECT_SOURCE_DIR}/tb/dpi DESTINATION ${share}/tb)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/systemc/weft/core DESTINATION ${share}/systemc/weft
  FILES_MATCHING PATTERN "*.h" PATTERN coded_packet.cpp)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
