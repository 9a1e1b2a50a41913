# SPDX-License-Identifier: BSL-1.0
# The graph is built in constant expressions: the compilers' default limits are enough for small
# models, these for large ones. nvcc has no such flag, and stops before its host compiler would.

function(tapeless_constexpr_limits target)
  set(gnu -fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4096
          -ftemplate-depth=4096)
  set(clang -fconstexpr-steps=2000000000 -fconstexpr-depth=4096 -ftemplate-depth=4096 -fbracket-depth=4096)
  target_compile_options(${target} INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${gnu}>"
                                             "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:${clang}>")
endfunction()
