// SPDX-License-Identifier: BSL-1.0
// Results of functions: any number at once, in memory that they hold and that is used again after them.
#include <tapeless/tapeless.hpp>

#include <memory>
#include <thread>

#include "catch.hpp"
#include "policies.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  return tl::outputs(tl::sum(x), tl::named<"double">(2_c * x), tl::named<"rows">(tl::sum<1>(x)),
                     tl::named<"x">(x));
};

std::vector<float> row(float a, float b) { return {a, b}; }

}  // namespace

TEST_CASE("two results of one function live at the same time") {
  test::on_each_policy([]<class Policy>() {
    const tl::function f{model, Policy{}};
    const auto first = f("x"_t = row(1, 2)), second = f("x"_t = row(3, 4));
    const auto third = f("x"_t = row(5, 6)).template get<"double">();
    CHECK((first.loss() == 3 && second.loss() == 7));
    CHECK((first.template get<"double">()[1] == 4 && second.template get<"double">()[1] == 8));
    CHECK((third[0] == 10 && third[1] == 12));
    CHECK((first.template get<"x">()[0] == 1 && second.template get<"rows">()[0] == 7));
  });
}

TEST_CASE("a result outlives its function, and copies of a view hold it") {
  auto f = std::make_unique<tl::function<decltype(model)>>(model);
  const std::vector<float> many(40, 0.5f);
  auto y = (*f)("x"_t = many).get<"double">();
  const auto copy = y;
  y = (*f)("x"_t = row(7, 8)).get<"double">();
  f.reset();
  CHECK((copy.size() == 40 && copy[39] == 1));
  CHECK((y.size() == 2 && y[1] == 16 && y.shape()[0] == 1));
  y = copy;
  CHECK(y[0] == 1);
}

TEST_CASE("a result goes back into its function, and into others in other threads") {
  test::on_each_policy([]<class Policy>() {
    const tl::function f{model, Policy{}};
    auto y = f("x"_t = row(1, 2)).template get<"double">();
    for (int k = 0; k < 10; ++k) y = f("x"_t = y).template get<"double">();
    CHECK((y[0] == 2048 && y[1] == 4096));
    float there = 0;
    std::thread([&, y] { there = f("x"_t = y).loss(); }).join();
    CHECK(there == 6144);
  });
}

TEST_CASE("a plain view of a result is outdated once its memory is used again") {
  const tl::function f{model};
  const tl::tensor_view<const float> y = f("x"_t = row(1, 2)).get<"double">();
  CHECK(y[1] == 4);
  const auto next = f("x"_t = row(3, 4));
  CHECK_THROWS_WITH(y[1], contains("an outdated result is read"));
  const auto held = next.get<"double">();
  const tl::tensor_view<const float> of_held = held;
  f("x"_t = row(5, 6));
  f("x"_t = row(5, 6));
  CHECK(of_held[1] == 8);
}

TEST_CASE("a call that is refused leaves results as they are, and the function too") {
  const tl::function f{model};
  const auto y = f("x"_t = row(1, 2)).get<"double">();
  CHECK_THROWS_AS(f("x"_t = std::vector<float>(5)), tl::error);
  CHECK_THROWS_AS(f("x"_t = tl::bound_elements{}), tl::error);
  CHECK(y[1] == 4);
  CHECK(f("x"_t = y).get<"double">()[1] == 8);
}

TEST_CASE("a result without elements") {
  const tl::function f{model};
  const auto y = f("x"_t = std::vector<float>()).get<"double">();
  CHECK((y.size() == 0 && y.shape()[0] == 0));
  CHECK(f("x"_t = std::vector<float>()).loss() == 0);
}
