// SPDX-License-Identifier: BSL-1.0
// Parameters that change before other ranks' gradients are there.
// expect: data_parallel has the gradients of all ranks before parameters change: leave eager_updates out
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::square(tl::param<"w", float, 3>)); };

void train(tl::process_group& world) {
#ifdef CORRECTED
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({})), tl::cpu{}};
#else
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({})), tl::cpu{}, tl::eager_updates};
#endif
  net.apply();
}
