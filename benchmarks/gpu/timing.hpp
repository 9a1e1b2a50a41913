// SPDX-License-Identifier: BSL-1.0
// What the programs of this folder share: their arguments, made-up data that pytorch.py computes alike, and
// the timing of steps. Each program prints one line of JSON.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <vector>

#ifdef __CUDACC__
#include <cuda_runtime_api.h>
#endif

namespace timing {

/// PROGRAM [SIZE] [SECONDS]: the batch (or another size), and how long to measure; 0 seconds: one step.
struct arguments {
  std::int64_t size;
  double seconds = 1;

  arguments(int argc, char** argv, std::int64_t usual_size)
      : size(argc > 1 ? std::max(1LL, std::atoll(argv[1])) : usual_size),
        seconds(argc > 2 ? std::atof(argv[2]) : 1.0) {}
};

/// Looks random, and is the same in pytorch.py: the last step of MurmurHash3 (Appleby, 2011).
inline std::uint32_t hash(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85ebca6bu;
  x = (x ^ (x >> 13)) * 0xc2b2ae35u;
  return x ^ (x >> 16);
}

/// `count` numbers in [-1, 1).
inline std::vector<float> numbers(std::int64_t count, std::uint32_t seed) {
  std::vector<float> all(static_cast<std::size_t>(count));
  std::uint32_t i = seed << 26;
  for (float& x : all) x = static_cast<float>(hash(++i) >> 8) / 8388608.0f - 1.0f;
  return all;
}
/// `count` integers in [0, limit).
inline std::vector<std::int32_t> integers(std::int64_t count, std::uint32_t limit, std::uint32_t seed) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(count));
  std::uint32_t i = seed << 26;
  for (std::int32_t& x : all) x = static_cast<std::int32_t>(hash(++i) % limit);
  return all;
}

inline void wait_for_device() {
#ifdef __CUDACC__
  cudaDeviceSynchronize();
#endif
}

#define TAPELESS_TEXT(X) #X
#define TAPELESS_TEXT_OF(X) TAPELESS_TEXT(X)
#ifdef TAPELESS_DEFAULT_POLICY
inline constexpr const char* policy = TAPELESS_TEXT_OF(TAPELESS_DEFAULT_POLICY);
#else
inline constexpr const char* policy = "cpu";
#endif
#undef TAPELESS_TEXT_OF
#undef TAPELESS_TEXT

inline constexpr int blocks = 9, warm_up_steps = 20;

/// Times blocks of steps: step(i) starts a step, finish() waits for all that were started and returns a
/// number that shows that they were the right ones, such as the loss. What is printed is the median block;
/// `bytes` are those that a step moves at the least, 0 where that is not the question.
template <class Step, class Finish>
void measure(const char* benchmark, const char* precision, const arguments& given, Step step, Finish finish,
             double bytes = 0) {
  using clock = std::chrono::steady_clock;
  int number = 0;
  const auto seconds_of = [&](int steps) {
    const auto start = clock::now();
    for (int i = 0; i < steps; ++i) step(number++);
    finish();
    return std::chrono::duration<double>(clock::now() - start).count();
  };
  seconds_of(given.seconds > 0 ? warm_up_steps : 1);
  const double shown = finish();
  int steps = 1;
  for (double once = 0;
       (once = std::min(seconds_of(steps), seconds_of(steps))) < given.seconds / (2 * blocks);)
    steps = once < given.seconds / (20 * blocks) ? 8 * steps : 2 * steps;
  std::vector<double> times;
  for (int i = 0; i < blocks && (given.seconds > 0 || i < 1); ++i) times.push_back(seconds_of(steps) / steps);
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  std::printf(
      "{\"benchmark\": \"%s\", \"size\": %lld, \"precision\": \"%s\", \"variant\": \"tapeless\", \"policy\": "
      "\"%s\", \"data\": \"host\", \"seconds\": %.9g, \"fastest\": %.9g, \"slowest\": %.9g, \"blocks\": %d, "
      "\"steps_per_block\": %d, \"bytes\": %.17g, \"after_warm_up\": %.9g}\n",
      benchmark, static_cast<long long>(given.size), precision, policy, median, times.front(), times.back(),
      static_cast<int>(times.size()), steps, bytes, shown);
}

/// Runs f, and prints what it throws as a line of JSON too.
template <class F>
int run(const char* benchmark, F f) {
  try {
    f();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    std::printf("{\"benchmark\": \"%s\", \"variant\": \"tapeless\", \"error\": \"see the log\"}\n",
                benchmark);
    return 1;
  }
}

}  // namespace timing
