// SPDX-License-Identifier: BSL-1.0
// What the programs that operations.py writes share.
#pragma once

#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

template <class T>
std::vector<T> read(const std::string& path, std::size_t size) {
  std::vector<T> all(size);
  std::ifstream file(path, std::ios::binary);
  if (!file.read(reinterpret_cast<char*>(all.data()), static_cast<std::streamsize>(size * sizeof(T))))
    throw std::runtime_error(path + " has too few numbers");
  return all;
}

/// The processor's time of this thread, in seconds: others may run beside it.
inline double now() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// Microseconds of a call, the fastest of twenty measurements of 300 or more.
double fastest(auto&& call) {
  call();
  double start = now();
  call();
  const double once = std::max(now() - start, 1e-7);
  const int calls = std::max(1, static_cast<int>(300e-6 / once)), rounds = once < 0.03 ? 20 : 3;
  double least = 1e9;
  for (int i = 0; i < rounds; ++i) {
    start = now();
    for (int j = 0; j < calls; ++j) call();
    least = std::min(least, (now() - start) / calls);
  }
  return 1e6 * least;
}

/// By which wrong elements, signs and orders are seen.
double checksum_of(const auto& view) {
  double sum = 0, weight = 0;
  for (auto element : view) {
    sum += (1 + weight) * static_cast<double>(element);
    weight = weight == 6 ? 0 : weight + 1;
  }
  return sum;
}

/// A line of JSON: the name and what is measured, forward or with the derivatives.
template <class Model, class... Bound>
void measure(const char* name, const char* what, Model model, auto checksum, const Bound&... bound) {
  tl::trainer net{model, tl::sgd({}), tl::cpu{.threads = 1}};
  const double sum = checksum(net.evaluate(bound...));
  const double time = fastest([&] { (void)net.evaluate(bound...); });
  std::printf("{\"name\": \"%s\", \"%s\": %.9g, \"%s checksum\": \"%.9g\"}\n", name, what, time, what, sum);
  std::fflush(stdout);
}
