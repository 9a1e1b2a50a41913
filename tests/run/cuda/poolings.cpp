// SPDX-License-Identifier: BSL-1.0
// Pools by cuDNN, and by the library's own kernels where cuDNN has nothing for them.
#include <algorithm>

#include "models.hpp"

namespace {

using tl::pool;

/// Classifies images by pools whose windows overlap or reach into padding, of images and of sequences.
template <class T>
constexpr auto images = [] {
  auto x = tl::input<"x", T, test::batch, 2, 9, 8>;
  auto a = tl::max_pool2d<pool{.kernel = 3, .stride = {1, 2}, .padding = 1}>(tl::linear<"a", 8>(x));
  auto b = tl::avg_pool2d<pool{.kernel = {3, 2}, .stride = {2, 1}, .padding = {1, 0}}>(tl::linear<"b", 5>(a));
  auto c = tl::avg_pool2d<pool{.kernel = 2, .padding = 1, .count_include_pad = false}>(tl::linear<"c", 5>(b));
  auto s = tl::linear<"s", 7>(tl::mean<2>(c));
  auto d = tl::max_pool1d<pool{.kernel = 3, .stride = 2}>(s) +
           tl::avg_pool1d<pool{.kernel = 2, .stride = 3, .padding = 1}>(s);
  return tl::outputs(tl::mean(tl::square(d - 1_c)), tl::named<"out">(d));
};
constexpr int pools_forward = 5, means = 3;

template <class T, class Policy, class Rule = decltype(test::adam())>
std::vector<double> trained(const Policy& policy, Rule rule = test::adam()) {
  return test::trained_on_images<T>(images<T>, 2 * 9 * 8, rule, policy);
}

/// The largest of three neighbours, and the sum's gradient.
constexpr auto largest = [] {
  auto x = tl::input<"x", float, 1, 1, tl::dyn<"length">>;
  auto y = tl::max_pool1d<pool{.kernel = 3, .stride = 1, .padding = 1}>(x);
  return tl::outputs(tl::named<"y">(y), tl::named<"gradient">(tl::grad(tl::sum(y), x)));
};

/// The engines of pools, or none.
std::vector<fake_cuda::engine> usual_or_none(bool usual) {
  return usual ? fake_cuda::pool_engines : std::vector<fake_cuda::engine>{};
}

/// Whether two lists are the same, with NaN equal to NaN.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b,
                            [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("pools: cuDNN's, in each order, are those of the CPU") {
  const auto expected = trained<float>(tl::cpu{});
  test::gpu gpu(test::each_order());
  CHECK(test::difference(trained<float>(tl::cuda{}), expected) < 2e-6);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
  CHECK(gpu.calls("cudnnCreate") == 1);
}

TEST_CASE("pools: of double there are none in cuDNN, so that the library's own kernels compute them") {
  const auto expected = trained<double>(tl::cpu{});
  test::gpu gpu(test::each_order());
  CHECK(test::difference(trained<double>(tl::cuda{}), expected) <= 1e-11);
  CHECK(gpu.calls("cudnnBackendExecute") == 0);
}

TEST_CASE("pools: cuDNN computes largest elements, means and the gradients of means") {
  test::gpu gpu;
  tl::trainer net{images<float>, test::adam(), tl::cuda{}};
  test::numbers random;
  const auto x = random.vector<float>(2 * 2 * 9 * 8);
  net.step("x"_t = x);
  CHECK(gpu.calls("cudnnBackendExecute") == pools_forward + means);
  net.evaluate("x"_t = x);
  CHECK(gpu.calls("cudnnBackendExecute") == pools_forward + means + pools_forward);
}

TEST_CASE("pools: equal largest elements share the gradient, which is never cuDNN's") {
  const bool by_cudnn = GENERATE(true, false);
  const fake_cuda::engines_for_now now(fake_cuda::pool_engines, usual_or_none(by_cudnn));
  test::gpu gpu;
  tl::function f{largest, tl::cuda{}};
  const auto r = f("x"_t = std::vector<float>{2, 2, 1, 2});
  CHECK(test::elements(r.get<"y">()) == std::vector<double>{2, 2, 2, 2});
  CHECK(test::elements(r.get<"gradient">()) == std::vector<double>{1, 1.5, 0, 1.5});
  CHECK(gpu.calls("cudnnBackendExecute") == (by_cudnn ? 1 : 0));
}

TEST_CASE("pools: the largest element of a window with NaN is NaN") {
  const bool by_cudnn = GENERATE(true, false);
  const fake_cuda::engines_for_now now(fake_cuda::pool_engines, usual_or_none(by_cudnn));
  test::gpu gpu;
  tl::function f{largest, tl::cuda{}};
  const auto largest_of = [&](const std::vector<float>& x) {
    return test::elements(f("x"_t = x).get<"y">());
  };
  CHECK(are_same(largest_of({1, NAN, -3, -4, -5}), {NAN, NAN, NAN, -3, -4}));
  CHECK(are_same(largest_of({NAN, 1, 2, 3}), {NAN, NAN, 3, 3}));
  CHECK((gpu.calls("cudnnBackendExecute") > 0) == by_cudnn);
}

TEST_CASE("pools: those whose windows are tiles of the image are as on the CPU") {
  static constexpr auto tiles = [] {
    auto x = tl::input<"x", float, test::batch, 2, 8, 6>;
    auto y = tl::avg_pool2d<pool{.kernel = 2}>(tl::max_pool2d<pool{.kernel = {2, 1}}>(tl::linear<"w", 6>(x)));
    return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
  };
  test::numbers random;
  const auto x = random.vector<float>(3 * 2 * 8 * 6);
  const auto trained_on = [&](const auto& policy) {
    tl::trainer net{tiles, test::adam(), policy};
    for (int step = 0; step < 3; ++step) net.step("x"_t = x);
    return test::all_parameters(net);
  };
  const auto expected = trained_on(tl::cpu{});
  test::gpu gpu;
  CHECK(test::difference(trained_on(tl::cuda{}), expected) < 2e-6);
}

TEST_CASE("pools: by the engine that is given and supported, else by the library's own kernels") {
  const auto expected = trained<float>(tl::cpu{});
  struct table {
    bool has_engine;
    std::vector<fake_cuda::engine> engines;
  };
  const auto [has_engine, engines] = GENERATE(values<table>(
      {{true, {{.workspace = 512}}},
       {true, {{.is_supported = false}, {.is_given = false}, {.workspace = 512}, {.is_given = false}}},
       {false, {{.is_given = false}, {.is_fallback = true, .is_given = false}}},
       {false, {{.is_supported = false}, {.is_supported = false, .is_fallback = true}}},
       {false, {}}}));
  const fake_cuda::engines_for_now now(fake_cuda::pool_engines, engines);
  test::gpu gpu;
  CHECK(test::difference(trained<float>(tl::cuda{}), expected) < 2e-6);
  CHECK((gpu.calls("cudnnBackendExecute") > 0) == has_engine);
}

TEST_CASE("pools: where cuDNN refuses a descriptor, by the library's own kernels") {
  const auto expected = trained<float>(tl::cpu{});
  test::gpu gpu;
  gpu.fail("cudnnBackendFinalize", GENERATE(range(1, 9)), CUDNN_STATUS_NOT_SUPPORTED);
  CHECK(test::difference(trained<float>(tl::cuda{}), expected) < 2e-6);
  CHECK(gpu.calls("cudnnBackendExecute") > 0);
}

TEST_CASE("pools: of 16 bits") {
  const auto check = [](auto type, double tolerance) {
    using T = decltype(type);
    const auto rule = tl::sgd({.learning_rate = 0.1f});
    const auto expected = trained<T>(tl::cpu{}, rule);
    test::gpu gpu;
    CHECK(test::difference(trained<T>(tl::cuda{}, rule), expected) < tolerance);
    CHECK(gpu.calls("cudnnBackendExecute") > 0);
  };
  check(tl::bf16(), 0.05);
  check(tl::f16(), 0.01);
}

TEST_CASE("pools: cuDNN demands that extents follow from each other") {
  test::gpu gpu;
  tapeless::pooling_arguments arguments{.batch = 1,
                                        .channels = 2,
                                        .image = {5, 4},
                                        .kernel = {2, 3},
                                        .positions = {2, 4},
                                        .stride = {2, 1},
                                        .padding = {0, 1}};
  const auto status = [&] {
    return tapeless::cuda_kernels::operation_of(arguments, tapeless::element::f32).back().status();
  };
  CHECK(status() == CUDNN_STATUS_SUCCESS);
  arguments.positions[0] = 3;  // the last row is not in any window
  CHECK(status() == CUDNN_STATUS_BAD_PARAM);
}

TEST_CASE("pools: a failure is a sentence that names the call") {
  test::gpu gpu;
  const auto [function, status] =
      GENERATE(table<const char*, cudnnStatus_t>({{"cudnnBackendFinalize", CUDNN_STATUS_INTERNAL_ERROR},
                                                  {"cudnnBackendExecute", CUDNN_STATUS_EXECUTION_FAILED}}));
  gpu.fail(function, 2, status);
  CHECK_THROWS_WITH(trained<float>(tl::cuda{}),
                    test::contains(std::string(function) + " failed: " + cudnnGetErrorString(status) +
                                   ", for the operations pool of the model "));
}

TEST_CASE("pools: their memory is taken before the first step of new extents, not in one") {
  const fake_cuda::engines_for_now now(fake_cuda::pool_engines, {{.workspace = 512}});
  test::gpu gpu;
  tl::trainer net{images<float>, test::adam(), tl::cuda{}};
  test::numbers random;
  const auto x = random.vector<float>(2 * 2 * 9 * 8);
  net.step("x"_t = x);
  net.step("x"_t = x);
  const int before = gpu.calls("cudaMalloc"), descriptors = gpu.calls("cudnnBackendCreateDescriptor");
  for (int step = 0; step < 5; ++step) net.step("x"_t = x);
  CHECK(gpu.calls("cudaMalloc") == before);
  CHECK(gpu.calls("cudnnBackendCreateDescriptor") == descriptors);
}

TEST_CASE("pools: of a loop's iterations, whose operands are not always where cuDNN can read them") {
  static constexpr auto scanned = [] {
    auto x = tl::input<"x", float, 5, 1, 1, 3>;
    auto [sum, y] = tl::scan(
        [](auto sum, auto x) {
          auto y = tl::max_pool1d<pool{.kernel = 2, .stride = 1}>(x);
          return tl::pack(sum + tl::sum(y), y);
        },
        tl::input<"sum", float>, x);
    return tl::outputs(tl::named<"sum">(sum), tl::named<"y">(y), tl::named<"dx">(tl::grad(sum, x)));
  };
  test::gpu gpu;
  tl::function f{scanned, tl::cuda{}};
  const auto r = f("x"_t = std::vector<float>{1, 2, 3, 4, 5, 6, 3, 2, 1, 7, 8, 7, 1, 1, 2},
                   "sum"_t = std::vector<float>{0});
  CHECK(test::elements(r.get<"y">()) == std::vector<double>{2, 3, 5, 6, 3, 2, 8, 8, 1, 2});
  CHECK(test::elements(r.get<"dx">()) == std::vector<double>{0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 2, 0, .5, .5, 1});
  CHECK(gpu.calls("cudnnBackendExecute") == 2);  // of the iterations that begin at a multiple of 16 bytes
}
