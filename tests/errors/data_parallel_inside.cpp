// SPDX-License-Identifier: BSL-1.0
// data_parallel inside of another one, of other ranks.
// expect: data_parallel averages all gradients of one loss, once: it cannot be inside of data_parallel or in_turn
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world, tl::process_group& all) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(all, tl::accumulate(2, tl::sgd({})));
#else
  auto rule = tl::data_parallel(all, tl::accumulate(2, tl::data_parallel(world, tl::sgd({}))));
#endif
  static_cast<void>(rule);
  static_cast<void>(world);
}
