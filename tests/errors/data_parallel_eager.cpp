// SPDX-License-Identifier: BSL-1.0
// Parameters that change as the sums of their gradients come, by a rule that needs the norm of all.
// expect: eager updates change each parameter as soon as its own gradient is there, but a transformation of this rule (clip_by_global_norm, ...) needs the gradients of all parameters first: leave eager_updates out
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] { return tl::mean(tl::square(tl::param<"w", float, 3>)); };

void train(tl::process_group& world) {
#ifdef CORRECTED
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({})), tl::cpu{}, tl::eager_updates};
#else
  tl::trainer net{
      model,
      tl::data_parallel(world, tl::chain(tl::clip_by_global_norm(1.0), tl::scale_by_learning_rate(0.1))),
      tl::cpu{}, tl::eager_updates};
#endif
  net.apply();
}
