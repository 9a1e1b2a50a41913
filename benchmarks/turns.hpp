// SPDX-License-Identifier: BSL-1.0
// Two programs of the same step take turns, so that whatever else the machine does slows both.
#pragma once

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <vector>

namespace benchmark {

inline double now() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) * 1e-3;
}
// What a step gives is used, so that it is not left out. It is not added up: a sum is a chain, which takes
// longer than the smallest steps, more so where a compiler keeps it in memory. Nor is it stored: a load from
// another page at the same place in it would wait for that.
inline void use(float x) {
#if defined(__x86_64__)
  asm volatile("" : : "x"(x));
#elif defined(__aarch64__)
  asm volatile("" : : "w"(x));
#else
  asm volatile("" : : "r"(x));
#endif
}
template <class Step>
double microseconds(int steps, const Step& step) {
  const double begin = now();
  for (int i = 0; i < steps; ++i) use(step());
  return (now() - begin) / steps;
}
inline double median(std::vector<double>& all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

template <class Step>
struct program {
  const char* name;
  Step step;  // of the k-th target; returns the loss
};
template <class Step>
program(const char*, Step) -> program<Step>;

// What is learned stays away from zero: subnormal numbers are slow, and the step by hand may flush them.
template <class ByHand, class... Steps>
void take_turns(const char* network, int batch, int rounds, int steps, const ByHand& by_hand,
                const program<Steps>&... programs) {
  std::vector<double> of_hand, of_programs[sizeof...(Steps)];
  for (int round = 0; round < rounds; ++round) {
    int k = 0, i = 0;
    of_hand.push_back(microseconds(steps, [&] { return by_hand(k ^= 1); }));
    (of_programs[i++].push_back(microseconds(steps, [&] { return programs.step(k ^= 1); })), ...);
  }
  const double wanted = median(of_hand);
  std::printf("%-10s batch %2d: by hand %8.4f us", network, batch, wanted);
  int i = 0;
  for (const char* name : {programs.name...}) {
    const double taken = median(of_programs[i++]);
    std::printf(", %s %8.4f us, %.2f", name, taken, taken / wanted);
  }
  std::printf("\n");
}

}  // namespace benchmark
