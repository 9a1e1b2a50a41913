# SPDX-License-Identifier: BSL-1.0
# The page that learns digits, examples/web, in a real browser, where there is one.
if(TAPELESS_TEST_VALUES) # one compiler makes WebAssembly
  tapeless_add_test(examples.web "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}"
                    "-DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/web" -P "${CMAKE_CURRENT_SOURCE_DIR}/web/page.cmake")
  tapeless_test_properties(examples.web SKIP_REGULAR_EXPRESSION SKIPPED)
endif()
