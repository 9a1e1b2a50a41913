// SPDX-License-Identifier: BSL-1.0
// What wraps whole rules around what is none.
// expect: scale_by_adam_transform` is no update rule; it lacks: hyper_count
// expect: scale_by_adam_transform` is no rule for some parameters only; it lacks: the gradient transformations
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: is not a member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::chain(tl::scale_by_adam());
#else
  auto rule = tl::scale_by_adam();
#endif
  auto accumulated = tl::accumulate(2, rule);
  auto averaged = tl::mixed_precision<tl::bf16>(tl::average(tl::skip_nonfinite(rule)));
  auto parts = tl::partition(tl::for_parameters(tl::matrices, rule), rule);
  auto masked = tl::accumulate(2, tl::masked(rule, tl::matrices));  // of one transformation alone, too
}
