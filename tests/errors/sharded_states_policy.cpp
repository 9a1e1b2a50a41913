// SPDX-License-Identifier: BSL-1.0
// Divided states on a policy that runs all commands of a program.
// expect: sharded_states leaves out commands of a program, which tl::cpu and tl::cuda can: leave sharded_states out, or run on one of them
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::square(tl::param<"w", float, 3>)); };

void train(tl::process_group& world) {
#ifdef CORRECTED
  tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(tl::adam({}))), tl::cpu{}};
#else
  tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(tl::adam({}))), tl::straight_line{}};
#endif
  net.apply();
}
