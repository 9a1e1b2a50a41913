// SPDX-License-Identifier: BSL-1.0
// Which products sum up an operand along the way, and that nothing else comes of it.
#include <tapeless/optim/rules/adam.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "run/gpu/both.hpp"

namespace k = tapeless::thrust_kernels;

namespace {

constexpr auto rows = tl::dyn<"rows">;

template <class Model>
using graph_builder_of = tl::ready<tl::forward_graph_builder<Model>>;

/// How many products sum up that operand.
template <class GraphBuilder>
constexpr int count(k::summed side) {
  int n = 0;
  for (const k::bias_gradient& g : k::bias_gradients_of<GraphBuilder>) n += g.side == side ? 1 : 0;
  return n;
}

/// How many fused kernels are left to products; the same as how many products have one.
template <class GraphBuilder>
constexpr int kernels_left_to_products() {
  int n = 0;
  for (const k::launch_group& g : k::launch_groups_of<GraphBuilder>)
    n += g.kind == k::grouping::with_product ? 1 : 0;
  return n;
}

template <class GraphBuilder>
constexpr bool takes(int left, int right) {
  return count<GraphBuilder>(k::summed::left) == left && count<GraphBuilder>(k::summed::right) == right &&
         kernels_left_to_products<GraphBuilder>() == left + right;
}

template <class Real>
constexpr auto network = [] {
  auto x = tl::input<"x", Real, rows, 20>;
  auto h = tl::relu(tl::linear<"fc1", 30>(x));
  return tl::mean(tl::square(tl::linear<"fc3", 10>(tl::tanh(tl::linear<"fc2", 30>(h)))));
};

template <class Model, class Rule = decltype(tl::adam({.learning_rate = 1e-3f}))>
using step_of = typename tl::trainer<Model, Rule>::step_program;

}  // namespace

TEST_CASE("bias_gradients: each layer's is taken along by the gradient of its weight") {
  STATIC_REQUIRE(takes<step_of<decltype(network<float>)>>(3, 0));
  STATIC_REQUIRE(takes<step_of<decltype(network<tl::bf16>)>>(3, 0));
  STATIC_REQUIRE(takes<step_of<decltype(network<double>)>>(0, 0));  // libraries have it for float
  // sums in float of products in 16 bits are no library's
  using mixed = decltype(tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 1e-3f})));
  STATIC_REQUIRE(takes<step_of<decltype(network<float>), mixed>>(0, 0));
  // the update of a bias comes first, and needs its gradient
  using eager = tl::trainer<decltype(network<float>), decltype(tl::adam({})), tl::cpu, tl::eager_updates_t>;
  STATIC_REQUIRE(takes<eager::step_program>(0, 0));
}

namespace {

// The gradient of w is x^T g, with g on the right.
constexpr auto by_columns = [] {
  auto x = tl::input<"x", float, rows, 6>;
  auto w = tl::param<"w", float, 6, 4>(tl::normal(1.0));
  return tl::mean(tl::square(tl::matmul(x, w) + tl::param<"b", float, 4>(tl::fill(0.5))));
};

// Samples have rows of their own, which are all added up.
constexpr auto of_sequences = [] {
  return tl::mean(tl::square(tl::linear<"fc", 4>(tl::input<"x", float, rows, 7, 6>)));
};

// Both weights' gradients read the same g; there is one bias.
constexpr auto of_two_inputs = [] {
  auto x = tl::input<"x", float, rows, 6>;
  auto y = tl::input<"y", float, rows, 5>;
  return tl::mean(tl::square(tl::linear<"fx", 4>(x) + tl::linear<"fy", 4, false>(y)));
};

}  // namespace

TEST_CASE("bias_gradients: of weights of either layout, of more axes, of several products") {
  STATIC_REQUIRE(takes<step_of<decltype(by_columns)>>(0, 1));
  STATIC_REQUIRE(takes<step_of<decltype(of_sequences)>>(1, 0));
  STATIC_REQUIRE(takes<step_of<decltype(of_two_inputs)>>(1, 0));
}

