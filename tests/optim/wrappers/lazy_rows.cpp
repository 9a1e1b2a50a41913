// SPDX-License-Identifier: BSL-1.0
// lazy_rows: rows that a step names change as by the whole table's rule; no other row does, nor its states.
#include "catch.hpp"
#include "policies.hpp"
#include "program.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <tapeless/bare.hpp>
#include <tapeless/ops/indexing/embedding.hpp>
#include <tapeless/ops/indexing/index_select.hpp>
#include <tapeless/ops/loss/mse_loss.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/averaged_weights.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace {

constexpr std::size_t rows = 7, width = 3;

// Two lookups in one table, one in a table of numbers, and a weight that is none.
template <class T>
struct model {
  constexpr auto operator()() const {
    auto words = tl::input<"words", std::int32_t, tl::dyn<"batch">, 2>;
    auto other = tl::input<"other", std::int64_t, tl::dyn<"batch">>;
    auto target = tl::input<"target", T, tl::dyn<"batch">, width>;
    auto table = tl::param<"table", T, rows, width>(tl::normal(1));
    auto bias = tl::param<"bias", T, rows>(tl::normal(1));
    auto weight = tl::param<"weight", T, width, width>(tl::normal(1));
    auto sum = tl::sum<1>(tl::embedding(table, words)) * tl::embedding(table, other);
    auto y = tl::matmul(sum, weight) + tl::reshape<-1, 1>(tl::gather<0>(bias, other));
    return tl::mean(tl::square(y - target));
  }
};

template <class T>
struct batch {
  std::vector<std::int32_t> words;
  std::vector<std::int64_t> other;
  std::vector<T> target;

  bool names(std::size_t row) const {
    return std::ranges::count(words, static_cast<std::int32_t>(row)) > 0 ||
           std::ranges::count(other, static_cast<std::int64_t>(row)) > 0;
  }
};

// Of rows below 5; some are named several times.
template <class T>
batch<T> next_batch(test::numbers& random, std::size_t size) {
  batch<T> b;
  const auto row = [&] { return static_cast<int>((random() + 1) * 2.4); };
  for (std::size_t i = 0; i < size; ++i) {
    b.words.push_back(row());
    b.words.push_back(row());
    b.other.push_back(row());
  }
  b.target = random.vector<T>(size * width);
  return b;
}

template <class Net, class T>
void step(Net& net, const batch<T>& b) {
  net.step("words"_t = b.words, "other"_t = b.other, "target"_t = b.target);
}

template <class View>
auto copied(const View& view) {
  return std::vector(view.begin(), view.end());
}

template <class Model, class Index>
void compare_lookups(Model lookups, const std::vector<Index>& index) {
  const auto sgd = tl::sgd({.learning_rate = 0.1});
  tl::trainer lazy{lookups, tl::lazy_rows(sgd)};
  tl::trainer whole{lookups, sgd};
  for (int t = 0; t < 3; ++t) {
    lazy.step("index"_t = index);
    whole.step("index"_t = index);
  }
  CHECK(copied(lazy.template parameter<"table">()) == copied(whole.template parameter<"table">()));
}

}  // namespace

TEST_CASE("rules for which no gradient changes nothing come to the same bits") {
  test::on_each_policy([]<class Policy>() {
    const auto compare = []<class T>(T, const auto& rule, const auto& lazy_rule) {
      tl::trainer lazy{model<T>{}, lazy_rule, Policy{}};
      tl::trainer whole{model<T>{}, rule, Policy{}};
      test::numbers random(3);
      for (const std::size_t size : {4u, 1u, 9u, 4u, 30u}) {
        const auto b = next_batch<T>(random, size);
        step(lazy, b);
        step(whole, b);
        CHECK(copied(lazy.template parameter<"table">()) == copied(whole.template parameter<"table">()));
        CHECK(copied(lazy.template parameter<"bias">()) == copied(whole.template parameter<"bias">()));
        CHECK(copied(lazy.template parameter<"weight">()) == copied(whole.template parameter<"weight">()));
      }
    };
    const auto sgd = tl::sgd({.learning_rate = 0.1});
    const auto adagrad = tl::adagrad({.learning_rate = 0.1});
    compare(0.0f, sgd, tl::lazy_rows(sgd));
    compare(0.0, adagrad, tl::lazy_rows(adagrad));
    compare(0.0f, tl::mixed_precision<tl::bf16>(sgd), tl::mixed_precision<tl::bf16>(tl::lazy_rows(sgd)));
    compare(0.0, tl::lookahead(sgd), tl::lookahead(tl::lazy_rows(sgd)));
    compare(0.0, tl::partition(tl::for_parameters(tl::names_like<"b*">, sgd), adagrad),
            tl::lazy_rows(tl::partition(tl::for_parameters(tl::names_like<"b*">, sgd), adagrad)));
  });
}

