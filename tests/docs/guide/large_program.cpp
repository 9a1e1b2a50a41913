// SPDX-License-Identifier: BSL-1.0
// A program around classifier.hpp, which compiles in a moment.
#include "classifier.hpp"

#include <array>

int main() {
  constexpr std::array points{0.f, 0.f, 0.f, 1.f, 1.f, 0.f, 1.f, 1.f};
  constexpr std::array labels{0, 1, 1, 0};
  classifier one;
  for (int step = 0; step < 500; ++step) one.learn(points, labels);
  classifier other = std::move(one);
  return other.classify(0, 1) == 1 && other.classify(1, 1) == 0 ? 0 : 1;
}
