// SPDX-License-Identifier: BSL-1.0
// lbfgs as a part of a chain.
// expect: lbfgs is a rule for a trainer of its own
// expect: it cannot be a part of chain, accumulate, partition, ...; write trainer net{model, lbfgs({...})}
// reject: no matching function
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::lbfgs({.history = 5});
#else
  auto rule = tl::chain(tl::add_decayed_weights(1e-4f), tl::lbfgs({.history = 5}));
#endif
  static_cast<void>(rule);
}
