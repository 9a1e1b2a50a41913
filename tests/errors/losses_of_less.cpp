// SPDX-License-Identifier: BSL-1.0
// Losses without all of their operands.
// both compilers
// expect: kl_div: it compares logarithms of predicted probabilities with those expected: tl::kl_div(log_q, p)
// expect: ctc_loss: it takes how many times and labels count, too, integers [batch]: tl::ctc_loss(log_probabilities, targets, input_lengths, target_lengths)
// reject: no matching
// reject: no match for
// reject: ambiguous
// reject: has no member
#include <cstdint>

#include <tapeless/expr/input.hpp>
#include <tapeless/operations.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 10, 2, 5>;
  auto t = tl::input<"t", std::int64_t, 2, 4>;
#ifdef CORRECTED
  auto times = tl::input<"times", std::int64_t, 2>;
  auto labels = tl::input<"labels", std::int64_t, 2>;
  return tl::kl_div(tl::log_softmax(x), tl::softmax(x)) + tl::ctc_loss(tl::log_softmax(x), t, times, labels);
#else
  return tl::kl_div(tl::log_softmax(x)) + tl::kl_div<tl::loss{.log_target = true}>(tl::log_softmax(x)) +
         tl::ctc_loss(tl::log_softmax(x), t) + tl::ctc_loss<tl::loss{.blank = 4}>(tl::log_softmax(x), t);
#endif
};

int main() { model(); }
