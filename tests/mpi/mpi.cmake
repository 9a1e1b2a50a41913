# SPDX-License-Identifier: BSL-1.0
# Programs of several processes, by mpirun; one compiler's word is enough.

if(NOT TARGET tapeless::mpi)
  set(sentence "SKIPPED: MPI is not found; Debian has it in openmpi-bin and libopenmpi-dev")
  message(NOTICE "Tests of several processes are ${sentence}")
  tapeless_add_test(mpi "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(mpi LABELS mpi SKIP_REGULAR_EXPRESSION SKIPPED)
elseif(TAPELESS_TEST_VALUES)
  add_executable(mpi_ranks mpi/ranks.cpp)
  target_link_libraries(mpi_ranks PRIVATE tapeless::mpi)
  target_include_directories(mpi_ranks PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_options(mpi_ranks PRIVATE -O0 -g0)
  tapeless_warnings(mpi_ranks -Wconversion)
  set_target_properties(mpi_ranks PROPERTIES OUTPUT_NAME ranks RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/mpi")
  tapeless_add_test(mpi.ranks "${CMAKE_COMMAND}" "-DMPIRUN=${MPIEXEC_EXECUTABLE}" "-DRANKS=$<TARGET_FILE:mpi_ranks>"
                    -P "${CMAKE_CURRENT_SOURCE_DIR}/mpi/check.cmake")
  tapeless_test_needs(mpi.ranks mpi_ranks)
  tapeless_test_properties(mpi.ranks LABELS mpi PROCESSORS 2)

  add_executable(mpi_files mpi/files.cpp)
  target_link_libraries(mpi_files PRIVATE tapeless::mpi)
  target_include_directories(mpi_files PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_compile_options(mpi_files PRIVATE -O0 -g0)
  tapeless_warnings(mpi_files -Wconversion)
  set_target_properties(mpi_files PROPERTIES OUTPUT_NAME files RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/mpi")
  tapeless_add_test(mpi.files "${CMAKE_COMMAND}" "-DMPIRUN=${MPIEXEC_EXECUTABLE}" "-DPROGRAM=$<TARGET_FILE:mpi_files>"
                    -P "${CMAKE_CURRENT_SOURCE_DIR}/mpi/files.cmake")
  tapeless_test_needs(mpi.files mpi_files)
  tapeless_test_properties(mpi.files LABELS mpi PROCESSORS 2)

  add_executable(api_11_cluster "${TAPELESS_API_DIR}/11_cluster.cpp")
  target_link_libraries(api_11_cluster PRIVATE tapeless::mpi)
  tapeless_warnings(api_11_cluster)
  tapeless_only_tested(api_11_cluster 0)
  set_target_properties(api_11_cluster PROPERTIES OUTPUT_NAME 11_cluster RUNTIME_OUTPUT_DIRECTORY
                                                                         "${CMAKE_CURRENT_BINARY_DIR}/api")
  tapeless_add_test(api.11_cluster "${CMAKE_COMMAND}" "-DMPIRUN=${MPIEXEC_EXECUTABLE}"
                    "-DPROGRAM=$<TARGET_FILE:api_11_cluster>" -P "${CMAKE_CURRENT_SOURCE_DIR}/mpi/api.cmake")
  tapeless_test_needs(api.11_cluster api_11_cluster)
  tapeless_test_properties(api.11_cluster LABELS api PROCESSORS 2)

  if(TARGET tapeless::thrust_host) # beside NCCL, with the stand-ins for GPUs
    add_executable(mpi_nccl mpi/nccl.cpp)
    set_target_properties(mpi_nccl PROPERTIES OUTPUT_NAME nccl RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/mpi")
    target_include_directories(mpi_nccl BEFORE PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/run/cuda/fake")
    target_compile_definitions(mpi_nccl PRIVATE THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP TAPELESS_HAS_CUDNN)
    target_link_libraries(mpi_nccl PRIVATE tapeless_test_main tapeless::mpi)
    tapeless_test_options(mpi_nccl plain)
    tapeless_add_test(mpi.nccl mpi_nccl)
    tapeless_test_properties(mpi.nccl LABELS mpi)
    set_property(TEST "${TAPELESS_TEST_PREFIX}mpi.nccl" PROPERTY ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1
                 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1)
  endif()
endif()
