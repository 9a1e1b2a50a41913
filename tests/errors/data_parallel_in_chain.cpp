// SPDX-License-Identifier: BSL-1.0
// A norm that is clipped before the average over ranks is there.
// expect: would change each rank's own gradient, and their average would depend on who has which samples: write data_parallel(world, chain(clip_by_global_norm(1), rule))
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::chain(tl::clip_by_global_norm(1.0), tl::sgd({})));
#else
  auto rule = tl::chain(tl::clip_by_global_norm(1.0), tl::data_parallel(world, tl::sgd({})));
#endif
  static_cast<void>(rule);
}
