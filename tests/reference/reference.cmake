# SPDX-License-Identifier: BSL-1.0
# Every case of the reference files is a test, with its values and its gradients. The tests' sources are generated
# from the files' metadata while building, one executable and one CTest entry for each file.

if(NOT TAPELESS_REFERENCE_DIR)
  set(sentence "SKIPPED: there are no reference files; -DTAPELESS_REFERENCE_DIR=FOLDER names their folder")
  message(NOTICE "Tests with reference values are ${sentence}")
  tapeless_add_test(reference "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(reference LABELS reference SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
endif()

add_executable(reference_generate reference/generate.cpp)
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/reference")
target_link_libraries(reference_generate PRIVATE tapeless::tapeless)
tapeless_warnings(reference_generate -Wconversion)
tapeless_sanitize(reference_generate)

# Adds the test of one file, as that many sources.
function(tapeless_reference_test file sources)
  cmake_path(GET file STEM name)
  set(stem "${CMAKE_CURRENT_BINARY_DIR}/reference/${name}")
  set(generated)
  math(EXPR last "${sources} - 1")
  foreach(i RANGE ${last})
    list(APPEND generated "${stem}_${i}.cpp")
  endforeach()
  add_custom_command(
    OUTPUT ${generated} "${stem}.operations"
    COMMAND reference_generate "${file}" ${sources} "${stem}"
    DEPENDS reference_generate "${file}"
    VERBATIM)

  add_executable(reference_${name} ${generated})
  set_target_properties(reference_${name} PROPERTIES OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY
                                                                           "${CMAKE_CURRENT_BINARY_DIR}/reference")
  target_link_libraries(reference_${name} PRIVATE tapeless_test_main)
  tapeless_test_options(reference_${name} 0) # hundreds of programs that run for microseconds
  target_precompile_headers(reference_${name} REUSE_FROM tapeless_test_headers_0)

  tapeless_add_test(reference.${name} reference_${name})
  tapeless_test_properties(reference.${name} LABELS reference FAIL_REGULAR_EXPRESSION "No tests ran")
endfunction()

file(GLOB files CONFIGURE_DEPENDS "${TAPELESS_REFERENCE_DIR}/ops-*.safetensors"
     "${TAPELESS_REFERENCE_DIR}/second-order.safetensors")
if(NOT files)
  message(FATAL_ERROR "${TAPELESS_REFERENCE_DIR}, TAPELESS_REFERENCE_DIR, holds no reference files")
endif()
foreach(file IN LISTS files)
  if(file MATCHES "ops-(elementwise-binary|reductions|losses)[.]safetensors$")
    tapeless_reference_test("${file}" 2)
  else()
    tapeless_reference_test("${file}" 1)
  endif()
endforeach()

tapeless_add_test(operations_table "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
                  "-DLISTS=${CMAKE_CURRENT_BINARY_DIR}/reference" -P
                  "${CMAKE_CURRENT_SOURCE_DIR}/reference/operations_table.cmake")
