# SPDX-License-Identifier: BSL-1.0
# Every case of the reference files is a test, with its values and its gradients. The tests' sources are generated
# from the files' metadata while building, one executable and one CTest entry for each file. (The rules' trajectories
# and the schedules need no source of their own: tests/optim reads them.)

add_executable(reference_generate EXCLUDE_FROM_ALL reference/generate.cpp)
target_link_libraries(reference_generate PRIVATE tapeless::tapeless)
tapeless_warnings(reference_generate -Wconversion)
target_compile_options(reference_generate PRIVATE -O0 -g0) # it reads small files

# Adds the test SET.NAME of the file NAME.safetensors, as so many sources, of that kind.
function(tapeless_reference_test set file sources kind)
  cmake_path(GET file STEM name)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${set}")
  file(MAKE_DIRECTORY "${folder}")
  set(stem "${folder}/${name}")
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

  set(target ${set}_${name})
  add_executable(${target} ${generated})
  set_target_properties(${target} PROPERTIES OUTPUT_NAME "${name}" RUNTIME_OUTPUT_DIRECTORY "${folder}")
  target_link_libraries(${target} PRIVATE tapeless_test_main)
  tapeless_test_options(${target} ${kind})
  tapeless_use_test_headers(${target} ${kind})

  tapeless_add_test(${set}.${name} ${target})
  tapeless_test_properties(${set}.${name} LABELS reference FAIL_REGULAR_EXPRESSION "No tests ran")
endfunction()

file(GLOB files CONFIGURE_DEPENDS "${TAPELESS_REFERENCE_DIR}/ops-*.safetensors"
     "${TAPELESS_REFERENCE_DIR}/second-order*.safetensors" "${TAPELESS_REFERENCE_DIR}/optim-clip*.safetensors"
     "${TAPELESS_REFERENCE_DIR}/train-*.safetensors")
if(NOT files)
  message(FATAL_ERROR "TAPELESS_REFERENCE_DIR, \"${TAPELESS_REFERENCE_DIR}\", holds no reference files")
endif()
set(tests)
if(NOT TAPELESS_TEST_LAWS) # by the other compiler
  set(files)
endif()
foreach(file IN LISTS files)
  cmake_path(GET file STEM name)
  list(APPEND tests reference_${name})
  if(file MATCHES "ops-(elementwise-binary|reductions|losses)[.]safetensors$")
    tapeless_reference_test(reference "${file}" 2 ${values_kind}) # hundreds of programs that run for microseconds
  else()
    tapeless_reference_test(reference "${file}" 1 ${values_kind})
  endif()
endforeach()

# README.md's table says what the files of this repository cover.
if(TAPELESS_TEST_LAWS AND TAPELESS_REFERENCE_DIR STREQUAL TAPELESS_OWN_REFERENCE)
  message(NOTICE "The largest reference cases are SKIPPED; -DTAPELESS_REFERENCE_DIR=FOLDER names a whole set of files")
  tapeless_add_test(
    operations_table
    "${CMAKE_COMMAND}"
    "-DSOURCE=${PROJECT_SOURCE_DIR}"
    "-DLISTS=${CMAKE_CURRENT_BINARY_DIR}/reference"
    "-DRECORDS=${TAPELESS_TEST_RECORDS}"
    -P
    "${CMAKE_CURRENT_SOURCE_DIR}/reference/operations_table.cmake")
  tapeless_test_needs(operations_table ${tests})
  tapeless_test_properties(operations_table FIXTURES_REQUIRED laws)
endif()

# The same tests hold of files with other sizes, numbers of steps, hyperparameters and orders.
find_package(Python3 QUIET COMPONENTS Interpreter)
if(NOT Python3_FOUND)
  set(sentence "SKIPPED: there is no Python to write another set of reference files")
  message(NOTICE "Tests of another set are ${sentence}")
  tapeless_add_test(another_set "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(another_set LABELS reference SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
endif()
set(another "${CMAKE_CURRENT_BINARY_DIR}/another_set/data")
set(files)
foreach(name ops-reductions optim-adam optim-adaptive optim-clip optim-schedules optim-sgd train-mlp)
  list(APPEND files "${another}/${name}.safetensors")
endforeach()
file(GLOB scripts CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/reference/sets/*.py")
add_custom_command(
  OUTPUT ${files}
  COMMAND "${Python3_EXECUTABLE}" -B "${CMAKE_CURRENT_SOURCE_DIR}/reference/sets/another_set.py" "${another}"
  DEPENDS ${scripts}
  VERBATIM)
add_custom_target(another_set ALL DEPENDS ${files})

foreach(name ops-reductions optim-clip train-mlp)
  if(TAPELESS_TEST_LAWS)
    tapeless_reference_test(another_set "${another}/${name}.safetensors" 1 ${values_kind})
    add_dependencies(another_set_${name} another_set) # one of them writes the files
  endif()
endforeach()
# tests that read their file when they run need no other program
file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" "optim/*.cpp")
foreach(source IN LISTS sources)
  file(STRINGS "${source}" readers REGEX "reference::read[(]")
  cmake_path(GET source STEM name)
  if(readers AND TARGET test_optim_${name})
    tapeless_add_test(another_set.${name} test_optim_${name}) # as tapeless_test calls it
    tapeless_test_needs(another_set.${name} another_set)
    tapeless_test_properties(another_set.${name} LABELS reference ENVIRONMENT "TAPELESS_REFERENCE_DIR=${another}")
  endif()
endforeach()
