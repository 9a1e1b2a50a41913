// SPDX-License-Identifier: BSL-1.0
// What programs share, and memory with a copy here.
#include "gpu.hpp"

using namespace tapeless::cuda_kernels;

namespace {

struct add_ten {
  float* target;
  void operator()(std::uint32_t item) const { target[item] += 10; }
};

/// Memory of two floats with what a program would do to it.
struct two_floats {
  resources& shared;
  memory m{shared, 2 * sizeof(float)};

  void run_program() {
    shared.send_changes();
    launch_for_each(2, add_ten{reinterpret_cast<float*>(m.program_data())}, shared.steps());
    shared.changed_there();
  }
  /// As a view does it.
  float* look(bool to_write) {
    m.copied_by()->bring_here(to_write);
    return here;
  }
  ~two_floats() { shared.wait(); }  // as programs do before their memory goes
  float* here = reinterpret_cast<float*>(m.data());
};

}  // namespace

TEST_CASE("a copy here follows the device, and the device what was written here") {
  test::gpu gpu(test::each_order());
  resources shared(0, float_products::f32);
  two_floats x{shared};
  CHECK(x.here[0] == 0);
  x.here[1] = 1;
  x.run_program();
  x.run_program();
  CHECK(x.look(false)[1] == 21);
  CHECK(x.look(false)[0] == 20);
  x.look(true)[0] = 5;
  x.look(true)[1] += 5;
  CHECK(x.look(false)[1] == 26);  // not there yet
  x.run_program();
  x.look(true)[1] = 0;  // after what the program has written
  x.run_program();
  CHECK(x.look(false)[0] == 25);
  CHECK(x.look(false)[1] == 10);
}

TEST_CASE("nothing is copied that is known") {
  test::gpu gpu;
  resources shared(0, float_products::f32);
  two_floats x{shared};
  x.run_program();
  x.look(false);
  const auto copies = [&] { return gpu.calls("cudaMemcpyAsync"); };
  const int before = copies();
  x.look(false);
  x.look(false);
  CHECK(copies() == before);
  x.run_program();
  x.run_program();
  CHECK(copies() == before);
  x.look(true);
  CHECK(copies() == before + 2);  // with the note of what went wrong
  x.run_program();
  CHECK(copies() == before + 3);
}

TEST_CASE("memory may go before what it is shared with") {
  test::gpu gpu(test::each_order());
  resources shared(0, float_products::f32);
  two_floats kept{shared};
  {
    two_floats x{shared};
    x.run_program();
    kept.run_program();
  }
  kept.run_program();
  CHECK(kept.look(false)[0] == 20);
  memory moved = std::move(kept.m);
  CHECK(moved.size() == 8);
  CHECK(kept.m.data() == nullptr);
  CHECK(kept.m.program_data() == nullptr);
  const memory nothing(shared, 0);
  nothing.data();
  shared.send_changes();
}

TEST_CASE("what a step complains of is an error once") {
  test::gpu gpu(test::each_order());
  resources shared(0, float_products::f32);
  struct complain {
    fault* faults;
    void operator()(std::uint32_t item) const { faults->report(7 + item, 5); }
  };
  CHECK_NOTHROW(shared.wait());
  launch_for_each(1, complain{shared.executor().faults()}, shared.steps());
  CHECK_THROWS_WITH(shared.wait(), "tapeless: an index is 7, but must be from 0 to below 5");
  CHECK_NOTHROW(shared.wait());
  launch_for_each(1, complain{shared.executor().faults()}, shared.steps());
  CHECK_THROWS(shared.wait());
}

TEST_CASE("resources that cannot be had are given back, and the device is as before") {
  test::gpu gpu({.devices = 2});
  const auto [function, number] = GENERATE(table<const char*, int>({{"cublasLtCreate", 1},
                                                                    {"cudaMalloc", 1},
                                                                    {"cudaMalloc", 2},
                                                                    {"cudaMalloc", 3},
                                                                    {"cudaStreamCreateWithFlags", 1},
                                                                    {"cudaStreamCreateWithFlags", 2},
                                                                    {"cudaSetDevice", 1}}));
  gpu.fail(function, number, cudaErrorMemoryAllocation);
  CHECK_THROWS(resources(1, float_products::f32));
  CHECK(gpu.device == 0);
  CHECK(gpu.not_given_back() == "");
}
