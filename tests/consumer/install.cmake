# SPDX-License-Identifier: BSL-1.0
# Installs the library's package from the build folder BUILD into an empty PREFIX.
cmake_minimum_required(VERSION 3.24)

file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --config "${CONFIG}" --prefix "${PREFIX}" --component
                        tapeless COMMAND_ERROR_IS_FATAL ANY)
