// SPDX-License-Identifier: BSL-1.0
// The rule in front of the processes.
// expect: data_parallel takes the processes, then the rule: write data_parallel(world, rule)
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& world) {
#ifdef CORRECTED
  auto rule = tl::data_parallel(world, tl::sgd({}));
#else
  auto rule = tl::data_parallel(tl::sgd({}), world);
#endif
  static_cast<void>(rule);
}