TEST_CASE("lookups by bytes, of rows with axes of their own, and in what is made of a table") {
  compare_lookups(
      [] {
        auto table = tl::param<"table", double, 9, 1>(tl::normal(1));
        return tl::sum(tl::square(tl::embedding(table, tl::input<"index", std::uint8_t, 5>)));
      },
      std::vector<std::uint8_t>{0, 3, 3, 8, 0});
  compare_lookups(
      [] {
        auto table = tl::param<"table", double, 6, 2, 3>(tl::normal(1));
        return tl::sum(tl::square(tl::index_select<0>(table, tl::input<"index", std::int32_t, 5>)));
      },
      std::vector<std::int32_t>{0, 3, 3, 5, 0});
  compare_lookups(
      [] {
        auto table = tl::param<"table", double, 9, 3>(tl::normal(1));
        auto index = tl::input<"index", std::int32_t, 5>;
        return tl::sum(tl::square(tl::embedding(table * 2_c, index))) + tl::sum(tl::embedding(-table, index));
      },
      std::vector<std::int32_t>{0, 3, 3, 8, 0});
}

TEST_CASE("eager updates of rows agree with deferred ones") {
  const auto rule = tl::lazy_rows(tl::adam({.learning_rate = 0.1}));
  tl::trainer eager{model<float>{}, rule, tl::cpu{}, tl::eager_updates};
  tl::trainer deferred{model<float>{}, rule, tl::cpu{}};
  test::numbers random(6);
  for (int t = 0; t < 4; ++t) {
    const auto b = next_batch<float>(random, 5);
    step(eager, b);
    step(deferred, b);
    CHECK(copied(eager.parameter<"table">()) == copied(deferred.parameter<"table">()));
    CHECK(copied(eager.parameter<"bias">()) == copied(deferred.parameter<"bias">()));
  }
}

TEST_CASE("norms of whole gradients count each row once") {
  const auto rule = tl::chain(tl::clip_by_global_norm(0.01), tl::sgd({.learning_rate = 1}));
  tl::trainer lazy{model<double>{}, tl::lazy_rows(rule)};
  tl::trainer whole{model<double>{}, rule};
  test::numbers random(4);
  for (int t = 0; t < 5; ++t) {
    const auto b = next_batch<double>(random, 6);
    step(lazy, b);
    step(whole, b);
    const auto found = lazy.parameter<"table">(), expected = whole.parameter<"table">();
    for (std::size_t i = 0; i < rows * width; ++i) CHECK(found[i] == test::Approx(expected[i]));
  }
}

