# SPDX-License-Identifier: BSL-1.0
# The documents say what is true: test docs.
add_executable(docs_life_of_a_model docs/life_of_a_model.cpp)
target_link_libraries(docs_life_of_a_model PRIVATE tapeless::tapeless)
target_compile_options(docs_life_of_a_model PRIVATE -O0 -g0)
tapeless_warnings(docs_life_of_a_model)
tapeless_add_test(docs "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
                  "-DPROGRAM=$<TARGET_FILE:docs_life_of_a_model>" -P "${CMAKE_CURRENT_SOURCE_DIR}/docs/check.cmake")
tapeless_test_needs(docs docs_life_of_a_model)
