// SPDX-License-Identifier: BSL-1.0
// Products within sums are rounded alike by straight-line code and by tables of kernels: once where the
// machine has an instruction for a b + c. Compiled for this machine, too.
#include <tapeless/run/common/products_in_sums.hpp>

#include <tapeless/operations.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <cstddef>
#include <vector>

#include "catch.hpp"
#include "run/cpu/straight_line/same_bits.hpp"

namespace {

namespace tl = tapeless;
using namespace tl::literals;

// Sums of products of each kind, of all of a vector and of a rest; some are read twice, some summed up.
template <class T, tl::extent Rows>
constexpr auto sums_of_products = [] {
  auto a = tl::input<"a", T, Rows, 21>;
  auto b = tl::input<"b", T, Rows, 21>;
  auto c = tl::input<"c", T, 21>;
  auto shared = a * b;
  auto both = a * b - b * c;
  auto read_twice = (shared + c) / (shared - c);
  auto polynomial = ((a * 0.3_c + 0.7_c) * a - 1.1_c) * a + b;
  return tl::outputs(tl::named<"add">(a * b + c), tl::named<"add_left">(c + tl::square(a)),
                     tl::named<"subtract">(a * b - c), tl::named<"subtract_from">(c - a * b),
                     tl::named<"both">(both), tl::named<"read_twice">(read_twice),
                     tl::named<"polynomial">(polynomial), tl::named<"rows">(tl::sum<1>(a * b)),
                     tl::named<"columns">(tl::sum<0>(tl::square(a) + a * b)),
                     tl::named<"scaled">(tl::gelu(a * b + c) * 0.5_c + tl::sigmoid(c - a * b)));
};

template <class T>
void check_sums_of_products() {
  for (const test::operand_kind kind :
       {test::operand_kind::usual, test::operand_kind::extreme, test::operand_kind::tiny}) {
    const auto a = test::some_numbers<T>(63, 1, kind), b = test::some_numbers<T>(63, 2, kind),
               c = test::some_numbers<T>(21, 3, kind);
    test::check_same_bits<"add", "add_left", "subtract", "subtract_from", "both", "read_twice", "polynomial",
                          "rows", "columns", "scaled">(
        sums_of_products<T, 3>, sums_of_products<T, tl::dyn<"rows">>, "a"_t = a, "b"_t = b, "c"_t = c);
  }
}

// Products that one kernel computes, and others subtract from: they may be in registers between these.
template <tl::extent Rows>
constexpr auto centered = [] {
  auto a = tl::input<"a", float, Rows, 16>;
  auto b = tl::input<"b", float, Rows, 16>;
  auto product = tl::exp(a) * b;
  auto shifted = product - tl::mean<1>(product, tl::keep_dims);
  return tl::outputs(tl::named<"shifted">(shifted), tl::named<"size">(tl::sum(tl::square(shifted))));
};

constexpr auto layers = [] {
  auto x = tl::input<"x", float, 5, 7>;
  auto y = tl::input<"y", float, 5, 3>;
  auto h = tl::layer_norm<"norm">(tl::gelu(tl::linear<"a", 19>(x)));
  return tl::outputs(tl::mse_loss(tl::linear<"b", 3>(tl::silu(h)), y));
};
constexpr auto sequence = [] {
  auto x = tl::input<"x", float, 6, 2, 3>;
  auto y = tl::input<"y", float, 2, 5>;
  auto [h, last_h, last_c] = tl::lstm<"lstm", 5>(x);
  return tl::outputs(tl::mse_loss(tl::at<-1>(h), y));
};

template <class Model, class Rule>
void check_same_training(const char* name, Model model, Rule rule, std::size_t inputs, std::size_t targets) {
  tl::trainer line{model, rule, tl::cpu{.threads = 1}, 5};
  tl::trainer tables{model, rule, tl::cpu_by_tables{.threads = 1}, 5};
  using program = typename decltype(line)::step_program;
  STATIC_REQUIRE(tl::cpu::in_line<program>::count > 0);
  const auto x = test::some_numbers<float>(inputs, 1, test::operand_kind::usual),
             y = test::some_numbers<float>(targets, 2, test::operand_kind::usual);
  for (int step = 0; step < 5; ++step) {
    INFO(name << ", step " << step);
    const float loss = line.step("x"_t = x, "y"_t = y).loss(),
                other = tables.step("x"_t = x, "y"_t = y).loss();
    REQUIRE(test::bits_of(loss) == test::bits_of(other));
  }
}

}  // namespace

TEST_CASE("sums of products have the bits of tables") {
  check_sums_of_products<float>();
  check_sums_of_products<double>();
}

TEST_CASE("a product is rounded before another kernel reads it") {
  const auto a = test::some_numbers<float>(16, 1, test::operand_kind::usual),
             b = test::some_numbers<float>(16, 2, test::operand_kind::usual);
  test::check_same_bits<"shifted", "size">(centered<1>, centered<tl::dyn<"rows">>, "a"_t = a, "b"_t = b);
}

TEST_CASE("rules and layers have the bits of tables, whatever is a product in a sum there") {
  check_same_training("adamw", layers, tl::adamw({.learning_rate = 1e-2f}), 35, 15);
  check_same_training("sgd", layers, tl::sgd({.learning_rate = 1e-2f, .momentum = 0.9f}), 35, 15);
  check_same_training("rmsprop", sequence, tl::rmsprop({.learning_rate = 1e-3f}), 36, 10);
}

// Of a product that is rounded only with its sum the rounding error remains: a a - 1 is 2 e + e^2 there.
TEST_CASE("a sum of a product is rounded as often as multiply_add rounds it") {
  constexpr auto model = [] {
    auto a = tl::input<"a", float, 16>;
    return tl::outputs(tl::named<"y">(tl::square(a) - 1.0_c), tl::named<"z">(1.0_c - a * a));
  };
  const float e = 0x1p-13f;
  const std::vector<float> a(16, 1 + e);
  const float once = 0x1p-12f + 0x1p-26f, twice = 0x1p-12f;
  const float wanted = tl::cpu_kernels::has_multiply_add ? once : twice;
  const auto check = [&](const auto& f) {
    const auto r = f("a"_t = a);
    CHECK(r.template get<"y">()[3] == wanted);
    CHECK(r.template get<"z">()[3] == -wanted);
  };
  check(tl::function{model, tl::cpu{}});
  check(tl::function{model, tl::cpu_by_tables{}});
}
