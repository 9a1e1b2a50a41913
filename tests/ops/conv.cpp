// SPDX-License-Identifier: BSL-1.0
// Convolutions against the sums that define them, for literal and run-time extents.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <cmath>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

using tl::conv;

/// A tensor [n, c, h, w] of doubles; outside of its elements it is 0.
struct tensor {
  std::int64_t n, c, h, w;
  std::vector<double> items = {};

  tensor(std::int64_t n_, std::int64_t c_, std::int64_t h_, std::int64_t w_)
      : n(n_), c(c_), h(h_), w(w_), items(static_cast<std::size_t>(n_ * c_ * h_ * w_)) {}
  tensor& fill(test::numbers& random) {
    items = random.vector(items.size());
    return *this;
  }
  bool has(std::int64_t i, std::int64_t j) const { return i >= 0 && i < h && j >= 0 && j < w; }
  double& at(std::int64_t b, std::int64_t k, std::int64_t i, std::int64_t j) {
    return items[static_cast<std::size_t>(((b * c + k) * h + i) * w + j)];
  }
};

std::int64_t positions(std::int64_t extent, std::int64_t kernel, int stride, int padding, int dilation) {
  return (extent + 2 * padding - dilation * (kernel - 1) - 1) / stride + 1;
}

/// Visits (x element, weight element, y element) of every product in a convolution.
template <class F>
void for_each_product(const conv& o, tensor& x, tensor& weight, tensor& y, F f) {
  const std::int64_t in = x.c / o.groups, out = y.c / o.groups;
  for (std::int64_t b = 0; b < x.n; ++b)
    for (std::int64_t k = 0; k < y.c; ++k)
      for (std::int64_t i = 0; i < y.h; ++i)
        for (std::int64_t j = 0; j < y.w; ++j)
          for (std::int64_t c = 0; c < in; ++c)
            for (std::int64_t p = 0; p < weight.h; ++p)
              for (std::int64_t q = 0; q < weight.w; ++q) {
                const std::int64_t row = i * o.stride.vertical + p * o.dilation.vertical - o.padding.vertical;
                const std::int64_t column =
                    j * o.stride.horizontal + q * o.dilation.horizontal - o.padding.horizontal;
                if (x.has(row, column))
                  f(x.at(b, k / out * in + c, row, column), weight.at(k, c, p, q), y.at(b, k, i, j));
              }
}

void check(const std::vector<double>& found, const std::vector<double>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO("element " << i);
    REQUIRE(found[i] == test::Approx(expected[i]).epsilon(1e-13).margin(1e-13));
  }
}

constexpr auto n = tl::dyn<"n">, h = tl::dyn<"h">, w = tl::dyn<"w">;

/// A convolution of images, and its derivatives.
template <conv Options, int In, int Out, int Height, int Width, tl::extent Batch, tl::extent Rows,
          tl::extent Columns>
struct convolution_of {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, Batch, In, Rows, Columns>;
    auto weight = tl::input<"weight", double, Out, In / Options.groups, Height, Width>;
    auto bias = tl::input<"bias", double, Out>;
    auto y = tl::conv2d<Options>(x, weight, bias);
    auto f = tl::sum(tl::square(y));
    return tl::outputs(tl::named<"y">(y), tl::named<"x">(tl::grad(f, x)),
                       tl::named<"weight">(tl::grad(f, weight)), tl::named<"bias">(tl::grad(f, bias)));
  }
};

/// Batch and size are known when it runs.
template <conv Options, int In, int Out, int Height, int Width>
using convolution = convolution_of<Options, In, Out, Height, Width, n, h, w>;

/// Calls f(inputs...) of a program and compares with the sums.
template <conv Options, int In, int Out, int Height, int Width, class F>
void check_sums(F f, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  test::numbers random;
  tensor x = tensor(batch, In, rows, columns).fill(random),
         weight = tensor(Out, In / Options.groups, Height, Width).fill(random);
  const std::vector<double> bias = random.vector(Out);
  tensor y(
      batch, Out,
      positions(rows, Height, Options.stride.vertical, Options.padding.vertical, Options.dilation.vertical),
      positions(columns, Width, Options.stride.horizontal, Options.padding.horizontal,
                Options.dilation.horizontal));
  for (std::size_t i = 0, plane = static_cast<std::size_t>(y.h * y.w); i < y.items.size(); ++i)
    y.items[i] = bias[i / plane % Out];
  for_each_product(Options, x, weight, y, [](double a, double b, double& c) { c += a * b; });

  tensor gx(batch, In, rows, columns), gweight(Out, In / Options.groups, Height, Width);
  std::vector<double> gbias(Out);
  for (std::size_t i = 0, plane = static_cast<std::size_t>(y.h * y.w); i < y.items.size(); ++i)
    gbias[i / plane % Out] += 2 * y.items[i];
  for_each_product(Options, gx, weight, y, [](double& a, double b, double c) { a += b * 2 * c; });
  for_each_product(Options, x, gweight, y, [](double a, double& b, double c) { b += a * 2 * c; });

  auto r = f("x"_t = x.items, "weight"_t = weight.items, "bias"_t = bias);
  check(test::elements(r.template get<"y">()), y.items);
  check(test::elements(r.template get<"x">()), gx.items);
  check(test::elements(r.template get<"weight">()), gweight.items);
  check(test::elements(r.template get<"bias">()), gbias);
}

