# SPDX-License-Identifier: BSL-1.0
# Google Benchmark. Defines benchmark::benchmark.

if(NOT TARGET benchmark::benchmark)
  tapeless_find(benchmark)
endif()

if(NOT TARGET benchmark::benchmark)
  set(BENCHMARK_ENABLE_TESTING OFF)
  set(BENCHMARK_ENABLE_INSTALL OFF)
  FetchContent_Declare(
    benchmark
    URL https://github.com/google/benchmark/archive/refs/tags/v1.7.1.tar.gz
    URL_HASH SHA256=6430e4092653380d9dc4ccb45a1e2dc9259d581f4866dc0759713126056bc1d7)
  FetchContent_MakeAvailable(benchmark)
  tapeless_system(benchmark)
endif()
