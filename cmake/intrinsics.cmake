# SPDX-License-Identifier: BSL-1.0
# g++ 12 finds fault with its own intrinsics for AVX-512. include/tapeless/run/cpu/vectors/eigen.hpp turns that off for them
# alone, which a precompiled header does not remember: where there is one, it is turned off for the target's sources.

function(tapeless_precompiled_intrinsics target)
  set(precompiled "$<TARGET_PROPERTY:PRECOMPILE_HEADERS>$<TARGET_PROPERTY:PRECOMPILE_HEADERS_REUSE_FROM>")
  set(old "$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
  foreach(warning uninitialized maybe-uninitialized)
    target_compile_options(${target} INTERFACE "$<$<AND:${old},$<NOT:$<STREQUAL:${precompiled},>>>:-Wno-${warning}>")
  endforeach()
endfunction()