template <conv Options, int In, int Out, int Height, int Width>
void check_convolution(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  tl::function f{convolution<Options, In, Out, Height, Width>{}};
  const auto run = [&](auto... inputs) { return f(inputs..., "n"_t = batch, "h"_t = rows, "w"_t = columns); };
  check_sums<Options, In, Out, Height, Width>(run, batch, rows, columns);
}

/// The same with extents that are known when it is compiled.
template <conv Options, int Batch, int In, int Out, int Rows, int Columns, int Height, int Width>
void check_literal() {
  test::on_each_policy([]<class Policy>() {
    using model = convolution_of<Options, In, Out, Height, Width, Batch, Rows, Columns>;
    tl::function<model, Policy> f{model{}};
    check_sums<Options, In, Out, Height, Width>([&](auto... inputs) { return f(inputs...); }, Batch, Rows,
                                                Columns);
  });
}

}  // namespace

TEST_CASE("convolution and its derivatives are the sums that define them") {
  check_convolution<conv{.padding = 1}, 2, 3, 3, 3>(2, 4, 5);
  check_convolution<conv{.padding = 1}, 2, 3, 3, 3>(3, 1, 1);
  check_convolution<conv{.padding = 1}, 2, 3, 3, 3>(1, 12, 9);
  check_convolution<conv{.padding = 1}, 2, 3, 3, 3>(0, 4, 5);
}

TEST_CASE("convolution with a stride, a dilation and groups") {
  constexpr conv everything{.stride = {2, 1}, .padding = {1, 2}, .dilation = {1, 3}, .groups = 2};
  check_convolution<everything, 4, 6, 2, 3>(2, 6, 4);
  check_convolution<everything, 4, 6, 2, 3>(1, 3, 7);
}

TEST_CASE("convolution with kernels of one element") {
  check_convolution<conv{}, 3, 2, 1, 1>(2, 3, 4);
  check_convolution<conv{.stride = 2, .padding = 1}, 3, 2, 1, 1>(2, 4, 3);
  check_convolution<conv{.groups = 3}, 3, 3, 1, 3>(2, 2, 5);
}

TEST_CASE("convolution of one sample, one channel, one line: windows that overlap where they are") {
  check_literal<conv{}, 1, 1, 1, 1, 12, 1, 3>();
  check_literal<conv{.stride = {1, 2}}, 1, 1, 4, 1, 12, 1, 5>();
  check_literal<conv{.dilation = {1, 2}, .groups = 3}, 1, 3, 3, 1, 12, 1, 3>();
  check_literal<conv{}, 1, 1, 1, 12, 1, 3, 1>();
  check_literal<conv{.padding = 1}, 1, 1, 2, 5, 4, 3, 3>();
}

TEST_CASE("a run-time image that is smaller than the kernel is an error") {
  tl::function f{convolution<conv{}, 1, 1, 3, 3>{}};
  CHECK_THROWS_WITH(f("x"_t = std::vector<double>(10), "weight"_t = std::vector<double>(9),
                      "bias"_t = std::vector<double>(1), "n"_t = 1, "h"_t = 2, "w"_t = 5),
                    test::contains("the run-time extent there is 2"));
}

