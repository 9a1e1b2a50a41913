// SPDX-License-Identifier: BSL-1.0
// A schedule where a gradient transformation stands.
// lines: 28
// expect: a schedule is no gradient transformation: it stands in one, as in tl::scale_by_learning_rate(schedule), or in a rule's options, tl::adam({.learning_rate = schedule})
// reject: it lacks
// reject: no matching
// reject: no type named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  return tl::mean(tl::linear<"fc", 4>(tl::input<"x", float, tl::dyn<"batch">, 3>));
};

int main() {
  const auto schedule = tl::cosine_schedule({.start = 0.01, .steps = 100});
#ifdef CORRECTED
  tl::trainer net{model, tl::chain(tl::scale_by_adam(), tl::scale_by_learning_rate(schedule))};
#else
  tl::trainer net{model, tl::chain(tl::scale_by_adam(), schedule)};
#endif
}
