// SPDX-License-Identifier: BSL-1.0
// Running statistics of 16 bits, which ranks do not average.
// expect: data_parallel averages running statistics of float and double, but those of a norm of 16 bits have 16
#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", tl::bf16, 4, 3>;
#ifdef CORRECTED
  return tl::mean(tl::square(tl::batch_norm<"bn">(tl::cast<float>(x))));
#else
  return tl::mean(tl::square(tl::cast<float>(tl::batch_norm<"bn">(x))));
#endif
};

void train(tl::process_group& world) {
  tl::trainer net{model, tl::data_parallel(world, tl::sgd({}))};
  net.apply();
}
