# SPDX-License-Identifier: Apache-2.0
# The libraries that Weft links, from Debian packages. In Debian, SystemC has only a pkg-config file; the CMake package
# of a self-built SystemC is preferred if it is found.

find_package(PkgConfig REQUIRED)
find_package(SystemCLanguage CONFIG QUIET)
if(TARGET SystemC::systemc)
  add_library(weft_systemc INTERFACE)
  target_link_libraries(weft_systemc INTERFACE SystemC::systemc)
else()
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  add_library(weft_systemc INTERFACE)
  target_link_libraries(weft_systemc INTERFACE PkgConfig::SYSTEMC)
endif()

add_library(weft::systemc ALIAS weft_systemc)
set_target_properties(weft_systemc PROPERTIES EXPORT_NAME systemc)

find_package(fmt REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Boost REQUIRED COMPONENTS graph iostreams)
find_package(ZLIB REQUIRED)
# Debian's METIS has neither a CMake package nor a pkg-config file.
find_library(METIS_LIBRARY metis REQUIRED)
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
if(WEFT_COLLECTIVES)
  # Debian's CaDiCaL also has neither of them.
  find_library(CADICAL_LIBRARY cadical REQUIRED)
  find_path(CADICAL_INCLUDE_DIR cadical.hpp REQUIRED)
  pkg_check_modules(CLP REQUIRED IMPORTED_TARGET clp)
endif()
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(CRYPTO REQUIRED IMPORTED_TARGET libcrypto)
find_package(Threads REQUIRED)

# WEFT_MPI is ON, OFF or AUTO. AUTO builds traces and replays if WEFT_COLLECTIVES is ON. It builds the parts that need
# Open MPI only if Open MPI is found and sanitizers are off, because they report leaks in Open MPI.
set(WEFT_MPI AUTO CACHE STRING
  "Traces and replays of MPI programs; with Open MPI also their recorder and sweeps under mpirun: ON, OFF or AUTO")
set_property(CACHE WEFT_MPI PROPERTY STRINGS AUTO ON OFF)
if(WEFT_MPI STREQUAL "AUTO")
  if(WEFT_COLLECTIVES AND NOT WEFT_SANITIZE)
    pkg_check_modules(OMPI IMPORTED_TARGET ompi-c)
  endif()
  set(WEFT_MPI ${WEFT_COLLECTIVES})
elseif(WEFT_MPI)
  if(NOT WEFT_COLLECTIVES)
    message(FATAL_ERROR "weft: replays carry out collectives, so WEFT_MPI=ON requires WEFT_COLLECTIVES=ON")
  endif()
  pkg_check_modules(OMPI REQUIRED IMPORTED_TARGET ompi-c)
endif()
# From here on, WEFT_MPI and WEFT_OPEN_MPI are ON or OFF. The cache keeps the value of WEFT_MPI that the user set.
if(OMPI_FOUND AND WEFT_MPI)
  set(WEFT_OPEN_MPI ON)
else()
  set(WEFT_OPEN_MPI OFF)
  if(WEFT_MPI)
    message(STATUS "weft: no sweeps under mpirun and no recorder of MPI programs; both require libopenmpi-dev")
  endif()
endif()
