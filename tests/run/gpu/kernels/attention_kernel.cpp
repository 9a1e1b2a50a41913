// SPDX-License-Identifier: BSL-1.0
// Attention row by row, where no library has it: against tl::cpu in float, and in double against sums one by
// one.
#include <tapeless/run/gpu/kernels/attention_kernel.hpp>

#include <tapeless/ops/attention/attention.hpp>
#include <tapeless/ops/control/scan.hpp>
#include <tapeless/optim/rules/adam.hpp>
#include <tapeless/optim/wrappers/mixed_precision.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "run/gpu/both.hpp"

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto queries = tl::dyn<"queries">;
constexpr auto keys = tl::dyn<"keys">;

/// An attention and its gradients.
template <class T, tl::attention_options Options, int Width = 16>
struct attended {
  constexpr auto operator()() const {
    auto q = tl::input<"q", T, batch, 2, queries, Width>;
    auto k = tl::input<"k", T, batch, 2, keys, Width>;
    auto v = tl::input<"v", T, batch, 2, keys, Width>;
    auto y = tl::scaled_dot_product_attention<Options>(q, k, v);
    auto l = tl::sum(tl::sin(y));
    return tl::outputs(tl::named<"y">(y), tl::named<"of_q">(tl::grad(l, q)),
                       tl::named<"of_k">(tl::grad(l, k)), tl::named<"of_v">(tl::grad(l, v)));
  }
};
constexpr tl::attention_options whole{}, causal{.causal = true};

/// The same numbers in 16 bits on thrust_host, and in float on the CPU.
template <class T, tl::attention_options Options>
double error_of(int samples, int rows, int columns) {
  tl::function<attended<T, Options>, tl::thrust_host> f{attended<T, Options>{}};
  tl::function<attended<float, Options>, tl::cpu> expected{attended<float, Options>{}};
  test::numbers random(5);
  const auto q = random.vector<T>(test::count(samples * 2 * rows, 16), -2, 2);
  const auto k = random.vector<T>(test::count(samples * 2 * columns, 16), -2, 2);
  const auto v = random.vector<T>(test::count(samples * 2 * columns, 16), -2, 2);
  const auto in_float = [](const std::vector<T>& x) { return std::vector<float>(x.begin(), x.end()); };
  const std::int64_t b = samples, n = rows, m = columns;
  const auto a = f("q"_t = q, "k"_t = k, "v"_t = v, "batch"_t = b, "queries"_t = n, "keys"_t = m);
  const auto e = expected("q"_t = in_float(q), "k"_t = in_float(k), "v"_t = in_float(v), "batch"_t = b,
                          "queries"_t = n, "keys"_t = m);
  return std::max({test::difference<"y">(a, e), test::difference<"of_q">(a, e),
                   test::difference<"of_k">(a, e), test::difference<"of_v">(a, e)});
}

template <class Model, class Policy>
constexpr int attentions_of() {
  using graph_builder = tl::ready_for<tl::forward_graph_builder<Model>, Policy>;
  return static_cast<int>(tl::plan_of<graph_builder>.families.template of<tl::planned_attention>().size());
}

}  // namespace

TEST_CASE("attention kernel: of 16 bits it is that of float, to within what 16 bits hold") {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 7}, {3, 9}, {9, 3}, {40, 33}}) {
    INFO(rows << " queries and " << columns << " keys");
    CHECK(error_of<tl::bf16, whole>(3, rows, columns) < 0.06);
    CHECK(error_of<tl::bf16, causal>(3, rows, columns) < 0.06);
    CHECK(error_of<tl::f16, whole>(2, rows, columns) < 0.01);
    CHECK(error_of<tl::f16, causal>(2, rows, columns) < 0.01);
  }
  CHECK(error_of<tl::bf16, causal>(0, 4, 4) == 0);
}

TEST_CASE("attention kernel: gradients know how many equal scores there are, however large these are") {
  tl::function<attended<tl::f16, whole>, tl::thrust_host> f{attended<tl::f16, whole>{}};
  const std::vector<tl::f16> q(test::count(2 * 7, 16), tl::f16(16384.f)), v(q.size(), tl::f16(0.f));
  const auto r = f("q"_t = q, "k"_t = q, "v"_t = v, "batch"_t = 1, "queries"_t = 7, "keys"_t = 7);
  for (const tl::f16 x : r.get<"of_v">()) CHECK(static_cast<float>(x) == test::Approx(1).epsilon(0.001));
}

TEST_CASE("attention kernel: a GPU's plans keep attentions of 16 bits that cuDNN has, and no others") {
  using tl::bf16, tl::thrust_host;
  STATIC_REQUIRE(attentions_of<attended<bf16, causal>, thrust_host>() == 2);
  STATIC_REQUIRE(attentions_of<attended<tl::f16, whole, 128>, thrust_host>() == 2);
  STATIC_REQUIRE(attentions_of<attended<bf16, causal, 12>, thrust_host>() == 0);
  STATIC_REQUIRE(attentions_of<attended<bf16, causal, 136>, thrust_host>() == 0);
  STATIC_REQUIRE(attentions_of<attended<bf16, tl::attention_options{.window = 3}>, thrust_host>() == 0);
  STATIC_REQUIRE(attentions_of<attended<bf16, tl::attention_options{.alibi = true}>, thrust_host>() == 0);
  STATIC_REQUIRE(attentions_of<attended<float, causal>, thrust_host>() == 0);
  STATIC_REQUIRE(attentions_of<attended<bf16, causal>, tl::cpu>() == 0);
  STATIC_REQUIRE(attentions_of<attended<float, causal>, tl::cpu>() == 2);
}

