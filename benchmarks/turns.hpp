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
template <class Step>
double microseconds(int steps, const Step& step) {
  const double begin = now();
  for (int i = 0; i < steps; ++i) step();
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
  float sum = 0;
  std::vector<double> of_hand, of_programs[sizeof...(Steps)];
  for (int round = 0; round < rounds; ++round) {
    int k = 0, i = 0;
    of_hand.push_back(microseconds(steps, [&] { sum += by_hand(k ^= 1); }));
    (of_programs[i++].push_back(microseconds(steps, [&] { sum += programs.step(k ^= 1); })), ...);
  }
  asm volatile("" : : "r"(&sum) : "memory");
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
