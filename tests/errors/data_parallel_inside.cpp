// SPDX-License-Identifier: BSL-1.0
// data_parallel inside of another optimizer transformation.
// expect: data_parallel is the outermost of all transformations: write data_parallel(world, accumulate(n, rule))
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::accumulate(2, tl::sgd({})));
#else
  auto rule = tl::accumulate(2, tl::data_parallel(world, tl::sgd({})));
#endif
  static_cast<void>(rule);
}
