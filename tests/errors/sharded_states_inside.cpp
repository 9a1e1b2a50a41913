// SPDX-License-Identifier: BSL-1.0
// Divided states inside of another optimizer transformation.
// expect: sharded_states stands directly inside data_parallel
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::sharded_states(tl::lookahead(tl::sgd({}))));
#else
  auto rule = tl::data_parallel(world, tl::lookahead(tl::sharded_states(tl::sgd({}))));
#endif
  static_cast<void>(rule);
}
