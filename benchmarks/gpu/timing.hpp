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
#include <initializer_list>
#include <memory>
#include <vector>

#include <tapeless/tapeless.hpp>

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

/// Where a step finds its batch: here, so that it has to be sent, or on the device already.
enum class place { host, device };

#ifdef __CUDACC__
inline constexpr std::initializer_list<place> places{place::host, place::device};

inline void wait_for_device() { cudaDeviceSynchronize(); }

template <class T>
using device_tensor = tapeless::device_tensor<T>;
#else
inline constexpr std::initializer_list<place> places{place::host};

inline void wait_for_device() {}

template <class T>
struct device_tensor;
#endif

/// What an input is bound to.
template <class T>
class tensor {
 public:
  tensor(std::vector<T> elements, [[maybe_unused]] std::initializer_list<std::int64_t> shape,
         [[maybe_unused]] place where)
      : here_(std::move(elements)) {
#ifdef __CUDACC__
    if (where == place::device) there_ = std::make_shared<device_tensor<T>>(tapeless::cuda{}, here_, shape);
#endif
  }

  operator tapeless::bound_elements() const {
#ifdef __CUDACC__
    if (there_ != nullptr) return *there_;
#endif
    tapeless::bound_elements e;
    e.given = true;
    e.data = reinterpret_cast<const std::byte*>(here_.data());
    e.type = tapeless::element_of<T>;
    e.count = static_cast<std::int64_t>(here_.size());
    return e;
  }

 private:
  std::vector<T> here_;
  std::shared_ptr<device_tensor<T>> there_;
};

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
void measure(const char* benchmark, const char* precision, const arguments& given, place where, Step step,
             Finish finish, double bytes = 0) {
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
      "\"%s\", \"data\": \"%s\", \"seconds\": %.9g, \"fastest\": %.9g, \"slowest\": %.9g, \"blocks\": %d, "
      "\"steps_per_block\": %d, \"bytes\": %.17g, \"after_warm_up\": %.9g}\n",
      benchmark, static_cast<long long>(given.size), precision, policy,
      where == place::host ? "host" : "device", median, times.front(), times.back(),
      static_cast<int>(times.size()), steps, bytes, shown);
}

/// Times training steps, with batches in each of the places. Samples(size, number, place) is what one step is
/// given, step(samples) starts it.
template <class Samples, class Step>
void measure_steps(const char* benchmark, const char* precision, const arguments& given, Step step) {
  for (const place where : places) {
    std::vector<Samples> data;
    for (std::uint32_t i = 0; i < 4; ++i) data.emplace_back(given.size, i, where);
    auto last = step(data[0]);
    measure(
        benchmark, precision, given, where,
        [&](int i) { last = step(data[static_cast<std::size_t>(i) % data.size()]); },
        [&] { return last.loss(); });
  }
}

/// Runs f; what it throws is the last line of the error output.
template <class F>
int run(F f) {
  try {
    f();
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}

}  // namespace timing
