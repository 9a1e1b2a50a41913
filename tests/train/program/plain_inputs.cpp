// SPDX-License-Identifier: BSL-1.0
// What needs no sorting, and that nothing else is taken for it.
#include <tapeless/train/program/plain_inputs.hpp>

#include <tapeless/optim/optim.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include <Eigen/Core>
#include <array>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  auto word = tl::input<"word", std::int32_t, 2>;
  auto w = tl::param<"w", float, 3, 4>(tl::normal(1.0));
  auto p = tl::matmul(x, w);
  return tl::outputs(tl::cross_entropy(p, word), tl::named<"p">(p), tl::named<"next">(tl::tanh(x)));
};
auto new_trainer() { return tl::trainer{model, tl::sgd({.learning_rate = 0.1f}), tl::straight_line{}}; }
using program = decltype(new_trainer())::step_program;

constexpr std::array<float, 6> x{0.1f, -0.2f, 0.3f, 0.4f, -0.5f, 0.6f};
constexpr std::array<std::int32_t, 2> word{1, 3};

template <class X, class Word>
bool are_plain(const X& some_x, const Word& some_word) {
  return tl::detail::plain_inputs<program>("x"_t = some_x, "word"_t = some_word).are_plain();
}

}  // namespace

TEST_CASE("contiguous elements of the right count, type and range are plain") {
  using matrix = Eigen::Matrix<float, 2, 3, Eigen::RowMajor>;
  CHECK(are_plain(x, word));
  CHECK(are_plain(std::vector<float>(6), word));
  CHECK(are_plain(matrix(matrix::Zero()), word));
  CHECK_FALSE(are_plain(std::vector<float>(5), word));
  CHECK_FALSE(are_plain(std::vector<float>(), word));
  CHECK_FALSE(are_plain(Eigen::Matrix<float, 2, 3>(matrix::Zero()), word));         // by column
  CHECK_FALSE(are_plain(Eigen::Matrix<float, 3, 2, Eigen::RowMajor>(3, 2), word));  // another shape
  CHECK_FALSE(are_plain(Eigen::Matrix<float, 4, 3, Eigen::RowMajor>().topRows<1>(), word));
  CHECK_FALSE(are_plain(x, std::array<std::int32_t, 2>{1, 4}));
  CHECK_FALSE(are_plain(x, std::array<std::int32_t, 2>{-1, 3}));
}

TEST_CASE("bytes are those of the inputs, and places are where they are") {
  const tl::detail::plain_inputs<program> in("word"_t = word, "x"_t = x);
  REQUIRE(in.count == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    const bool is_x = in.data[i] == reinterpret_cast<const std::byte*>(x.data());
    CHECK(in.bytes<>[i] == (is_x ? sizeof x : sizeof word));
    CHECK((is_x || in.data[i] == reinterpret_cast<const std::byte*>(word.data())));
  }
}

TEST_CASE("copies of plain inputs are the same, and inputs say whether some code takes them") {
  using inputs = tl::detail::plain_inputs<program>;
  const inputs in("word"_t = word, "x"_t = x);
  const inputs copy(std::to_array(in.data), std::to_array(in.are_plain_for));
  CHECK(std::to_array(copy.data) == std::to_array(in.data));
  CHECK((copy.are_plain() && copy.are_plain_for_some()));
  const inputs other("word"_t = word, "x"_t = std::vector<float>(5));
  CHECK_FALSE(other.are_plain_for_some());
  CHECK_FALSE(inputs(std::to_array(other.data), std::to_array(other.are_plain_for)).are_plain());
}

TEST_CASE("steps on what is not plain are the same, and errors leave no trace") {
  auto net = new_trainer(), usual = new_trainer();
  const Eigen::Matrix<float, 2, 3> by_column =
      Eigen::Map<const Eigen::Matrix<float, 2, 3, Eigen::RowMajor>>(x.data());
  for (int step = 0; step < 4; ++step) {
    const float loss = usual.step("x"_t = x, "word"_t = word).loss();
    if (step % 2 == 0) {
      CHECK(net.step("x"_t = x, "word"_t = word).loss() == loss);
    } else {
      CHECK(net.step("x"_t = by_column, "word"_t = word).loss() == loss);
    }
    CHECK_THROWS_AS(net.step("x"_t = std::vector<float>(5), "word"_t = word), tl::error);
    CHECK_THROWS_AS(net.step("x"_t = x, "word"_t = std::vector<std::int32_t>{0, 4}), tl::error);
  }
  CHECK(net.steps() == 4);
}

TEST_CASE("what a program writes is copied before it is read") {
  auto net = new_trainer(), other = new_trainer();
  std::vector<float> now(x.begin(), x.end());
  net.predict("x"_t = now);
  for (int turn = 0; turn < 3; ++turn) {
    const auto last = net.predict("x"_t = now);
    const auto wanted =
        other.predict("x"_t = std::vector<float>(last.get<"next">().begin(), last.get<"next">().end()));
    const auto fed = net.predict("x"_t = last.get<"next">());
    for (std::size_t i = 0; i < 6; ++i) CHECK(fed.get<"next">()[i] == wanted.get<"next">()[i]);
    now.assign(fed.get<"next">().begin(), fed.get<"next">().end());
  }
}

TEST_CASE("an outdated result is refused") {
  auto net = new_trainer();
  net.step("x"_t = x, "word"_t = word);
  const auto before = net.step("x"_t = x, "word"_t = word);
  net.step("x"_t = x, "word"_t = word);
  CHECK_THROWS_AS(before.loss(), tl::error);
}
