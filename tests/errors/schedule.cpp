// SPDX-License-Identifier: BSL-1.0
// A schedule that changes when it is asked, and one that returns no number.
// both compilers
// expect: is no hyperparameter, which is a number or a schedule; it lacks: operator()(std::int64_t step) const
// reject: no matching function
// reject: could not convert
// reject: no viable conversion
#include <tapeless/tapeless.hpp>

#include <string>

namespace tl = tapeless;

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2>(tl::fill(1)))); };

int main() {
#ifdef CORRECTED
  auto falling = [](std::int64_t step) { return 1.0 / static_cast<double>(step + 1); };
  tl::trainer net{model, tl::adam({.learning_rate = falling, .beta1 = 0.8})};
#else
  auto falling = [rate = 1.0](std::int64_t) mutable { return rate *= 0.5; };
  tl::trainer net{model, tl::adam({.learning_rate = falling, .beta1 = "0.8"})};
#endif
  net.step();
}
