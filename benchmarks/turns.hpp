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

// What is learned stays away from zero: subnormal numbers are slow, and the step by hand may flush them.
template <class ByHand, class Net>
void take_turns(const char* name, int batch, int rounds, int steps, const ByHand& by_hand, const Net& net) {
  float sum = 0;
  std::vector<double> of_hand, of_net;
  for (int round = 0; round < rounds; ++round) {
    int k = 0;
    of_hand.push_back(microseconds(steps, [&] { sum += by_hand(k ^= 1); }));
    of_net.push_back(microseconds(steps, [&] { sum += net(k ^= 1); }));
  }
  asm volatile("" : : "r"(&sum) : "memory");
  const double wanted = median(of_hand), taken = median(of_net);
  std::printf("%-10s batch %2d: by hand %8.4f us, tl::bare %8.4f us, %.2f\n", name, batch, wanted, taken,
              taken / wanted);
}

}  // namespace benchmark
