# SPDX-License-Identifier: BSL-1.0
# Programs of several processes, by mpirun; one compiler's word is enough.

if(NOT TARGET tapeless::mpi)
  set(sentence "SKIPPED: MPI is not found; Debian has it in openmpi-bin and libopenmpi-dev")
  message(NOTICE "Tests of several processes are ${sentence}")
  tapeless_add_test(mpi "${CMAKE_COMMAND}" -E echo "${sentence}")
  tapeless_test_properties(mpi LABELS mpi SKIP_REGULAR_EXPRESSION SKIPPED)
elseif(TAPELESS_TEST_VALUES)
  # Adds test mpi.NAME of mpi/NAME.cpp, which the script runs: it is given the program as -DPROGRAM.
  function(tapeless_mpi_test name script)
    set(target mpi_${name})
    add_executable(${target} "mpi/${name}.cpp")
    target_link_libraries(${target} PRIVATE tapeless::mpi)
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
    target_compile_options(${target} PRIVATE -O0 -g0)
    tapeless_warnings(${target} -Wconversion)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY
                                                                   "${CMAKE_CURRENT_BINARY_DIR}/mpi")
    tapeless_add_test(mpi.${name} "${CMAKE_COMMAND}" "-DMPIRUN=${MPIEXEC_EXECUTABLE}" "-DPROGRAM=$<TARGET_FILE:${target}>"
                      -P "${CMAKE_CURRENT_SOURCE_DIR}/mpi/${script}")
    tapeless_test_needs(mpi.${name} ${target})
    tapeless_test_properties(mpi.${name} LABELS mpi PROCESSORS 2)
  endfunction()
  tapeless_mpi_test(ranks check.cmake)
  tapeless_mpi_test(files files.cmake)

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
