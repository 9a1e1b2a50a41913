// SPDX-License-Identifier: BSL-1.0
// Models whose attention cuDNN computes learn as on the CPU, and others never call it.
#include "models.hpp"

namespace {

/// Layers of attention in a loop.
constexpr auto layers = [] {
  auto x = tl::input<"x", float, test::batch, 6, 4>;
  auto y = tl::scan<3>(tl::linear<"in", 16>(x), [](auto h) {
    return h + tl::attention<"a", tl::attention_options{.heads = 2, .causal = true}>(tl::layer_norm<"n">(h));
  });
  auto out = tl::linear<"out", 3>(y);
  return tl::outputs(tl::mean(tl::square(out - 1_c)), tl::named<"out">(out));
};

template <class Policy>
std::vector<double> trained(const auto& rule, const Policy& policy) {
  return test::trained_on_images<float>(layers, 6 * 4, rule, policy);
}

/// One head, without an axis for it.
template <class T>
constexpr auto single = [] {
  auto x = tl::input<"x", T, 6, 8>;
  auto y = tl::scaled_dot_product_attention<tl::attention_options{.causal = true}>(x, x, x);
  return tl::outputs(tl::named<"y">(y), tl::named<"dx">(tl::grad(tl::sum(tl::square(y)), x)));
};

enum class mask { none, of_booleans, of_numbers };

/// Learns what attends to itself.
template <class T, int Width, tl::attention_options Options, mask Mask>
constexpr auto attends = [] {
  auto x = tl::cast<T>(tl::param<"x", float, 2, 5, Width>(tl::normal(1)));
  auto noise = tl::input<"noise", float, 5, 5>;
  const auto attended = [&] {
    if constexpr (Mask == mask::of_booleans) {
      return tl::scaled_dot_product_attention<Options>(x, x, x, noise > 0_c);
    } else if constexpr (Mask == mask::of_numbers) {
      return tl::scaled_dot_product_attention<Options>(x, x, x, tl::cast<T>(noise));
    } else {
      return tl::scaled_dot_product_attention<Options>(x, x, x) + tl::cast<T>(tl::mean(noise));
    }
  };
  return tl::mean(tl::square(tl::cast<float>(attended())));
};

/// How often cuDNN is called in a step.
template <class T, int Width, tl::attention_options Options = tl::attention_options{}, mask Mask = mask::none>
int executions() {
  test::gpu gpu;
  tl::trainer net{attends<T, Width, Options, Mask>, tl::sgd({.learning_rate = 0.1f}), tl::cuda{}};
  net.step("noise"_t = test::numbers().vector<float>(25));
  const int executions = gpu.calls("cudnnBackendExecute");
  CHECK((gpu.calls("cudnnCreate") > 0) == (executions > 0));
  return executions;
}

}  // namespace

TEST_CASE("attention: a loop of layers in mixed precision learns as on the CPU") {
  const auto rule = tl::sgd({.learning_rate = 0.1f});
  const auto exact = trained(rule, tl::cpu{});
  const auto mixed = tl::mixed_precision<tl::bf16>(rule);
  const double rounded = test::difference(trained(mixed, tl::cpu{}), exact);
  test::gpu gpu(test::each_order());
  CHECK(test::difference(trained(mixed, tl::cuda{}), exact) <= 2 * rounded);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
}

TEST_CASE("attention: a call that finds no memory on the device can be made again") {
  const auto results = [](auto& f, const auto& x) {
    const auto r = f("x"_t = x);
    auto all = test::elements(r.template get<"y">());
    const auto dx = test::elements(r.template get<"dx">());
    all.insert(all.end(), dx.begin(), dx.end());
    return all;
  };
  const auto x = test::numbers().vector<tl::bf16>(6 * 8);
  tl::function on_cpu{single<float>, tl::cpu{}};
  const auto expected = results(on_cpu, std::vector<float>(x.begin(), x.end()));
  int failures = 0;
  for (bool fails = true; fails;) {
    test::gpu gpu;
    tl::function f{single<tl::bf16>, tl::cuda{}};
    gpu.fail("cudaMalloc", ++failures, cudaErrorMemoryAllocation);
    fails = false;
    try {
      results(f, x);
    } catch (const tl::error&) {
      fails = true;
    }
    CHECK(test::difference(results(f, x), expected) <= 0.04);
    CHECK(gpu.calls("cudnnBackendExecute") >= 2);
  }
  CHECK(failures > 2);
}

TEST_CASE("attention: cuDNN is given that of 16 bits, of all keys or causal") {
  CHECK(executions<tl::f16, 8>() == 2);
  CHECK(executions<tl::bf16, 128, tl::attention_options{.causal = true, .scale = 0.5}>() == 2);
}

TEST_CASE("attention: of no model with other options, widths or types cuDNN is started") {
  CHECK(executions<float, 8>() == 0);
  CHECK(executions<tl::f16, 12>() == 0);
  CHECK(executions<tl::f16, 136>() == 0);
  CHECK(executions<tl::f16, 8, tl::attention_options{.window = 2}>() == 0);
  CHECK(executions<tl::f16, 8, tl::attention_options{.dropout = 0.5}>() == 0);
  CHECK(executions<tl::f16, 8, tl::attention_options{.alibi = true}>() == 0);
  CHECK(executions<tl::f16, 8, tl::attention_options{}, mask::of_booleans>() == 0);
  CHECK(executions<tl::f16, 8, tl::attention_options{}, mask::of_numbers>() == 0);
}
