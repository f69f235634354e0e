# SPDX-License-Identifier: Apache-2.0
# cpack -G DEB: one Debian package with everything that cmake --install installs.
#
# dpkg-shlibdeps finds the packages of the libraries that the programs load. The package recommends what the other parts
# require: packages for compiling with Weft's libraries and headers, Python with numpy, and gnuplot. `apt install`
# installs these, too; with --no-install-recommends, the command works without them.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_CONTACT "The authors of Weft <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "SystemC model of a network-on-chip")
set(CPACK_PACKAGE_DESCRIPTION "Weft simulates networks-on-chip with virtual-channel routers, as SystemC
modules, as a fast engine and as SystemVerilog. The package has the command
weft, the C++ libraries with their headers, RTL, components of test benches,
examples and the Python module.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(recommended g++ pkg-config libsystemc-dev libfmt-dev nlohmann-json3-dev libboost-dev libboost-iostreams-dev
    libmetis-dev zlib1g-dev gnuplot-nox)
if(WEFT_PYTHON)  # the module is compiled for this version of Python
  math(EXPR next "${Python3_VERSION_MINOR} + 1")
  list(APPEND recommended "python3 (>= 3.${Python3_VERSION_MINOR})" "python3 (<< 3.${next})" python3-numpy)
endif()
string(JOIN ", " CPACK_DEBIAN_PACKAGE_RECOMMENDS ${recommended})
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, verilator, python3-pandas, python3-networkx, python3-matplotlib")
include(CPack)
