// SPDX-License-Identifier: BSL-1.0
// What the library's steps and those by hand share: how one is measured, and how files are named.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <functional>
#include <string>

namespace steps {

/// A training step that returns its loss.
using step = std::function<float()>;

/// Steps before the loss that all programs must agree on.
constexpr int first_steps = 10;

inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// A benchmark of that name; `begin` gives its step, each time anew.
inline void measure(const std::string& name, std::function<step()> begin) {
  benchmark::RegisterBenchmark(name.c_str(), [begin](benchmark::State& state) {
    const step next = begin();
    float loss = 0;
    for (int i = 0; i < first_steps; ++i) loss = next();
    for (auto _ : state) benchmark::DoNotOptimize(next());
    state.counters["loss"] = static_cast<double>(loss);
    state.counters["megabytes"] = peak_megabytes();
  })->UseRealTime();
}

/// FOLDER/784-500-10_32.KIND.safetensors of the row "784-500-10/32".
inline std::string file_of(const std::string& folder, std::string row, const char* kind) {
  for (char& c : row)
    if (c == '/') c = '_';
  return folder + "/" + row + "." + kind + ".safetensors";
}

}  // namespace steps
