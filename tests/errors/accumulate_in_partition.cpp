// SPDX-License-Identifier: BSL-1.0
// accumulate for some parameters only.
// both compilers
// expect: wraps a whole rule, and cannot be for some parameters only: write accumulate(n, partition(...))
// reject: no matching function
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::accumulate(2, tl::partition(tl::for_parameters(tl::matrices, tl::muon({})), tl::adam({})));
#else
  auto rule = tl::partition(tl::for_parameters(tl::matrices, tl::accumulate(2, tl::muon({}))), tl::adam({}));
#endif
  static_cast<void>(rule);
}
