// SPDX-License-Identifier: BSL-1.0
// Divided states of gradients that are collected first.
// expect: the states of accumulate(n, rule) cannot be divided among ranks
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::sharded_states(tl::sgd({})));
#else
  auto rule = tl::data_parallel(world, tl::sharded_states(tl::accumulate(2, tl::sgd({}))));
#endif
  static_cast<void>(rule);
}