namespace {

using tl::matmul;
using tl::transpose;

/// g [4, 4], the sums of its rows, and y [4, 5], of which F makes "product" and "sum".
template <auto F>
constexpr auto of_g = [] {
  auto g = tl::square(tl::input<"x", float, 4, 4>);
  return F(g, tl::sum<0>(g), tl::input<"y", float, 4, 5>);
};

/// Reshapes change nothing but the order: what has more operations behind it comes first.
template <int Size = 4>
constexpr auto named(auto product, auto sum) {
  auto back = [](auto x) { return tl::reshape<1, Size>(tl::reshape<Size, 1>(tl::reshape<1, Size>(x))); };
  return tl::outputs(tl::named<"product">(product), tl::named<"sum">(tl::reshape<Size>(back(back(sum)))));
}

constexpr auto plain = of_g<[](auto g, auto sum, auto y) { return named(matmul(transpose(g), y), sum); }>;
constexpr auto on_the_right =
    of_g<[](auto g, auto sum, auto y) { return named(matmul(transpose(y), g), sum); }>;
// The product needs the sums.
constexpr auto waits_for_the_sums =
    of_g<[](auto g, auto sum, auto y) { return named(matmul(transpose(g), y * tl::mean(sum)), sum); }>;
constexpr auto other_sums =
    of_g<[](auto g, auto, auto y) { return named(matmul(transpose(g), y), tl::sum<1>(g)); }>;
constexpr auto sums_of_squares =
    of_g<[](auto g, auto, auto y) { return named(matmul(transpose(g), y), tl::sum<0>(tl::square(g))); }>;
constexpr auto largest =
    of_g<[](auto g, auto, auto y) { return named(matmul(transpose(g), y), tl::max<0>(g)); }>;
// Of other rows.
constexpr auto of_some_rows = of_g<[](auto g, auto, auto y) {
  return named(matmul(transpose(tl::slice<0, 0, 3>(g)), tl::slice<0, 0, 3>(y)),
               tl::sum<0>(tl::slice<0, 1, 4>(g)));
}>;
constexpr auto of_fewer_rows = of_g<[](auto g, auto, auto y) {
  return named(matmul(transpose(g), y), tl::sum<0>(tl::slice<0, 0, 3>(g)));
}>;
constexpr auto of_other_columns = of_g<[](auto g, auto, auto y) {
  return named<2>(matmul(transpose(tl::slice<1, 0, 2>(g)), y), tl::sum<0>(tl::slice<1, 0, 4, 2>(g)));
}>;
constexpr auto product_of_some_rows = of_g<[](auto g, auto sum, auto y) {
  return named(matmul(transpose(tl::slice<0, 1, 4>(g)), tl::slice<0, 0, 3>(y)), sum);
}>;
// It multiplies along the other axis.
constexpr auto along_the_rows = of_g<[](auto g, auto sum, auto y) { return named(matmul(g, y), sum); }>;
// It has an epilogue of its own already.
constexpr auto with_a_bias = of_g<[](auto g, auto sum, auto y) {
  return named(tl::relu(matmul(transpose(g), y) + tl::input<"b", float, 5>), sum);
}>;

template <class Model>
constexpr bool model_takes(const Model&, int left, int right) {
  return takes<graph_builder_of<Model>>(left, right);
}

}  // namespace

TEST_CASE("bias_gradients: a product takes along what are its operand's sums, and no others") {
  STATIC_REQUIRE(model_takes(plain, 1, 0));
  STATIC_REQUIRE(model_takes(on_the_right, 0, 1));
  STATIC_REQUIRE(model_takes(waits_for_the_sums, 0, 0));
  STATIC_REQUIRE(model_takes(other_sums, 0, 0));
  STATIC_REQUIRE(model_takes(sums_of_squares, 0, 0));
  STATIC_REQUIRE(model_takes(largest, 0, 0));
  STATIC_REQUIRE(model_takes(of_some_rows, 0, 0));
  STATIC_REQUIRE(model_takes(of_fewer_rows, 0, 0));
  STATIC_REQUIRE(model_takes(of_other_columns, 0, 0));
  STATIC_REQUIRE(model_takes(product_of_some_rows, 0, 0));
  STATIC_REQUIRE(model_takes(along_the_rows, 0, 0));
  STATIC_REQUIRE(model_takes(with_a_bias, 0, 0));
}

namespace {

constexpr auto of_samples = [] {
  auto g = tl::square(tl::input<"x", float, rows, 4>);
  return named(matmul(transpose(g), tl::input<"y", float, rows, 5>), tl::sum<0>(g));
};

}  // namespace

TEST_CASE("bias_gradients: what is taken along is what the fused kernel would have stored") {
  test::numbers random(3);
  const auto x = random.vector<float>(16), y = random.vector<float>(20);
  CHECK(test::both<decltype(plain)>().differ<"sum", "product">("x"_t = x, "y"_t = y) < 1e-5);
  CHECK(test::both<decltype(on_the_right)>().differ<"sum", "product">("x"_t = x, "y"_t = y) < 1e-5);
  CHECK(test::both<decltype(waits_for_the_sums)>().differ<"sum", "product">("x"_t = x, "y"_t = y) < 1e-5);
  STATIC_REQUIRE(model_takes(of_samples, 1, 0));
  test::both<decltype(of_samples)> model;
  for (const std::size_t samples : {3u, 0u, 1u, 300u}) {
    const auto a = random.vector<float>(4 * samples), b = random.vector<float>(5 * samples);
    CHECK(model.differ<"sum", "product">("x"_t = a, "y"_t = b) < 1e-4);
  }
}

namespace {

template <class A, class B>
double difference(const A& a, const B& b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  const auto x = test::elements(a), y = test::elements(b);
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

}  // namespace

TEST_CASE("bias_gradients: steps are those of the CPU, also of one sample") {
  tl::trainer expected{network<float>, tl::adam({.learning_rate = 1e-2f}), tl::cpu{}, 1};
  tl::trainer actual{network<float>, tl::adam({.learning_rate = 1e-2f}), tl::thrust_host{}, 1};
  test::numbers random(4);
  for (const std::size_t samples : {5u, 1u, 33u, 5u}) {
    const auto x = random.vector<float>(20 * samples);
    expected.gradients("x"_t = x);
    actual.gradients("x"_t = x);
    CHECK(difference(expected.gradient<"fc1.bias">(), actual.gradient<"fc1.bias">()) < 1e-5);
    CHECK(difference(expected.gradient<"fc3.bias">(), actual.gradient<"fc3.bias">()) < 1e-5);
    CHECK(difference(expected.gradient<"fc3.weight">(), actual.gradient<"fc3.weight">()) < 1e-5);
    expected.apply();
    actual.apply();
  }
}
