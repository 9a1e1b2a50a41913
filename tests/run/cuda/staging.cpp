// SPDX-License-Identifier: BSL-1.0
#include "gpu.hpp"

using namespace tapeless::cuda_kernels;

namespace {

/// What a step does with its input here: adds it to a sum.
struct add_to {
  const float* source;
  float* target;
  void operator()(std::uint32_t) const { *target = *target * 2 + *source; }
};

}  // namespace

TEST_CASE("each step finds its own inputs, though steps take turns with two slots") {
  test::gpu gpu(test::each_order());
  resources shared(0, float_products::f32);
  const device_pointer sum = device_memory(sizeof(float), "a sum");
  staging_slot slots[2] = {staging_slot(sizeof(float)), staging_slot(sizeof(float))};
  float expected = 0;
  for (int step = 0; step < 9; ++step) {
    staging_slot& slot = slots[step % 2];
    const auto x = static_cast<float>(step + 1);
    std::memcpy(slot.begin(), &x, sizeof x);
    slot.begin_sending(shared);
    slot.send(0, sizeof x, shared);
    slot.end_sending(shared);
    launch_for_each(1, add_to{reinterpret_cast<const float*>(slot.there()), static_cast<float*>(sum.get())},
                    shared.steps());
    slot.end(shared);
    expected = expected * 2 + x;
  }
  float result = 0;
  cudaMemcpyAsync(&result, sum.get(), sizeof result, cudaMemcpyDeviceToHost, shared.steps());
  CHECK(result == expected);
}

TEST_CASE("inputs are copied while the step before still runs") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  staging_slot slots[2] = {staging_slot(4), staging_slot(4)};
  for (staging_slot& slot : slots) {
    slot.begin();
    slot.begin_sending(shared);
    slot.send(0, 4, shared);
    slot.end_sending(shared);
    slot.end(shared);
  }
  const std::uint64_t steps_done = shared.steps()->done;
  slots[1].begin();  // waits for the copy, but for no step
  CHECK(shared.steps()->done == steps_done);
  CHECK(shared.copies()->done > 0);
}

TEST_CASE("a step without inputs has nothing to copy") {
  test::gpu gpu(test::each_order());
  resources shared(0, float_products::f32);
  staging_slot slot(0);
  const int before = gpu.calls("cudaMemcpyAsync");
  CHECK(slot.begin() == nullptr);
  slot.begin_sending(shared);
  slot.send(0, 0, shared);
  slot.end_sending(shared);
  slot.end(shared);
  slot.begin();
  CHECK(gpu.calls("cudaMemcpyAsync") == before);
}
