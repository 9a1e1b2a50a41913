// SPDX-License-Identifier: BSL-1.0
// Processes that are gone before the trainer is there.
// expect: data_parallel does not keep the processes, which must live as long as the trainer: give them a name
#include <tapeless/cluster/data_parallel.hpp>
#include <tapeless/optim/optim.hpp>

namespace tl = tapeless;

void train(tl::process_group& (*begin)()) {
#ifdef CORRECTED
  tl::process_group& world = begin();
  auto rule = tl::data_parallel(world, tl::sgd({}));
#else
  auto rule = tl::data_parallel(std::move(begin()), tl::sgd({}));
#endif
  static_cast<void>(rule);
}
