// SPDX-License-Identifier: BSL-1.0
// Targets of ctc_loss end to end, rather than row by row.
// expect: ctc_loss got log-probabilities float[time, 2, 10], targets std::int64_t[7], input lengths
// expect: std::int64_t[2] and target lengths std::int64_t[2]: it takes floating log-probabilities [time,
// expect: batch, classes], integer targets [batch, labels], and integer lengths [batch]
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/loss/ctc_loss.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;

#ifdef CORRECTED
constexpr auto targets = tl::input<"targets", std::int64_t, 2, 4>;
#else
constexpr auto targets = tl::input<"targets", std::int64_t, 7>;
#endif

constexpr auto model = [] {
  return tl::ctc_loss(tl::log_softmax(tl::input<"x", float, tl::dyn<"time">, 2, 10>), targets,
                      tl::input<"inputs", std::int64_t, 2>, tl::input<"lengths", std::int64_t, 2>);
};

int main() { tl::function f{model}; }
