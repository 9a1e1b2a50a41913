// SPDX-License-Identifier: BSL-1.0
// Mixed precision in a type that is not short.
// expect: T is tl::bf16 or tl::f16
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::mixed_precision<tl::bf16>(tl::sgd({}));
#else
  auto rule = tl::mixed_precision<double>(tl::sgd({}));
#endif
  static_cast<void>(rule);
}