TEST_CASE("adam of the rows that a step names, against plain loops") {
  constexpr auto linear = [] {
    return tl::sum(tl::embedding<"words", rows, width, double>(tl::input<"index", std::int32_t, 4>) *
                   tl::input<"g", double, 4, width>);
  };
  const auto compare = [&]<class Policy>() {
    tl::trainer net{linear, tl::lazy_rows(tl::adam({.learning_rate = 0.1})), Policy{}};
    std::vector<double> p(rows * width), mu(rows * width), nu(rows * width);
    for (std::size_t i = 0; i < rows * width; ++i) p[i] = net.template parameter<"words.weight">()[i];
    test::numbers random(5);
    for (int t = 1; t <= 6; ++t) {
      const std::array<std::int32_t, 4> index = {t % 3, 4, t % 3, 5 - t % 2};
      std::array<double, 4 * width> g;
      for (double& x : g) x = random();
      net.step("index"_t = index, "g"_t = g);
      for (std::size_t row = 0; row < rows; ++row) {
        if (std::ranges::count(index, static_cast<std::int32_t>(row)) == 0) continue;
        for (std::size_t j = 0; j < width; ++j) {
          double sum = 0;
          for (std::size_t i = 0; i < 4; ++i)
            if (index[i] == static_cast<std::int32_t>(row)) sum += g[i * width + j];
          const std::size_t at = row * width + j;
          mu[at] = 0.9 * mu[at] + 0.1 * sum;
          nu[at] = 0.999 * nu[at] + 0.001 * sum * sum;
          const double m = mu[at] / (1 - std::pow(0.9, t)), v = nu[at] / (1 - std::pow(0.999, t));
          p[at] -= 0.1 * m / (std::sqrt(v) + 1e-8);
        }
      }
      const auto found = net.template parameter<"words.weight">();
      for (std::size_t i = 0; i < rows * width; ++i) CHECK(found[i] == test::Approx(p[i]));
      if constexpr (requires { net.template state<"adam.nu", "words.weight">(); }) {
        const auto moment = net.template state<"adam.nu", "words.weight">();
        for (std::size_t i = 0; i < rows * width; ++i) CHECK(moment[i] == test::Approx(nu[i]));
      }
    }
  };
  test::on_each_policy(compare);
  compare.template operator()<tl::bare>();
}

namespace {

constexpr auto two_rows = [] {
  auto table = tl::param<"table", double, rows, 2>(tl::fill(0.5));
  auto g = tl::input<"g", double, tl::dyn<"batch">, 2>;
  return tl::sum(tl::embedding(table, tl::input<"index", std::int32_t, tl::dyn<"batch">>) * g);
};
constexpr std::size_t late = 2;  // the first step that names the second row, counted from 0

// Row 3 is named in all of 5 steps, and row 1 from the third on.
template <class Net>
void name_one_row_late(Net& net, const std::vector<double>& early_g, const std::vector<double>& late_g) {
  for (std::size_t t = 0; t < 5; ++t) {
    const std::size_t named = t < late ? 1 : 2;
    std::vector<std::int32_t> index{3, 1};
    std::vector<double> g{early_g[2 * t], early_g[2 * t + 1]};
    if (t >= late) g.insert(g.end(), {late_g[2 * t], late_g[2 * t + 1]});
    index.resize(named);
    net.step("index"_t = index, "g"_t = g);
  }
}

}  // namespace

TEST_CASE("a row that is first named later starts as one of the first step does") {
  test::numbers random(7);
  const std::vector<double> g = random.vector<double>(10);
  std::vector<double> delayed(2 * late);
  delayed.insert(delayed.end(), g.begin(), g.end() - 2 * late);
  const auto starts_late = [&](auto rule) {
    tl::trainer net{two_rows, tl::lazy_rows(rule)}, shorter{two_rows, tl::lazy_rows(rule)};
    name_one_row_late(net, g, delayed);
    for (std::size_t t = 0; t < 5 - late; ++t) {
      const std::vector<double> now{g[2 * t], g[2 * t + 1]};
      shorter.step("index"_t = std::vector<std::int32_t>{1}, "g"_t = now);
    }
    for (std::size_t i = 2; i < 4; ++i)
      CHECK(net.template parameter<"table">()[i] == shorter.template parameter<"table">()[i]);
  };
  starts_late(tl::adagrad({.learning_rate = 0.1, .initial_accumulator = 1}));
  starts_late(tl::rprop({}));
  starts_late(tl::yogi({.initial_accumulator = 1}));
  starts_late(tl::sgd({.learning_rate = 0.1, .momentum = 0.9, .dampening = 0.5}));
  starts_late(tl::adan({.debias = false}));
  starts_late(tl::chain(tl::trace({.decay = 0.9, .dampening = 0.5}),
                        tl::scale_by_adagrad({.initial_accumulator = 1}), tl::scale_by_learning_rate(0.1)));
}

