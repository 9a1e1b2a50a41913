// SPDX-License-Identifier: BSL-1.0
// Run-time extents from names, shapes, counts, and from one another. What is said of wrong ones is in
// binding.cpp.
#include "catch.hpp"

#include <array>
#include <cstdint>
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/program/graph_builders.hpp>

namespace tl = tapeless;

namespace {

struct model {
  constexpr auto operator()() const {
    constexpr auto rows = tl::dyn<"rows">, columns = tl::dyn<"columns">, depth = tl::dyn<"depth">;
    auto a = tl::input<"a", float, rows, columns>;
    auto b = tl::input<"b", float, columns, depth>;
    auto c = tl::input<"c", float, depth>;
    return tl::outputs(tl::named<"y">(tl::matmul(tl::matmul(a, b), c)));
  }
};

struct model_of_numbers {
  constexpr auto operator()() const {
    constexpr auto rows = tl::dyn<"rows">, times = tl::dyn<"times">;
    const auto step = [](auto h, auto) { return h + h; };
    auto doubled = tl::scan(step, tl::input<"a", float, 3>, tl::iota<std::int32_t, times>());
    return tl::outputs(tl::named<"y">(doubled * tl::size<0>(tl::input<"x", float, rows, 4>)));
  }
};

// The plan's inputs, by the graph's order, as a, b, c.
struct found {
  tl::plan_view plan = tl::checked_plan_of<tl::forward_graph_builder<model>>();
  tl::run_time_extents extents{plan};
  std::array<tl::bound_elements, 3> inputs{};

  tl::bound_elements& input(std::string_view label) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (tl::input_node(plan, i).label->view() == label) return inputs[i];
    FAIL("no input " << label);
    return inputs[0];
  }
  void count(std::string_view label, std::int64_t elements) {
    input(label) = {};
    input(label).given = true;
    input(label).count = elements;
  }
  void shape(std::string_view label, std::vector<std::int64_t> extents_of_it) {
    count(label, 1);
    tl::bound_elements& e = input(label);
    e.rank = static_cast<int>(extents_of_it.size());
    for (std::size_t d = 0; d < extents_of_it.size(); ++d) {
      e.shape[d] = extents_of_it[d];
      e.count *= extents_of_it[d];
    }
  }

  void find(const std::vector<tl::bound_extent>& bound = {}) {
    extents.find(inputs, {bound.data(), bound.size()});
  }
  std::int64_t operator[](std::string_view symbol) const {
    for (std::size_t k = 0; k < plan.extents.size(); ++k)
      if (plan.extents[k].kind == tl::extent_kind::symbol && plan.extents[k].symbol->view() == symbol)
        return extents[k];
    return -2;
  }
  bool is(std::int64_t rows, std::int64_t columns, std::int64_t depth) const {
    return (*this)["rows"] == rows && (*this)["columns"] == columns && (*this)["depth"] == depth;
  }
};

}  // namespace

TEST_CASE("counts alone are enough where each that is found leaves another input one unknown") {
  found f;
  f.count("a", 12);
  f.count("b", 6);
  f.count("c", 2);
  f.find();
  CHECK(f.is(4, 3, 2));

  f.count("c", 3);  // again, with nothing left over from before
  f.find();
  CHECK(f.is(6, 2, 3));
}

TEST_CASE("a shape or a name in the middle tells the others") {
  found f;
  f.count("a", 12);
  f.shape("b", {3, 5});
  f.count("c", 5);
  f.find();
  CHECK(f.is(4, 3, 5));

  f.count("b", 8);
  f.count("c", 2);
  f.find({{&tl::interned<"columns">, 4, nullptr}});
  CHECK(f.is(3, 4, 2));
}

TEST_CASE("extents that are empty, or that no input of this program has") {
  found f;
  f.shape("a", {0, 3});
  f.shape("b", {3, 2});
  f.shape("c", {2});
  f.find({{&tl::interned<"of another program">, 7, nullptr}});
  CHECK(f.is(0, 3, 2));
}

TEST_CASE("what an input that is not needed has must agree with the others") {
  found f;
  f.count("a", 12);
  f.count("b", 6);
  f.count("c", 2);
  CHECK_NOTHROW(f.find({{&tl::interned<"rows">, 4, &tl::interned<"label">}}));
  CHECK_THROWS_WITH(f.find({{&tl::interned<"rows">, 5, &tl::interned<"label">}}),
                    "tapeless: input \"label\" has 5 along \"rows\", which is 4");
}

TEST_CASE("counts that fit nothing are refused by the input's name") {
  found f;
  f.count("a", 12);
  f.count("b", 7);
  f.count("c", 2);
  CHECK_THROWS_WITH(f.find(),
                    test::contains("input \"b\" expects the shape [columns, depth = 2], but got 7"));
  f.count("b", 6);
  f.count("a", 13);
  CHECK_THROWS_WITH(f.find(),
                    test::contains("input \"a\" expects the shape [rows, columns = 3], but got 13"));
}

TEST_CASE("extents that are a number or a count, and in no shape, are missing where nothing tells them") {
  const tl::plan_view plan = tl::checked_plan_of<tl::ready<tl::forward_graph_builder<model_of_numbers>>>();
  tl::run_time_extents extents(plan);
  tl::bound_elements a;
  a.given = true;
  a.count = 3;
  const std::vector<tl::bound_extent> rows{{&tl::interned<"rows">, 4, &tl::interned<"x">}};
  CHECK_THROWS_WITH(extents.find({&a, 1}, {}), test::contains("the run-time extents \"times\", \"rows\" "
                                                              "cannot be found"));
  CHECK_THROWS_WITH(extents.find({&a, 1}, {rows.data(), 1}),
                    test::contains("the run-time extent \"times\" cannot be found"));
}
