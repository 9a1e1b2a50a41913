// SPDX-License-Identifier: BSL-1.0
// Mixed precision inside lookahead.
// expect: mixed_precision wraps what works on the float weights
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifdef CORRECTED
  auto rule = tl::mixed_precision<tl::bf16>(tl::lookahead(tl::sgd({})));
#else
  auto rule = tl::lookahead(tl::mixed_precision<tl::bf16>(tl::sgd({})));
#endif
  static_cast<void>(rule);
}
