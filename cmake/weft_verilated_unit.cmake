# SPDX-License-Identifier: Apache-2.0
# weft_verilate() runs this script after Verilator. It writes one translation unit that includes all generated sources
# of PREFIX.
file(GLOB sources RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
list(REMOVE_ITEM sources ${PREFIX}__unit.cpp)
list(SORT sources)
set(text "")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${FOLDER}/${PREFIX}__unit.cpp "${text}")
