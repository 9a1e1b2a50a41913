# SPDX-License-Identifier: BSL-1.0
# What tl::cuda does, on devices that are not there: CUDA's headers, and the header that starts kernels, are those
# of the folder fake.

file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/*.cpp")
add_executable(test_run_cuda ${sources})
set_target_properties(test_run_cuda PROPERTIES OUTPUT_NAME cuda RUNTIME_OUTPUT_DIRECTORY
                                                                "${CMAKE_CURRENT_BINARY_DIR}/run")
target_include_directories(test_run_cuda BEFORE PRIVATE "${CMAKE_CURRENT_LIST_DIR}/fake")
target_compile_definitions(test_run_cuda PRIVATE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP
                                                 TAPELESS_HAS_CUDNN)
target_link_libraries(test_run_cuda PRIVATE tapeless_test_main)
tapeless_test_options(test_run_cuda 0)
target_precompile_headers(test_run_cuda PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/catch.hpp"
                          "${CMAKE_CURRENT_SOURCE_DIR}/program.hpp" <tapeless/tapeless.hpp>
                          <tapeless/run/thrust_host/thrust_host.hpp>)

tapeless_add_test(run.cuda test_run_cuda)
tapeless_test_properties(run.cuda LABELS unit FAIL_REGULAR_EXPRESSION "No tests ran")