namespace {

template <conv Options, int In, int Out, int Height, int Width>
struct transposed {
  constexpr auto operator()() const {
    auto x = tl::input<"x", double, n, In, h, w>;
    auto weight = tl::input<"weight", double, In, Out / Options.groups, Height, Width>;
    auto y = tl::conv_transpose2d<Options>(x, weight);
    auto f = tl::sum(tl::square(y));
    return tl::outputs(tl::named<"y">(y), tl::named<"x">(tl::grad(f, x)),
                       tl::named<"weight">(tl::grad(f, weight)));
  }
};

template <conv Options, int In, int Out, int Height, int Width>
void check_transposed(std::int64_t batch, std::int64_t rows, std::int64_t columns) {
  constexpr conv forward{.stride = Options.stride,
                         .padding = Options.padding,
                         .dilation = Options.dilation,
                         .groups = Options.groups};
  const auto extent = [](std::int64_t from, int kernel, int axis) {
    return (from - 1) * Options.stride.along(axis, 2) - 2 * Options.padding.along(axis, 2) +
           Options.dilation.along(axis, 2) * (kernel - 1) + 1 + Options.output_padding.along(axis, 2);
  };
  test::numbers random;
  tensor x = tensor(batch, In, rows, columns).fill(random),
         weight = tensor(In, Out / Options.groups, Height, Width).fill(random);
  tensor y(batch, Out, extent(rows, Height, 0), extent(columns, Width, 1));
  for_each_product(forward, y, weight, x, [](double& a, double b, double c) { a += b * c; });
  tensor gx(batch, In, rows, columns), gweight(In, Out / Options.groups, Height, Width);
  for_each_product(forward, y, weight, gx, [](double a, double b, double& c) { c += 2 * a * b; });
  for_each_product(forward, y, gweight, x, [](double a, double& b, double c) { b += 2 * a * c; });

  tl::function f{transposed<Options, In, Out, Height, Width>{}};
  auto r = f("x"_t = x.items, "weight"_t = weight.items, "n"_t = batch, "h"_t = rows, "w"_t = columns);
  check(test::elements(r.template get<"y">()), y.items);
  check(test::elements(r.template get<"weight">()), gweight.items);
  check(test::elements(r.template get<"x">()), gx.items);
}

}  // namespace

TEST_CASE("a transposed convolution exchanges a convolution's operand and result") {
  check_transposed<conv{.padding = 1}, 2, 3, 3, 3>(2, 4, 3);
  check_transposed<conv{.stride = {2, 3}, .padding = {1, 0}, .output_padding = {1, 2}}, 2, 3, 3, 2>(2, 4, 3);
  check_transposed<conv{.stride = 2, .dilation = {3, 1}, .groups = 2, .output_padding = {2, 1}}, 4, 2, 2, 3>(
      1, 3, 2);
  check_transposed<conv{.stride = 2, .output_padding = 1}, 2, 2, 1, 1>(2, 3, 1);
}

TEST_CASE("convolution of sequences") {
  tl::function f{[] {
    auto x = tl::input<"x", double, n, 2, w>;
    auto weight = tl::input<"weight", double, 2, 2, 2>;
    auto bias = tl::input<"bias", double, 2>;
    return tl::outputs(tl::named<"y">(tl::conv1d<conv{.stride = 2, .padding = 1}>(x, weight, bias)),
                       tl::named<"plain">(tl::conv1d(x, weight)));
  }};
  const std::vector<double> x{1, 2, 3, 10, 20, 30}, weight{1, -1, 0, 2, 3, 0, 0, 1}, bias{100, 200};
  auto r = f("x"_t = x, "weight"_t = weight, "bias"_t = bias, "n"_t = 1, "w"_t = 3);
  check(test::elements(r.get<"y">()), {100 - 1 + 20, 100 + 2 - 3 + 60, 200 + 10, 200 + 6 + 30});
  check(test::elements(r.get<"plain">()), {-1 + 40, -1 + 60, 3 + 20, 6 + 30});
}

TEST_CASE("layers own parameters in PyTorch's layout") {
  tl::trainer net{[] {
                    auto x = tl::input<"x", float, n, 4, 6, 6>;
                    auto a = tl::conv2d<"a", 8, conv{.kernel = {3, 2}, .groups = 2}>(x);
                    auto b = tl::conv_transpose2d<"b", 6, conv{.kernel = 2, .bias = false}>(a);
                    auto c = tl::conv1d<"c", 3, conv{.kernel = 5}>(tl::flatten<2>(b));
                    return tl::mean(tl::square(c));
                  },
                  tl::sgd({.learning_rate = 0.1f})};
  const auto has_shape = [](auto parameter, std::initializer_list<std::int64_t> shape) {
    return std::equal(parameter.shape().begin(), parameter.shape().end(), shape.begin(), shape.end());
  };
  CHECK(has_shape(net.parameter<"a.weight">(), {8, 2, 3, 2}));
  CHECK(has_shape(net.parameter<"a.bias">(), {8}));
  CHECK(has_shape(net.parameter<"b.weight">(), {8, 6, 2, 2}));
  CHECK(has_shape(net.parameter<"c.weight">(), {3, 6, 5}));
  double largest = 0;
  for (const float element : net.parameter<"a.weight">())
    largest = std::max(largest, std::abs(static_cast<double>(element)));
  const double bound = std::sqrt(6.0 / ((2 + 4) * 6));
  CHECK(largest <= bound);
  CHECK(largest > 0.9 * bound);
  for (const float element : net.parameter<"a.bias">()) CHECK(element == 0);
  const auto x = test::numbers().vector<float>(2 * 4 * 36);
  const float first = net.step("x"_t = x).loss();
  for (int i = 0; i < 5; ++i) net.step("x"_t = x);
  CHECK(net.step("x"_t = x).loss() < first);
}
