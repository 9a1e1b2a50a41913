// SPDX-License-Identifier: BSL-1.0
// Parameters that change as the sums of their gradients come, on a policy that does not say what it has
// computed.
// expect: with data_parallel, eager_updates run on tl::cpu, and on tl::cuda where gradients go by tl::nccl: leave eager_updates out
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::square(tl::param<"w", float, 3>)); };

void train(tl::process_group& world) {
#ifdef CORRECTED
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({})), tl::straight_line{}};
#else
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({})), tl::straight_line{}, tl::eager_updates};
#endif
  net.apply();
}
