// SPDX-License-Identifier: BSL-1.0
// skip_nonfinite around accumulate.
// expect: accumulate is the outermost of the optimizer transformations
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::accumulate(2, tl::skip_nonfinite(tl::sgd({})));
#else
  auto rule = tl::skip_nonfinite(tl::accumulate(2, tl::sgd({})));
#endif
  static_cast<void>(rule);
}
