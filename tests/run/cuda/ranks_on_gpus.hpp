// SPDX-License-Identifier: BSL-1.0
// Ranks with a GPU each: threads stand for processes, and both GPUs and NCCL are not there.
#pragma once

#include <cstdint>

#include "cluster/thread_group.hpp"
#include "gpu.hpp"

#include <tapeless/nccl.hpp>

namespace test {

inline fake_cuda::options devices(int count, fake_cuda::order when = fake_cuda::order::never,
                                  std::uint32_t seed = 3) {
  fake_cuda::options o;
  o.devices = count;
  o.when = when;
  o.seed = seed;
  return o;
}

/// So many ranks with a device each; `body` is given the rank's nccl.
template <class Body>
void on_gpus(int count, const Body& body, int shown = 0) {
  on_ranks(
      count,
      [&](tapeless::process_group& world) {
        tapeless::nccl gpus(world);
        body(gpus);
      },
      shown);
}
inline tapeless::cuda on(const tapeless::nccl& gpus) { return tapeless::cuda{.device = gpus.device()}; }

/// Layers of the same shape, whose updates are one launch, by elements or by rows; and running statistics.
inline constexpr auto deep_net = [] {
  namespace tl = tapeless;
  auto x = tl::input<"x", double, tl::dyn<"batch">, 3>;
  auto y = tl::input<"y", double, tl::dyn<"batch">, 1>;
  auto h = tl::batch_norm<"bn">(tl::linear<"fc1", 12>(x));
  auto k = tl::tanh(tl::linear<"fc3", 12>(tl::tanh(tl::linear<"fc2", 12>(h))));
  return tl::mse_loss(tl::linear<"fc4", 1>(k) * tl::param<"scale", double>, y);
};

}  // namespace test
