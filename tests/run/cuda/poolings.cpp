// SPDX-License-Identifier: BSL-1.0
// Pools by the library's own kernels, where cuDNN is there too.
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

/// The devices of a test in which cuDNN computes nothing, and is not started.
class own_kernels : public test::gpu {
 public:
  explicit own_kernels(const fake_cuda::options& o = {}) : gpu(o) {}
  ~own_kernels() {
    CHECK(calls("cudnnCreate") == 0);
    CHECK(calls("cudnnBackendExecute") == 0);
  }
};

/// Whether two lists are the same, with NaN equal to NaN.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::ranges::equal(a, b,
                            [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); });
}

}  // namespace

TEST_CASE("pools: in each order they are those of the CPU") {
  const auto expected = trained<float>(tl::cpu{});
  const auto expected_doubles = trained<double>(tl::cpu{});
  const own_kernels gpu(test::each_order());
  CHECK(test::difference(trained<float>(tl::cuda{}), expected) < 2e-6);
  CHECK(test::difference(trained<double>(tl::cuda{}), expected_doubles) <= 1e-11);
}

TEST_CASE("pools: equal largest elements share the gradient") {
  const own_kernels gpu;
  tl::function f{largest, tl::cuda{}};
  const auto r = f("x"_t = std::vector<float>{2, 2, 1, 2});
  CHECK(test::elements(r.get<"y">()) == std::vector<double>{2, 2, 2, 2});
  CHECK(test::elements(r.get<"gradient">()) == std::vector<double>{1, 1.5, 0, 1.5});
}

TEST_CASE("pools: the largest element of a window with NaN is NaN") {
  const own_kernels gpu;
  tl::function f{largest, tl::cuda{}};
  const auto largest_of = [&](const std::vector<float>& x) {
    return test::elements(f("x"_t = x).get<"y">());
  };
  CHECK(are_same(largest_of({1, NAN, -3, -4, -5}), {NAN, NAN, NAN, -3, -4}));
  CHECK(are_same(largest_of({NAN, 1, 2, 3}), {NAN, NAN, 3, 3}));
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
  const own_kernels gpu;
  CHECK(test::difference(trained_on(tl::cuda{}), expected) < 2e-6);
}

TEST_CASE("pools: of 16 bits") {
  const auto check = [](auto type, double tolerance) {
    using T = decltype(type);
    const auto rule = tl::sgd({.learning_rate = 0.1f});
    const auto expected = trained<T>(tl::cpu{}, rule);
    const own_kernels gpu;
    CHECK(test::difference(trained<T>(tl::cuda{}, rule), expected) < tolerance);
  };
  check(tl::bf16(), 0.05);
  check(tl::f16(), 0.01);
}

TEST_CASE("pools: of a loop's iterations, whose operands are not always at multiples of 16 bytes") {
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
  const own_kernels gpu;
  tl::function f{scanned, tl::cuda{}};
  const auto r = f("x"_t = std::vector<float>{1, 2, 3, 4, 5, 6, 3, 2, 1, 7, 8, 7, 1, 1, 2},
                   "sum"_t = std::vector<float>{0});
  CHECK(test::elements(r.get<"y">()) == std::vector<double>{2, 3, 5, 6, 3, 2, 8, 8, 1, 2});
  CHECK(test::elements(r.get<"dx">()) == std::vector<double>{0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 2, 0, .5, .5, 1});
}
