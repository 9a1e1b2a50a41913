// SPDX-License-Identifier: BSL-1.0
// An optimizer transformation as a part of a chain.
// expect: wraps a whole rule, and cannot be a part of chain: write accumulate(n, chain(...))
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::accumulate(2, tl::chain(tl::clip_by_value(1.0f), tl::sgd({})));
#else
  auto rule = tl::chain(tl::clip_by_value(1.0f), tl::accumulate(2, tl::sgd({})));
#endif
  static_cast<void>(rule);
}
