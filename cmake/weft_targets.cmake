# How Weft's own targets are compiled: one place for warnings, sanitizers and the include root.

add_library(weft_options INTERFACE)
target_compile_features(weft_options INTERFACE cxx_std_17)
target_include_directories(weft_options INTERFACE ${PROJECT_SOURCE_DIR}/systemc)
target_compile_options(weft_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Werror)
# g++ 12 at -O3 takes fmt's buffers for overflowing (a false alarm in its own header).
target_compile_options(weft_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow>)
# Same seed, same result on every machine: no fused multiply-add where the processor has one.
target_compile_options(weft_options INTERFACE -ffp-contract=off)
if(WEFT_SANITIZE)
  target_compile_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE} -fno-omit-frame-pointer
                                                -fno-sanitize-recover=all)
  target_link_options(weft_options INTERFACE -fsanitize=${WEFT_SANITIZE})
endif()

# weft_library(name SOURCES … LINK …): a static library of the model.
function(weft_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC weft_options ${ARG_LINK})
endfunction()
