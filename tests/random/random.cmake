# SPDX-License-Identifier: BSL-1.0
# The test random.programs: a few random programs of fixed seeds, written while building, compared with PyTorch. run.py
# by hand takes any seed.
if(NOT TAPELESS_TEST_LAWS)
  return()
endif()
tapeless_python_with(torch "")
if(NOT PYTHON_torch)
  set(sentence "SKIPPED: there is no Python with torch (-DTAPELESS_PYTHON=PATH names one)")
  message(NOTICE "Test random.programs is ${sentence}")
  tapeless_add_test(random.programs "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(random.programs SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
endif()

set(command "${PYTHON_torch}" -B "${CMAKE_CURRENT_SOURCE_DIR}/random/run.py" --seed 1 --programs 6)
set(source "${CMAKE_CURRENT_BINARY_DIR}/random/programs.cpp")
file(MAKE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/random")
file(GLOB_RECURSE generator CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/random/*.py")
add_custom_command(OUTPUT "${source}" COMMAND ${command} --write "${source}" DEPENDS ${generator} VERBATIM)
add_executable(random_programs "${source}")
set_target_properties(random_programs PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/random")
tapeless_test_options(random_programs ${values_kind})
target_compile_options(random_programs PRIVATE -w) # not every value is used
tapeless_use_test_headers(random_programs ${values_kind})
tapeless_add_test(random.programs ${command} --executable "$<TARGET_FILE:random_programs>")
tapeless_test_needs(random.programs random_programs)
tapeless_test_properties(random.programs COST 20 SKIP_REGULAR_EXPRESSION SKIPPED)
