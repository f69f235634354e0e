# SPDX-License-Identifier: Apache-2.0
# Run by weft_verilate() after Verilator: one unit of translation that includes all of PREFIX's generated sources.
file(GLOB sources RELATIVE ${FOLDER} ${FOLDER}/${PREFIX}*.cpp)
list(REMOVE_ITEM sources ${PREFIX}__unit.cpp)
list(SORT sources)
set(text "")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${FOLDER}/${PREFIX}__unit.cpp "${text}")
