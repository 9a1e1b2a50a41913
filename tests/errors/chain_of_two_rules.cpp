// SPDX-License-Identifier: BSL-1.0
// Two whole rules in one chain, or two learning rates: each turns the gradient's sign.
// expect: two parts of this chain turn the gradient's sign, as whole rules and scale_by_learning_rate do
// expect: a factor alone is tl::scale(0.1)
// reject: no matching function
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::chain(tl::scale_by_adam(), tl::sgd({.learning_rate = 0.1}));
  auto clipped = tl::chain(tl::sgd({.learning_rate = 0.1}), tl::clip_by_value(1));
  auto divided =
      tl::chain(tl::masked(tl::adam({}), tl::matrices), tl::masked(tl::rprop({}), tl::names_like<"*.bias">));
  auto scaled = tl::chain(tl::scale_by_adam(), tl::scale(0.1),
                          tl::scale_by_learning_rate(tl::step_schedule({.every = 9})));
#else
  auto rule = tl::chain(tl::adam({}), tl::sgd({.learning_rate = 0.1}));
  auto clipped = tl::chain(tl::chain(tl::clip_by_value(1), tl::rprop({})), tl::adagrad({}));
  int divided = 0;
  auto scaled = tl::chain(tl::scale_by_adam(), tl::scale_by_learning_rate(0.1),
                          tl::scale_by_learning_rate(tl::step_schedule({.every = 9})));
#endif
  static_cast<void>(rule), static_cast<void>(clipped), static_cast<void>(divided), static_cast<void>(scaled);
}
