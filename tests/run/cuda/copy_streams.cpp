// SPDX-License-Identifier: BSL-1.0
#include <tapeless/run/cuda/copy_streams.hpp>

#include <chrono>
#include <future>

#include "gpu.hpp"

using namespace tapeless::cuda_kernels;

TEST_CASE("who waits for copies keeps nobody from adding a stream") {
  test::gpu gpu;
  const copy_stream copies;
  const auto another = std::make_shared<const stream>(make_stream());
  std::future<void> others;
  bool are_done = false;
  const auto work = [&](std::uint32_t) {  // on the device: it goes on when another thread has come and gone
    others = std::async(std::launch::async, [&] {
      copy_streams::all().add(another);
      copy_streams::all().remove(another);
    });
    are_done = others.wait_for(std::chrono::seconds(5)) == std::future_status::ready;
  };
  launch_for_each(1, work, copies.get());
  copy_streams::all().wait();
  CHECK(are_done);
}

TEST_CASE("a stream of copies goes with its owner") {
  test::gpu gpu;
  {
    const copy_stream copies;
  }
  CHECK(gpu.calls("cudaStreamDestroy") == 1);
  copy_streams::all().wait();
  CHECK(gpu.calls("cudaStreamSynchronize") == 0);
}
