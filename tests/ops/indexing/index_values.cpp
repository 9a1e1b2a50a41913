// SPDX-License-Identifier: BSL-1.0
// Indices that are slices of one input: each slice has its own bound, and its elements alone are checked.
#include <tapeless/ops/indexing/index_values.hpp>

#include "catch.hpp"

#include <cmath>
#include <vector>

#include <tapeless/expr/input.hpp>
#include <tapeless/expr/outputs.hpp>
#include <tapeless/operations.hpp>
#include <tapeless/optim/rules/sgd.hpp>
#include <tapeless/train/trainer/function.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

template <tl::extent Batch>
struct two_tables {
  constexpr auto operator()() const {
    auto ids = tl::input<"ids", int, Batch, 2>;
    auto user = tl::embedding<"user", 1000, 4>(tl::reshape<Batch>(tl::slice<1, 0, 1>(ids)));
    auto item = tl::embedding<"item", 50, 4>(tl::reshape<Batch>(tl::slice<1, 1, 2>(ids)));
    return tl::outputs(tl::named<"y">(tl::sum<1>(user * item)));
  }
};

/// Each letter of a text predicts the next one.
template <tl::extent Time>
struct shifted_text {
  constexpr auto operator()() const {
    auto text = tl::input<"text", int, 2, Time>;
    auto letter = tl::embedding<"letter", 10, 8>(tl::slice<1, 0, -1>(text));
    return tl::cross_entropy<tl::loss{.ignore_index = -100}>(tl::linear<"out", 10>(letter),
                                                             tl::slice<1, 1, tl::to_end>(text));
  }
};

template <class Model>
void check_tables(Model model) {
  tl::function f{model};
  const auto ids = [](int a, int b, int c, int d) { return std::vector<int>{a, b, c, d}; };
  const auto r = f("ids"_t = ids(700, 3, 12, 49));
  CHECK(std::isfinite(r.template get<"y">()[0]));
  CHECK_THROWS_WITH(f("ids"_t = ids(700, 3, 12, 50)),
                    test::contains("holds 50 at position 3; as an index it must be from 0 to 49"));
  CHECK_THROWS_WITH(f("ids"_t = ids(700, 3, 1000, 49)),
                    test::contains("holds 1000 at position 2; as an index it must be from 0 to 999"));
}

template <class Model>
void check_text(Model model) {
  tl::trainer net{model, tl::sgd({})};
  const auto step = [&](const std::vector<int>& text) { return net.step("text"_t = text).loss(); };
  CHECK(std::isfinite(step({1, 2, 3, 4, -100, 5, 6, 7, 8, 9})));
  CHECK_THROWS_WITH(step({1, 2, 3, -100, 4, 5, 6, 7, 8, 9}), test::contains("holds -100 at position 3"));
  CHECK_THROWS_WITH(step({1, 2, 3, 4, 10, 5, 6, 7, 8, 9}), test::contains("holds 10 at position 4"));
}

}  // namespace

TEST_CASE("columns of one input are indices into different tables") {
  check_tables(two_tables<2>{});
  check_tables(two_tables<tl::dyn<"batch">>{});
}

TEST_CASE("a number that one slice ignores is refused in another slice of the same input") {
  check_text(shifted_text<5>{});
  check_text(shifted_text<tl::dyn<"time">>{});
}