TEST_CASE("averages of a row that is first named later start from it") {
  test::on_each_policy([]<class Policy>() {
    test::numbers random(8);
    const std::vector<double> early_g = random.vector<double>(10), late_g = random.vector<double>(10);
    const auto agrees = [&](const auto& rule) {
      tl::trainer lazy{two_rows, tl::lazy_rows(rule), Policy{}};
      tl::trainer whole{two_rows, rule, Policy{}};
      name_one_row_late(lazy, early_g, late_g);
      name_one_row_late(whole, early_g, late_g);
      for (const std::size_t i : {2u, 3u, 6u, 7u})
        CHECK(lazy.template parameter<"table">()[i] == test::Approx(whole.template parameter<"table">()[i]));
    };
    agrees(tl::schedule_free_sgd({.learning_rate = 0.1}));
    agrees(tl::adagrad({.learning_rate = 0.1, .initial_accumulator = 1}));
    tl::trainer averaged{two_rows, tl::lazy_rows(tl::asgd({.lambda = 0, .start = 0})), Policy{}};
    averaged.step("index"_t = std::vector<std::int32_t>{3}, "g"_t = std::vector<double>{1, 1});
    averaged.step("index"_t = std::vector<std::int32_t>{3}, "g"_t = std::vector<double>{1, 1});
    averaged.step("index"_t = std::vector<std::int32_t>{1}, "g"_t = std::vector<double>{1, 1});
    const auto average = averaged.template state<"asgd.average", "table">();
    CHECK(average[2] == test::Approx(averaged.template parameter<"table">()[2]));
  });
}

TEST_CASE("averages that the rule keeps are of whole tables and of other parameters") {
  test::on_each_policy([]<class Policy>() {
    constexpr auto table_and_weight = [] {
      auto w = tl::param<"w", double, 2>(tl::fill(0.25));
      return two_rows() + tl::sum(tl::square(w)) + tl::sum(tl::param<"s", double>(tl::fill(0.5)));
    };
    const auto agrees = [&](const auto& rule, const auto& lazy_rule) {
      tl::trainer lazy{table_and_weight, lazy_rule, Policy{}};
      tl::trainer whole{table_and_weight, rule, Policy{}};
      test::numbers random(9);
      for (int t = 0; t < 4; ++t) {
        std::vector<std::int32_t> index{6, 2, 0, 3, 4, 5, 2};  // all but row 1
        const std::vector<double> g = random.vector<double>(14);
        lazy.step("index"_t = index, "g"_t = g);
        whole.step("index"_t = index, "g"_t = g);
      }
      const auto before = copied(lazy.template parameter<"table">());
      const auto mine = lazy.averaged_weights();
      const auto expected = whole.averaged_weights();
      const auto found = copied(lazy.template parameter<"table">());
      CHECK(found == copied(whole.template parameter<"table">()));
      CHECK(found != before);
      CHECK(found[2] == 0.5);
      CHECK(copied(lazy.template parameter<"w">()) == copied(whole.template parameter<"w">()));
      CHECK(copied(lazy.template parameter<"s">()) == copied(whole.template parameter<"s">()));
    };
    const auto free = tl::schedule_free_sgd({.learning_rate = 0.1});
    const auto asgd = tl::asgd({.learning_rate = 0.1, .lambda = 0, .start = 0});
    agrees(free, tl::lazy_rows(free));
    agrees(asgd, tl::lazy_rows(asgd));
    agrees(tl::freezable(asgd), tl::skip_nonfinite(tl::freezable(tl::lazy_rows(asgd))));
    agrees(tl::partition(tl::for_parameters(tl::names_like<"table">, free), tl::sgd({})),
           tl::lazy_rows(tl::partition(tl::for_parameters(tl::names_like<"table">, free), tl::sgd({}))));
  });
}

TEST_CASE("a step takes no memory of the table's size") {
  constexpr std::int64_t many = 100'000;
  constexpr auto lookup = [] {
    return tl::sum(tl::square(tl::embedding<"words", many, 64>(tl::input<"index", std::int32_t, 8>)));
  };
  using trainer = decltype(tl::trainer{lookup, tl::lazy_rows(tl::adam({}))});
  constexpr tl::memory_plan plan = trainer::plan();
  STATIC_REQUIRE(plan.peak - plan.parameters - plan.optimizer <
                 many * 4 + (1 << 16));  // an integer for each row
}