namespace {

constexpr auto scanned = [] {
  auto x = tl::input<"x", float, batch, 5, 32>;
  return tl::mean(tl::square(tl::scan<3>(x, [](auto h) {
    return h + tl::attention<"attn", tl::attention_options{.heads = 2, .causal = true}>(h);
  })));
};
using half_rule = decltype(tl::mixed_precision<tl::bf16>(tl::adamw({.learning_rate = 1e-2f})));

}  // namespace

TEST_CASE("attention kernel: models of float that are computed in 16 bits have it, in loops, too, and once") {
  using step = tl::trainer<decltype(scanned), half_rule, tl::thrust_host>::step_program;
  STATIC_REQUIRE(tl::plan_of<step>.families.of<tl::planned_attention>().size() == 2);
  STATIC_REQUIRE(tl::plan_of<step>.products.size() == 6);  // none of scores
  test::numbers random(2);
  const auto x = random.vector<float>(2 * 5 * 32);
  const auto loss_of = [&](auto policy) {
    tl::trainer net{scanned, tl::mixed_precision<tl::bf16>(tl::adamw({.learning_rate = 1e-2f})), policy};
    float loss = 0;
    for (int i = 0; i < 5; ++i) loss = net.step("x"_t = x).loss();
    return loss;
  };
  CHECK(loss_of(tl::thrust_host{}) == test::Approx(loss_of(tl::cpu{})).epsilon(0.02));
}

namespace {

/// Rows of doubles, side by side.
struct rows_of {
  std::vector<double> all;
  std::int64_t columns;
  double& at(std::int64_t row, std::int64_t column) {
    return all[static_cast<std::size_t>(row * columns + column)];
  }
  tl::strided_operand operand() {
    tl::strided_operand o;
    o.data = reinterpret_cast<std::byte*>(all.data());
    o.strides[0] = columns;
    o.strides[1] = 1;
    return o;
  }
};

}  // namespace

TEST_CASE("attention kernel: in double, against sums one by one") {
  constexpr std::int64_t n = 6, m = 4, width = 3, value_width = 40;
  const bool is_causal = GENERATE(false, true);
  test::numbers random(7);
  rows_of q{random.vector(n * width), width}, k{random.vector(m * width), width},
      v{random.vector(m * value_width), value_width}, g{random.vector(n * value_width), value_width};
  const std::int64_t result_columns = tl::attention_columns(value_width);
  rows_of y{std::vector<double>(n * static_cast<std::size_t>(result_columns)), result_columns};
  tl::attention_arguments a{.queries = n, .keys = m, .width = width, .value_width = value_width};
  a.scores = {.causal = is_causal, .scale = 0.7};
  a.query = q.operand(), a.key = k.operand(), a.values = v.operand(), a.target = y.operand();
  tl::thrust_kernels::host_executor executor;
  tl::thrust_kernels::attend_by_rows<double, tl::attention_kind::result>(a, executor);

  // The loss is the sum of g y; slopes by q and v, and by k, from small changes of each.
  const auto loss = [&] {
    double total = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0;
      std::vector<double> weights;
      for (std::int64_t j = 0; j < (is_causal ? std::min(i + 1, m) : m); ++j) {
        double s = 0;
        for (std::int64_t c = 0; c < width; ++c) s += q.at(i, c) * k.at(j, c);
        sum += weights.emplace_back(std::exp(0.7 * s));
      }
      for (std::size_t j = 0; j < weights.size(); ++j)
        for (std::int64_t c = 0; c < value_width; ++c)
          total += g.at(i, c) * weights[j] / sum * v.at(static_cast<std::int64_t>(j), c);
    }
    return total;
  };
  double by_kernel = 0;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t c = 0; c < value_width; ++c) by_kernel += g.at(i, c) * y.at(i, c);
  CHECK(by_kernel == test::Approx(loss()).epsilon(1e-12));

  rows_of both{std::vector<double>(n * static_cast<std::size_t>(value_width + result_columns)),
               value_width + result_columns};
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t c = 0; c < both.columns; ++c)
      both.at(i, c) = c < value_width ? g.at(i, c) : y.at(i, c - value_width);
  rows_of slopes{std::vector<double>((n + 2 * m) * value_width), value_width};
  a.result = both.operand(), a.target = slopes.operand();
  tl::thrust_kernels::attend_by_rows<double, tl::attention_kind::gradients>(a, executor);
  const auto check = [&](rows_of& x, std::int64_t rows, std::int64_t first) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t c = 0; c < x.columns; ++c) {
        const double kept = x.at(i, c), h = 1e-5;
        x.at(i, c) = kept + h;
        const double above = loss();
        x.at(i, c) = kept - h;
        const double below = loss();
        x.at(i, c) = kept;
        CHECK(std::abs((above - below) / (2 * h) - slopes.at(first + i, c)) < 1e-7);
      }
  };
  check(q, n, 0);
  check(k, m, n);
  check(v, m, n + m);
}
