# SPDX-License-Identifier: BSL-1.0
# libFuzzer on what reads files: one program for each tests/fuzz/NAME.cpp, which begins with the inputs in
# tests/fuzz/corpus/NAME. As test fuzz.NAME it takes a fixed number of inputs, the same ones each time. For longer,
# ten minutes each, and with what is found kept in the build folder:
#   cmake --build build/test-clang++-19 --target fuzz
# and -DTAPELESS_FUZZ_SECONDS=N, when it is configured, for other times.
set(TAPELESS_FUZZ_SECONDS 600 CACHE STRING "How long the target `fuzz` runs each fuzzer")

include(CheckCXXSourceCompiles)
set(options -fsanitize=fuzzer,address,undefined)
set(CMAKE_REQUIRED_FLAGS "${options}")
check_cxx_source_compiles(
  "#include <cstddef>
   extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, std::size_t) { return 0; }"
  TAPELESS_HAS_FUZZER)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT TAPELESS_HAS_FUZZER)
  set(sentence "SKIPPED: this compiler has no libFuzzer; clang-19 with libclang-rt-19-dev has it")
  message(NOTICE "Fuzzers are ${sentence}")
  tapeless_add_test(fuzz "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(fuzz LABELS fuzz SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
endif()

set(runs_json 20000)
set(runs_safetensors 10000)
set(runs_sharded_safetensors 10000)
set(runs_idx 10000)
set(runs_gzip 5000)
set(runs_cifar10 5000)
set(runs_text 5000)
set(runs_npy 10000)
set(runs_npz 5000)
set(runs_gguf 10000)
set(runs_csv 10000)

add_custom_target(fuzz)
file(GLOB sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "fuzz/*.cpp")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  set(target fuzz_${name})
  set(corpus "${CMAKE_CURRENT_SOURCE_DIR}/fuzz/corpus/${name}")
  add_executable(${target} "${source}")
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY
                                                                   "${CMAKE_CURRENT_BINARY_DIR}/fuzz")
  target_link_libraries(${target} PRIVATE tapeless::tapeless)
  target_compile_options(${target} PRIVATE ${options} -fno-sanitize-recover=all -O1 -g1)
  target_link_options(${target} PRIVATE ${options})
  tapeless_warnings(${target} -Wconversion)

  # no allocation for a small file is large
  set(limits -max_len=2000 -malloc_limit_mb=16 -rss_limit_mb=1024 -timeout=120)
  file(GLOB inputs CONFIGURE_DEPENDS "${corpus}/*")
  list(JOIN inputs "," inputs)
  tapeless_add_test(fuzz.${name} ${target} -seed_inputs=${inputs} -seed=1 -runs=${runs_${name}} ${limits})
  tapeless_test_properties(fuzz.${name} LABELS fuzz)

  set(found "${CMAKE_CURRENT_BINARY_DIR}/fuzz/found/${name}")
  add_custom_target(
    fuzz_longer_${name}
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${found}"
    COMMAND ${target} -max_total_time=${TAPELESS_FUZZ_SECONDS} ${limits} "-artifact_prefix=${found}-" "${found}"
            "${corpus}"
    USES_TERMINAL)
  add_dependencies(fuzz fuzz_longer_${name})
endforeach()
