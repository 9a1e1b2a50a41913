# SPDX-License-Identifier: BSL-1.0
# The test opinfo: a slice of PyTorch's own samples, of each operation the first of each form, from files, so that it
# needs no PyTorch. opinfo.py, by hand, asks all samples, and writes a table of the results and the slice.

if(TAPELESS_TEST_LAWS)
  add_executable(opinfo opinfo/main.cpp opinfo/compare.cpp opinfo/slice/slice.cpp)
  set_target_properties(opinfo PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/opinfo")
  tapeless_test_options(opinfo ${values_kind})
  target_include_directories(opinfo PRIVATE opinfo)
  tapeless_use_test_headers(opinfo ${values_kind})
  tapeless_add_test(opinfo opinfo "${CMAKE_CURRENT_SOURCE_DIR}/opinfo/slice/slice.safetensors")

  # The names behind @torch are those of PyTorch; skipped where it is not there.
  tapeless_python_with(torch "")
  set(names "${PYTHON_torch}" -B "${CMAKE_CURRENT_SOURCE_DIR}/opinfo/names.py" "${PROJECT_SOURCE_DIR}/include/tapeless")
  if(NOT PYTHON_torch)
    set(names "${CMAKE_COMMAND}" -E echo "SKIPPED: there is no Python with torch (-DTAPELESS_PYTHON=PATH names one)")
  endif()
  tapeless_add_test(opinfo.names ${names})
  tapeless_test_properties(opinfo.names SKIP_REGULAR_EXPRESSION SKIPPED)
endif()
