# SPDX-License-Identifier: BSL-1.0
# The ONNX files of all laws that were run, and of the networks in train.save_onnx, are run by onnxruntime.
tapeless_add_test(onnx "${CMAKE_COMMAND}" "-DFILES=${TAPELESS_TEST_RECORDS}/onnx"
                  "-DENVIRONMENT=${PROJECT_BINARY_DIR}/onnxruntime" -P "${CMAKE_CURRENT_SOURCE_DIR}/onnx/run.cmake")
tapeless_test_properties(onnx LABELS onnx COST 100 SKIP_REGULAR_EXPRESSION SKIPPED)
set_property(TEST "${TAPELESS_TEST_PREFIX}onnx" PROPERTY FIXTURES_REQUIRED laws onnx)
