// SPDX-License-Identifier: BSL-1.0
// MPI and NCCL in one program, as on clusters: MPI's ranks make NCCL's communicator. GPUs and NCCL are the
// stand-ins of tests/run/cuda, which know one process.
#include "cluster/small_net.hpp"
#include "run/cuda/gpu.hpp"

#include <tapeless/mpi.hpp>
#include <tapeless/nccl.hpp>

using test::adam, test::own_samples, test::weights_of;

TEST_CASE("ranks that MPI has started have a GPU each, and their gradients go by NCCL") {
  tl::mpi world;
  REQUIRE(world.size() == 1);
  test::gpu gpu;
  const own_samples own(3);
  std::vector<double> by_cpu;
  {
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam()), tl::cpu{}};
    for (int i = 0; i < 5; ++i) net.step("x"_t = own.x, "y"_t = own.y);
    by_cpu = weights_of(net);
  }
  tl::nccl gpus(world);
  tl::trainer net{test::small_net<7>, tl::data_parallel(gpus, adam()), tl::cuda{.device = gpus.device()}};
  for (int i = 0; i < 5; ++i) net.step("x"_t = own.x, "y"_t = own.y);
  CHECK(&net.group() == static_cast<tl::process_group*>(&world));
  CHECK(gpu.calls("ncclAllReduce") > 0);
  CHECK(test::difference(weights_of(net), by_cpu) < 1e-9);
}
