# SPDX-License-Identifier: BSL-1.0
# The graph is built in constant expressions: the compilers' default limits are enough for small
# models, these for large ones. nvcc hands its own to the two compilers that it is made of.

function(tapeless_constexpr_limits target)
  set(gnu -fconstexpr-ops-limit=2000000000 -fconstexpr-loop-limit=100000000 -fconstexpr-depth=4096
          -ftemplate-depth=4096)
  set(clang -fconstexpr-steps=2000000000 -fconstexpr-depth=4096 -ftemplate-depth=4096 -fbracket-depth=4096)
  target_compile_options(${target} INTERFACE "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:${gnu}>"
                                             "$<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang>:${clang}>")
  string(REPLACE ";" "," host "${gnu}")
  set(nvidia "SHELL:-Xcudafe --max_cost_constexpr_call=2000000000" "SHELL:-Xcicc --max_cost_constexpr_call=2000000000"
             "SHELL:-Xcompiler ${host}")
  target_compile_options(${target} INTERFACE "$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:${nvidia}>")
endfunction()
