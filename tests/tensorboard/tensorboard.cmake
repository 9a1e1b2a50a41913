# SPDX-License-Identifier: BSL-1.0
# What train.tensorboard has written is read by the official package.
if(NOT TARGET test_train_tensorboard)
  return() # the other compiler's
endif()
set(events "${CMAKE_CURRENT_BINARY_DIR}/tensorboard")
set_property(TEST "${TAPELESS_TEST_PREFIX}train.tensorboard" APPEND PROPERTY ENVIRONMENT "TAPELESS_EVENTS_DIR=${events}")
tapeless_test_properties(train.tensorboard FIXTURES_SETUP tensorboard)
tapeless_add_test(tensorboard "${CMAKE_COMMAND}" "-DEVENTS=${events}"
                  "-DENVIRONMENT=${PROJECT_BINARY_DIR}/tensorboard" -P "${CMAKE_CURRENT_SOURCE_DIR}/tensorboard/run.cmake")
tapeless_test_properties(tensorboard COST 100 SKIP_REGULAR_EXPRESSION SKIPPED)
set_property(TEST "${TAPELESS_TEST_PREFIX}tensorboard" PROPERTY FIXTURES_REQUIRED tensorboard)
