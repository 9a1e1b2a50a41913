// SPDX-License-Identifier: BSL-1.0
// lbfgs as a part of what takes rules: one sentence for all of them.
// expect: it cannot be a part of chain, accumulate, partition, ...; write trainer net{model, lbfgs({...})}
// reject: no matching function
// reject: invalid use of
// reject: void
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

int main() {
#ifndef CORRECTED
  auto accumulated = tl::accumulate(2, tl::lbfgs());
  auto masked = tl::masked(tl::lbfgs(), tl::matrices);
  auto partitioned = tl::partition(tl::for_parameters(tl::matrices, tl::lbfgs()), tl::adam({}));
  auto rest = tl::partition(tl::for_parameters(tl::matrices, tl::muon({})), tl::lbfgs());
  auto skipped = tl::skip_nonfinite(tl::lbfgs());
  auto slow = tl::lookahead(tl::lbfgs());
  auto mean = tl::adaptive_sharpness_aware(tl::average_equally(tl::lbfgs()));
  auto shorter = tl::mixed_precision<tl::bf16>(tl::freezable(tl::sharpness_aware(tl::average(tl::lbfgs()))));
#endif
}
