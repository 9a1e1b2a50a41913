# SPDX-License-Identifier: BSL-1.0
# Files of other libraries, read and written again by us and compared by them. Where a library is not there, its test
# is skipped; CI installs those that are small.

# An interpreter that can import MODULE, as PYTHON_MODULE; empty where there is none. -DTAPELESS_PYTHON=PATH names one.
# Where the environment has CI, `package` is installed for it in the build folder, if it can be.
find_package(Python3 QUIET COMPONENTS Interpreter)
set(TAPELESS_PYTHON "" CACHE FILEPATH "Python whose packages tests compare with, such as one of a virtual environment")
function(tapeless_python_with module package)
  if(PYTHON_${module})
    return()
  endif()
  set(own "${PROJECT_BINARY_DIR}/python")
  set(installed FALSE)
  foreach(attempt looks installs)
    foreach(python IN ITEMS "${TAPELESS_PYTHON}" "${Python3_EXECUTABLE}" "${own}/bin/python" /usr/bin/python3)
      if(NOT EXISTS "${python}")
        continue()
      endif()
      execute_process(COMMAND "${python}" -c "import ${module}" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
      if(code EQUAL 0)
        set(PYTHON_${module} "${python}" CACHE INTERNAL "")
        return()
      endif()
    endforeach()
    if(attempt STREQUAL "installs" OR NOT package OR NOT DEFINED ENV{CI} OR NOT Python3_FOUND)
      return()
    endif()
    if(NOT EXISTS "${own}/bin/python")
      execute_process(COMMAND "${Python3_EXECUTABLE}" -m venv "${own}" OUTPUT_QUIET ERROR_QUIET TIMEOUT 60)
    endif()
    execute_process(COMMAND "${own}/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1
                            --timeout 20 ${package} OUTPUT_QUIET ERROR_QUIET TIMEOUT 180)
  endforeach()
endfunction()

# Adds the test interchange.NAME: interchange.py with a program.
function(tapeless_interchange_test name module package target)
  tapeless_python_with(${module} "${package}")
  if(NOT PYTHON_${module})
    set(sentence "SKIPPED: there is no Python with ${module} (-DTAPELESS_PYTHON=PATH names one)")
    message(NOTICE "Test interchange.${name} is ${sentence}")
    tapeless_add_test(interchange.${name} "${CMAKE_COMMAND}" -E echo "${sentence}")
    tapeless_test_properties(interchange.${name} SKIP_REGULAR_EXPRESSION SKIPPED)
    return()
  endif()
  tapeless_add_test(
    interchange.${name}
    "${PYTHON_${module}}"
    -B
    "${CMAKE_CURRENT_SOURCE_DIR}/interchange/interchange.py"
    ${name}
    "$<TARGET_FILE:${target}>"
    "${CMAKE_CURRENT_BINARY_DIR}/interchange/${name}")
  tapeless_test_properties(interchange.${name} COST 50)
  tapeless_test_needs(interchange.${name} ${target})
endfunction()

if(TAPELESS_TEST_VALUES)
  add_executable(interchange interchange/interchange.cpp)
  set_target_properties(interchange PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/interchange")
  target_link_libraries(interchange PRIVATE tapeless::tapeless)
  target_compile_options(interchange PRIVATE -O1)
  tapeless_warnings(interchange -Wconversion)
  tapeless_interchange_test(numpy numpy numpy interchange)
  tapeless_interchange_test(gguf gguf gguf interchange)
  tapeless_interchange_test(csv csv "" interchange)
endif()
if(TARGET test_train_state_dict)
  tapeless_interchange_test(torch torch "" test_train_state_dict)
endif()
