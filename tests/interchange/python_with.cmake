# SPDX-License-Identifier: BSL-1.0
# A Python for tests that compare with its packages, while they run.

# Sets `result` to a Python that has the modules ARGN; where there is none, and the environment has CI, to one of the
# folder `environment`, which pip fills. Empty, with a line that says SKIPPED, where there is none then either.
function(python_with result environment)
  list(JOIN ARGN ", " modules)
  set(${result} "" PARENT_SCOPE)
  find_program(PYTHON python3)
  set(own "${environment}/bin/python")
  foreach(attempt looks installs)
    foreach(python IN ITEMS "${PYTHON}" "${own}")
      if(NOT EXISTS "${python}")
        continue()
      endif()
      execute_process(COMMAND "${python}" -c "import ${modules}" RESULT_VARIABLE code OUTPUT_QUIET ERROR_QUIET)
      if(code EQUAL 0)
        set(${result} "${python}" PARENT_SCOPE)
        return()
      endif()
    endforeach()
    if(attempt STREQUAL "installs" OR NOT PYTHON OR NOT DEFINED ENV{CI})
      break()
    endif()
    message(STATUS "Installing ${modules} in ${environment}")
    execute_process(COMMAND "${PYTHON}" -m venv "${environment}" OUTPUT_QUIET ERROR_QUIET)
    execute_process(COMMAND "${own}" -m pip install --quiet --disable-pip-version-check --no-compile --retries 1
                            --timeout 20 ${ARGN} OUTPUT_QUIET ERROR_QUIET)
  endforeach()
  message(NOTICE "SKIPPED: no Python has ${modules} (where CI is set, pip is asked for them)")
endfunction()
