# SPDX-License-Identifier: BSL-1.0
# The documents say what is true: test docs.
add_executable(docs_life_of_a_model docs/life_of_a_model.cpp)
target_link_libraries(docs_life_of_a_model PRIVATE tapeless::tapeless)
target_compile_options(docs_life_of_a_model PRIVATE -O0 -g0)
tapeless_warnings(docs_life_of_a_model)
tapeless_add_test(docs "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
                  "-DPROGRAM=$<TARGET_FILE:docs_life_of_a_model>" -P "${CMAKE_CURRENT_SOURCE_DIR}/docs/check.cmake")
tapeless_test_needs(docs docs_life_of_a_model)

# What the reference and the guides say is computed: by one compiler, since it is about the library.
find_package(Python3 QUIET COMPONENTS Interpreter)
find_program(TAPELESS_DOXYGEN doxygen)
function(tapeless_skipped_test name what)
  set(sentence "SKIPPED: there is no ${what}")
  message(NOTICE "Test ${name} is ${sentence}")
  tapeless_add_test(${name} "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(${name} SKIP_REGULAR_EXPRESSION SKIPPED)
endfunction()
set(reference "${PROJECT_SOURCE_DIR}/docs/reference")

function(tapeless_documented_program target)
  add_executable(${target} ${ARGN})
  tapeless_test_options(${target} ${values_kind})
  target_compile_options(${target} PRIVATE -Wno-conversion) # they read as users write
  target_include_directories(${target} PRIVATE "${reference}")
  tapeless_use_test_headers(${target} ${values_kind})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/docs")
endfunction()

if(TAPELESS_TEST_LAWS) # by the compiler that takes half as long for them
  include(docs/guides.cmake)
endif()

if(NOT TAPELESS_TEST_VALUES)
  return()
endif()
if(NOT Python3_FOUND)
  foreach(name reference_pages reference_examples)
    tapeless_skipped_test(${name} "Python to read the docstrings")
  endforeach()
  return()
endif()

# The pages: docstrings that lack something and warnings of Doxygen's are errors.
if(TAPELESS_DOXYGEN)
  tapeless_add_test(
    reference_pages
    "${CMAKE_COMMAND}"
    "-DOUTPUT=${CMAKE_CURRENT_BINARY_DIR}/reference_pages"
    -DINSTALL=OFF
    -P
    "${PROJECT_SOURCE_DIR}/cmake/reference.cmake")
else()
  tapeless_skipped_test(reference_pages "doxygen to build the reference")
endif()

# The examples in docstrings.
set(examples "${CMAKE_CURRENT_BINARY_DIR}/docs/examples")
file(MAKE_DIRECTORY "${examples}")
set(groups elements axes products sequences)
list(TRANSFORM groups REPLACE "(.+)" "${examples}/\\1.cpp" OUTPUT_VARIABLE sources)
file(GLOB_RECURSE operations CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/tapeless/ops/*.hpp")
add_custom_command(
  OUTPUT ${sources}
  COMMAND "${Python3_EXECUTABLE}" -B "${reference}/examples.py" write "${PROJECT_SOURCE_DIR}/include" "${examples}"
  DEPENDS ${operations} "${reference}/examples.py" "${reference}/docstrings.py"
  VERBATIM)
set(programs)
foreach(group IN LISTS groups)
  tapeless_documented_program(reference_example_${group} "${examples}/${group}.cpp")
  target_link_libraries(reference_example_${group} PRIVATE tapeless_onnx_record)
  list(APPEND programs "$<TARGET_FILE:reference_example_${group}>")
endforeach()
list(TRANSFORM groups PREPEND reference_example_ OUTPUT_VARIABLE targets)
set(compute "${Python3_EXECUTABLE}" -B "${reference}/examples.py")
tapeless_add_test(reference_examples ${compute} compare "${PROJECT_SOURCE_DIR}/include" ${programs})
tapeless_test_needs(reference_examples ${targets})
tapeless_test_properties(reference_examples FIXTURES_SETUP onnx)
set_property(TEST "${TAPELESS_TEST_PREFIX}reference_examples"
             PROPERTY ENVIRONMENT "TAPELESS_ONNX_DIR=${TAPELESS_TEST_RECORDS}/onnx/reference_examples")
add_custom_target(
  reference_examples_update
  COMMAND ${compute} update "${PROJECT_SOURCE_DIR}/include" ${programs}
  DEPENDS ${targets}
  VERBATIM)
