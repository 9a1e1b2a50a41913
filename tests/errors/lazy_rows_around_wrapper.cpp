// SPDX-License-Identifier: BSL-1.0
// lazy_rows around a wrapper.
// expect: lazy_rows is the innermost of the optimizer transformations
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::average(tl::lazy_rows(tl::adam({})));
#else
  auto rule = tl::lazy_rows(tl::average(tl::adam({})));
#endif
  static_cast<void>(rule);
}
