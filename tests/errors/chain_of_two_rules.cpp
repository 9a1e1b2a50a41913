// SPDX-License-Identifier: BSL-1.0
// Two whole rules in one chain: each turns the gradient's sign.
// expect: two whole rules in one chain, such as chain(adam({}), sgd({})), go up the gradient
// expect: A whole rule is the last of a chain
// reject: no matching function
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::chain(tl::scale_by_adam(), tl::sgd({.learning_rate = 0.1}));
  auto clipped = tl::chain(tl::sgd({.learning_rate = 0.1}), tl::clip_by_value(1));
  auto divided =
      tl::chain(tl::masked(tl::adam({}), tl::matrices), tl::masked(tl::rprop({}), tl::names_like<"*.bias">));
#else
  auto rule = tl::chain(tl::adam({}), tl::sgd({.learning_rate = 0.1}));
  auto clipped = tl::chain(tl::chain(tl::clip_by_value(1), tl::rprop({})), tl::adagrad({}));
  int divided = 0;
#endif
  static_cast<void>(rule), static_cast<void>(clipped), static_cast<void>(divided);
}
