// SPDX-License-Identifier: BSL-1.0
// What cannot be had on the way to a step: an error says so, the trainer is as it was, and the same step made
// again is right.
#include <vector>

#include "models.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", double, test::batch, 3>;
  auto y = tl::batch_norm<"norm">(tl::linear<"in", 4>(x));
  auto out = tl::linear<"out", 2>(tl::tanh(y));
  return tl::outputs(tl::mean(tl::square(out - 1_c)), tl::named<"out">(out));
};

std::vector<double> numbers(std::size_t count) {
  test::numbers random{5};
  return random.vector(count);
}

/// What a trainer holds and goes on to compute.
template <class Net>
std::vector<double> all_of(Net& net) {
  std::vector<double> all = test::all_parameters(net);
  for (const std::size_t rows : {4u, 7u}) {
    all.push_back(net.step("x"_t = numbers(3 * rows)).loss());
    all.push_back(net.evaluate("x"_t = numbers(3 * rows)).loss());
  }
  for (const double p : test::all_parameters(net)) all.push_back(p);
  return all;
}

/// Lets each call of the function that `call` makes fail, after `before`.
template <class Before, class Call>
void fail_each(const char* function, int status, Before before, Call call) {
  const auto rule = tl::adamw({.learning_rate = 0.1f});
  int count = 0;
  std::vector<double> expected;
  {
    test::gpu gpu;
    tl::trainer net{model, rule, tl::cuda{}};
    before(net);
    count = gpu.calls(function);
    call(net);
    count = gpu.calls(function) - count;
    expected = all_of(net);
  }
  INFO(function);
  CHECK(count > 0);
  for (int n = 1; n <= count; ++n) {
    INFO("call " << n << " of " << count);
    test::gpu gpu;
    tl::trainer net{model, rule, tl::cuda{}};
    before(net);
    gpu.fail(function, n, status);
    CHECK_THROWS_AS(call(net), tl::error);
    call(net);
    CHECK(all_of(net) == expected);
  }
}

}  // namespace

TEST_CASE("memory or a graph that cannot be had leaves a trainer as it was") {
  const auto nothing = [](auto&) {};
  const auto step = [](auto& net) { net.step("x"_t = numbers(12)); };
  const auto step_on_more = [](auto& net) { net.step("x"_t = numbers(60)); };
  const auto evaluate = [](auto& net) { net.evaluate("x"_t = numbers(30)); };
  for (const char* function : {"cudaMalloc", "cudaMallocHost"}) {
    fail_each(function, cudaErrorMemoryAllocation, nothing, step);
    fail_each(function, cudaErrorMemoryAllocation, step, step_on_more);
    fail_each(function, cudaErrorMemoryAllocation, step, evaluate);
  }
  for (const char* function :
       {"cudaStreamBeginCapture", "cudaGraphInstantiate", "cudaEventCreateWithFlags"}) {
    fail_each(function, cudaErrorLaunchFailure, nothing, step);
    fail_each(function, cudaErrorLaunchFailure, step, step_on_more);
  }
}
