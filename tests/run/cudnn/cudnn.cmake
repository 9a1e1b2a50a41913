# SPDX-License-Identifier: BSL-1.0
# What cuDNN itself has for our operations: linked with it, but not with a GPU, which is described to it.

if(NOT TAPELESS_TEST_VALUES)
  return() # once is enough
endif()

set(version 0)
if(TARGET tapeless::cuda AND TAPELESS_CUDNN_INCLUDE AND TAPELESS_CUDNN_LIBRARY)
  file(STRINGS "${TAPELESS_CUDNN_INCLUDE}/cudnn_version.h" version REGEX "^#define CUDNN_M(AJOR|INOR) ")
  string(REGEX REPLACE "[^0-9;]" "" version "${version}")
  list(JOIN version "." version)
endif()
if(version VERSION_LESS 9.8) # the first that takes descriptions of devices
  set(sentence "SKIPPED: there is no CUDA Toolkit with cuDNN 9.8 or later; -DCUDNN_ROOT=FOLDER names cuDNN's folder")
  message(NOTICE "Tests of what cuDNN has for our operations are ${sentence}")
  tapeless_add_test(run.cudnn "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(run.cudnn LABELS unit SKIP_REGULAR_EXPRESSION SKIPPED)
  return()
endif()

file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
add_executable(test_run_cudnn ${sources})
set_target_properties(test_run_cudnn PROPERTIES OUTPUT_NAME cudnn RUNTIME_OUTPUT_DIRECTORY
                                                                  "${CMAKE_CURRENT_BINARY_DIR}/run")
target_link_libraries(test_run_cudnn PRIVATE tapeless_test_main tapeless::cuda)
tapeless_test_options(test_run_cudnn 0)

tapeless_add_test(run.cudnn test_run_cudnn)
# the library that is loaded may be older than its headers; it keeps some memory to the end
tapeless_test_properties(
  run.cudnn
  LABELS
  unit
  FAIL_REGULAR_EXPRESSION
  "No tests ran"
  SKIP_REGULAR_EXPRESSION
  SKIPPED
  ENVIRONMENT
  "ASAN_OPTIONS=detect_leaks=0")
