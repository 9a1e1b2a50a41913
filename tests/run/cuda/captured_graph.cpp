// SPDX-License-Identifier: BSL-1.0
#include <tapeless/run/cuda/captured_graph.hpp>

#include "gpu.hpp"

using namespace tapeless::cuda_kernels;

TEST_CASE("a capture that fails leaves neither a graph nor an error behind") {
  test::gpu gpu;
  const stream s = make_stream();
  CHECK_THROWS_WITH(
      captured_graph(s.get(), {}, [&] { check(cudaStreamSynchronize(s.get()), "cudaStreamSynchronize"); }),
      test::contains("cudaStreamSynchronize failed"));
  CHECK(cudaGetLastError() == cudaSuccess);
  CHECK(static_cast<bool>(captured_graph(s.get(), {}, [] {})));
}
