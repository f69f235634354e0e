# SPDX-License-Identifier: Apache-2.0
# cmake --install: the command, the libraries of the model with their headers, a CMake package and a pkg-config file.
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

# In the command of the linker, a static library precedes the libraries that it uses.
set(weft_pc_libraries ${parts})
list(REVERSE weft_pc_libraries)
list(TRANSFORM weft_pc_libraries PREPEND -l)
string(JOIN " " weft_pc_libraries ${weft_pc_libraries})

# The prefix is not known before the installation, so weft.pc contains it relative to its own folder.
file(RELATIVE_PATH weft_pc_to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" weft_pc_to_prefix ${weft_pc_to_prefix})
configure_file(${PROJECT_SOURCE_DIR}/cmake/weft.pc.in ${PROJECT_BINARY_DIR}/weft.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weft.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
