// SPDX-License-Identifier: BSL-1.0
// Mixed precision inside mixed precision.
// expect: mixed_precision inside mixed_precision: a model is stored in one type
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::mixed_precision<tl::bf16>(tl::sgd({}));
#else
  auto rule = tl::mixed_precision<tl::f16>(tl::mixed_precision<tl::bf16>(tl::sgd({})));
#endif
  static_cast<void>(rule);
}
