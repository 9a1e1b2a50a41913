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
if(NOT TAPELESS_TEST_VALUES)
  return()
endif()
if(NOT Python3_FOUND)
  foreach(name reference_pages reference_examples guides)
    tapeless_skipped_test(${name} "Python to read the docstrings")
  endforeach()
  return()
endif()
set(reference "${PROJECT_SOURCE_DIR}/docs/reference")

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

# The examples in docstrings, and the programs that the guides quote.
function(tapeless_documented_program target)
  add_executable(${target} ${ARGN})
  tapeless_test_options(${target} 0)
  target_compile_options(${target} PRIVATE -Wno-conversion) # they read as users write
  target_include_directories(${target} PRIVATE "${reference}")
  tapeless_use_test_headers(${target} 0)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/docs")
endfunction()

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

set(targets)
file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/docs/guide/*.cpp")
foreach(source IN LISTS sources)
  cmake_path(GET source STEM name)
  file(STRINGS "${source}" main REGEX "^int main\\(")
  file(STRINGS "${source}" with_mpi REGEX "<tapeless/mpi[.]hpp>")
  if(with_mpi) # what is precompiled for others knows nothing of it
    if(TARGET tapeless::mpi)
      add_executable(guide_${name} "${source}")
      target_link_libraries(guide_${name} PRIVATE tapeless::mpi)
      target_compile_options(guide_${name} PRIVATE -O0 -g0)
      tapeless_warnings(guide_${name})
      set_target_properties(guide_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/docs"
                                                     OUTPUT_NAME ${name})
      list(APPEND targets guide_${name})
    endif()
    continue()
  endif()
  if(main)
    tapeless_documented_program(guide_${name} "${source}")
    set_target_properties(guide_${name} PROPERTIES OUTPUT_NAME ${name})
    list(APPEND targets guide_${name})
  endif()
endforeach()
target_sources(guide_large_program PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/docs/guide/classifier.cpp")
foreach(command check update)
  set(${command} "${Python3_EXECUTABLE}" -B "${reference}/guides.py" ${command} "${PROJECT_SOURCE_DIR}"
                 "${CMAKE_CURRENT_BINARY_DIR}/docs")
endforeach()
tapeless_add_test(guides ${check})
tapeless_test_needs(guides ${targets})
add_custom_target(guides_update COMMAND ${update} DEPENDS ${targets} VERBATIM)
