// SPDX-License-Identifier: BSL-1.0
// How losses put samples together, and batches in parts, whose losses and gradients add up to the whole's.
#include <tapeless/train/program/loss_over_samples.hpp>

#include <cmath>
#include <vector>

#include <tapeless/operations.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto x = tl::input<"x", double, batch, 2>;
constexpr auto y = tl::input<"y", int, batch>;
constexpr auto w = tl::input<"w", double, batch>;

constexpr auto logits = [] { return tl::linear<"fc", 3>(x); };
constexpr auto targets = [] { return tl::cast<double>(tl::one_hot<3>(y)); };
constexpr auto class_weights = [] { return tl::stop_gradient(tl::param<"class", double, 3>(tl::fill(2))); };

constexpr auto mean = [] { return tl::cross_entropy(logits(), y); };
constexpr auto batch_mean = [] {
  return tl::mse_loss<tl::loss{.reduce = tl::reduction::batch_mean}>(logits(), targets());
};
constexpr auto penalized = [] {
  const auto z = logits();
  return 0.5_c * tl::cross_entropy(z, y) +
         1e-2_c * tl::sum(tl::square(tl::param<"p", double, 3>(tl::fill(1))));
};
constexpr auto sum = [] {
  return tl::cross_entropy<tl::loss{.reduce = tl::reduction::sum}>(logits(), y) * 0.25_c;
};
constexpr auto weighted = [] { return tl::cross_entropy(logits(), y, tl::sample_weights(w)); };
constexpr auto ignoring = [] { return tl::cross_entropy<tl::loss{.ignore_index = 0}>(logits(), y); };
constexpr auto of_classes = [] { return tl::cross_entropy(logits(), y, class_weights()); };
constexpr auto penalized_weighted = [] {
  const auto z = logits();
  return tl::cross_entropy(z, y, tl::sample_weights(w)) +
         1e-2_c * tl::square(tl::param<"p", double>(tl::fill(1)));
};
constexpr auto masked_by_hand = [] {
  const auto e = tl::square(tl::sum<1>(logits()));
  return tl::sum(e * w) / tl::sum(w);
};
constexpr auto penalized_sum = [] {
  return tl::sum(tl::square(logits())) + tl::square(tl::param<"p", double>(tl::fill(1)));
};
constexpr auto root = [] { return tl::sqrt(tl::mean(tl::square(logits()))); };
constexpr auto learned_weights = [] {
  const auto s = tl::sigmoid(tl::sum<1>(logits()));
  return tl::sum(s * w) / tl::sum(s);
};
constexpr auto two_weighted = [] {
  const auto z = logits();
  return tl::cross_entropy(z, y, tl::sample_weights(w)) +
         tl::cross_entropy<tl::loss{.ignore_index = 0}>(z, y);
};

constexpr auto mean_times_number = [] {
  const auto z = logits();
  return tl::cross_entropy(z, y) * tl::cast<double>(tl::size<0>(z));
};
constexpr auto sum_over_all_elements = [] {
  const auto z = tl::square(logits());
  return 3_c * tl::sum(z) / (2_c * tl::size(z));
};
constexpr auto sum_times_number = [] {
  const auto z = logits();
  return tl::sum(tl::square(z)) * tl::size<0>(z);
};
constexpr auto mean_times_other_number = [] {
  const auto nodes = tl::input<"nodes", double, tl::dyn<"nodes">, 2>;
  return tl::cross_entropy(logits() + tl::mean(nodes), y) * tl::cast<double>(tl::size<0>(nodes));
};
constexpr auto sum_over_one_less = [] {
  const auto z = logits();
  return tl::sum(tl::square(z)) / (tl::size<0>(z) - 1_c);
};
constexpr auto by_own_sum = [] {
  const auto e = tl::square(tl::sum<1>(logits()));
  return tl::sum(e * (w / tl::sum(w)));
};
constexpr auto by_number = [] {
  const auto e = tl::square(tl::sum<1>(logits()));
  return tl::sum(e / tl::size<0>(e));
};
constexpr auto by_column = [] {
  const auto columns = tl::sum<0>(tl::square(logits())) / tl::sum<0>(tl::abs(targets()));
  return tl::mean(columns);
};
constexpr auto with_mask_drawn = [] {
  const auto e = tl::square(tl::sum<1>(logits()));
  const auto mask = tl::bernoulli<"mask">(0.5_c + 0_c * w);
  return tl::sum(e * mask) / tl::sum(mask);
};
constexpr auto normalized = [] { return tl::cross_entropy(tl::batch_norm<"bn">(logits()), y); };
constexpr auto sequence_sums = [] {
  auto sequences = tl::input<"s", double, batch, tl::dyn<"length">>;
  const auto e = tl::square(sequences * tl::param<"p", double>(tl::fill(1)));
  return tl::sum(tl::mean<1>(e));
};
constexpr auto of_eight = [] {  // a run-time extent that counts no samples
  auto sequences = tl::input<"s", double, 8, tl::dyn<"length">>;
  return tl::mean(tl::square(tl::sum<1>(sequences * tl::param<"p", double>(tl::fill(1)))));
};

template <const auto& Model>
constexpr tl::over_samples kind_of = tl::loss_over_samples_of<std::remove_cvref_t<decltype(Model)>>.kind;

static_assert(kind_of<mean> == tl::over_samples::mean);
static_assert(kind_of<batch_mean> == tl::over_samples::mean);
static_assert(kind_of<penalized> == tl::over_samples::mean);
static_assert(kind_of<sum> == tl::over_samples::sum);
static_assert(kind_of<weighted> == tl::over_samples::weighted);
static_assert(kind_of<ignoring> == tl::over_samples::weighted);
static_assert(kind_of<of_classes> == tl::over_samples::weighted);
static_assert(kind_of<penalized_weighted> == tl::over_samples::weighted);
static_assert(kind_of<masked_by_hand> == tl::over_samples::weighted);
static_assert(kind_of<penalized_sum> == tl::over_samples::other);
static_assert(kind_of<root> == tl::over_samples::other);
static_assert(kind_of<learned_weights> == tl::over_samples::other);
static_assert(kind_of<mean_times_number> == tl::over_samples::sum);
static_assert(kind_of<sum_over_all_elements> == tl::over_samples::mean);
static_assert(kind_of<sum_times_number> == tl::over_samples::other);
static_assert(kind_of<mean_times_other_number> == tl::over_samples::other);
static_assert(kind_of<sum_over_one_less> == tl::over_samples::other);
static_assert(kind_of<by_own_sum> == tl::over_samples::other);
static_assert(kind_of<by_number> == tl::over_samples::other);
static_assert(kind_of<by_column> == tl::over_samples::other);
static_assert(kind_of<with_mask_drawn> == tl::over_samples::other);
static_assert(kind_of<normalized> == tl::over_samples::mean);
static_assert(kind_of<sequence_sums> == tl::over_samples::sum);
static_assert(kind_of<of_eight> == tl::over_samples::mean);
static_assert(kind_of<two_weighted> == tl::over_samples::other);

tl::data::dataset samples() {
  std::vector<double> xs, ws;
  std::vector<int> ys;
  for (int i = 0; i < 12; ++i) {
    xs.insert(xs.end(), {std::cos(3.1 * i), std::sin(1.7 * i)});
    ys.push_back(i / 2 % 3);  // two samples of class 0 stand side by side, and fill a part
    ws.push_back(i < 2 ? 0 : 0.5 + i % 4);
  }
  tl::data::dataset all;
  all.add("x", {2}, xs).add("y", {}, ys).add("w", {}, ws);
  return all;
}

struct trained {
  double weight, loss;
};
template <class Model>
trained in_parts(Model model, std::int64_t size) {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 5};
  const auto history =
      tl::fit(net, samples(), {.epochs = 3, .batch = 6, .physical_batch = size, .shuffle = false});
  return {net.template parameter<"fc.weight">()[1], history.back().train["loss"].mean};
}

template <class Model>
void check_parts(Model model) {
  const trained whole = in_parts(model, 6);
  CHECK(std::isfinite(whole.loss));
  for (const std::int64_t size : {1, 2, 4}) {
    const trained parts = in_parts(model, size);
    CHECK(parts.weight == test::Approx(whole.weight).epsilon(1e-12));
    CHECK(parts.loss == test::Approx(whole.loss).epsilon(1e-12));
  }
}

}  // namespace

TEST_CASE("A batch in parts is the whole one, whatever its loss makes of the samples") {
  check_parts(penalized);
  check_parts(sum);
  check_parts(penalized_weighted);
  check_parts(ignoring);
  check_parts(by_number);
  check_parts(mean_times_number);
}

TEST_CASE("A loss is measured over all samples, however they are divided into batches") {
  const auto check = [](auto model) {
    tl::trainer net{model, tl::sgd({.learning_rate = 0.1}), tl::cpu{}, 5};
    const double whole = tl::evaluate(net, samples(), {.batch = 12})["loss"].mean;
    CHECK(std::isfinite(whole));
    for (const std::int64_t size : {1, 2, 5})  // the first two samples have no weight
      CHECK(tl::evaluate(net, samples(), {.batch = size})["loss"].mean == test::Approx(whole).epsilon(1e-12));
    const auto without_steps = [&](std::int64_t batch) {
      tl::trainer still{model, tl::sgd({.learning_rate = 0.0}), tl::cpu{}, 5};
      return tl::fit(still, samples(), {.batch = batch, .shuffle = false}).back().train["loss"].mean;
    };
    CHECK(without_steps(5) == test::Approx(whole).epsilon(1e-12));
  };
  check(penalized);
  check(penalized_weighted);
  check(ignoring);
  check([] {  // the sum of the weights is below 0
    const auto weights = tl::stop_gradient(1.2_c - w);
    return tl::sum(weights * tl::mse_loss<tl::loss{.reduce = tl::reduction::none}>(
                                 tl::flatten<0>(tl::linear<"fc", 1>(x)), w)) /
           tl::sum(weights);
  });
}

TEST_CASE("Weights of samples that have a run-time extent more are measured") {
  tl::data::dataset all;
  std::vector<double> xs, ts, ws;
  std::vector<int> lengths;
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < 3; ++k) xs.push_back(std::cos(1.3 * i + k)), ts.push_back(0.5 * k);
    ws.push_back(i % 3);
    lengths.push_back(i % 4);
  }
  all.add("s", {3}, xs).add("t", {3}, ts).add("w", {}, ws).add("lengths", {}, lengths);
  const auto check = [&](auto model) {
    STATIC_REQUIRE(tl::loss_over_samples_of<decltype(model)>.kind == tl::over_samples::weighted);
    const auto fitted = [&](std::int64_t part_size) {
      tl::trainer net{model, tl::sgd({.learning_rate = 0.1})};
      const auto history = tl::fit(net, all, {.batch = 4, .physical_batch = part_size, .shuffle = false});
      CHECK(std::isfinite(tl::evaluate(net, all, {.batch = 2})["loss"].mean));
      return history.back().train["loss"].mean;
    };
    CHECK(fitted(2) == test::Approx(fitted(4)).epsilon(1e-12));
    tl::trainer net{model, tl::sgd({.learning_rate = 0.1})};
    CHECK(tl::fit(net, all, {.batch = 4, .shuffle = false}).back().train["loss"].mean ==
          test::Approx(fitted(4)).epsilon(1e-12));
  };
  check([] {
    const auto s = tl::input<"s", double, batch, tl::dyn<"time">>;
    const auto t = tl::input<"t", double, batch, tl::dyn<"time">>;
    return tl::mse_loss(s * tl::param<"p", double>(tl::fill(1)), t, tl::sample_weights(w));
  });
  check([] {
    const auto s = tl::input<"s", double, batch, tl::dyn<"time">>;
    const auto lengths = tl::unsqueeze<1>(tl::input<"lengths", int, batch>);
    const auto mask = tl::cast<double>(tl::iota<int, tl::dyn<"time">>() < lengths);
    return tl::sum(tl::square(s * tl::param<"p", double>(tl::fill(1))) * mask) / tl::sum(mask);
  });
}

TEST_CASE("Of samples that all count nothing there is no loss") {
  tl::data::dataset all;
  all.add("x", {2}, std::vector<double>{1, 2, 3, 4}).add("y", {}, std::vector<int>{0, 0});
  tl::trainer net{ignoring, tl::sgd({})};
  CHECK(std::isnan(tl::evaluate(net, all, {.batch = 1})["loss"].mean));
}

TEST_CASE("All trainers measure a weighted mean over all samples") {
  const auto check = [](auto&& net) {
    const double whole = tl::evaluate(net, samples(), {.batch = 12})["loss"].mean;
    CHECK(std::isfinite(whole));
    CHECK(tl::evaluate(net, samples(), {.batch = 2})["loss"].mean == test::Approx(whole).epsilon(1e-12));
  };
  check(tl::trainer{weighted, tl::lbfgs()});
  constexpr auto two = [] {
    const auto a = tl::linear<"a", 3>(x);
    const auto b = tl::linear<"b", 3>(x);
    return tl::outputs(tl::named<"first">(tl::cross_entropy(a, y, tl::sample_weights(w))),
                       tl::named<"second">(tl::mean(tl::square(b))));
  };
  check(tl::trainer{two, tl::in_turn(tl::objective<"first">(tl::names_like<"a.*">, tl::sgd({})),
                                     tl::objective<"second">(tl::names_like<"b.*">, tl::sgd({})))});
}

TEST_CASE("Weights of classes are read as mixed precision stores them") {
  constexpr auto model = [] {
    const auto f = tl::linear<"fc", 3>(tl::cast<float>(x));
    return tl::cross_entropy(f, y, tl::stop_gradient(tl::param<"class", float, 3>(tl::fill(1))));
  };
  const auto loss_in_parts = [&](std::int64_t size) {
    tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 1e-2})), tl::cpu{}, 5};
    net.assign<"class">(std::vector<float>{1, 4, 9});
    return tl::fit(net, samples(), {.batch = 6, .physical_batch = size, .shuffle = false})
        .back()
        .train["loss"]
        .mean;
  };
  CHECK(loss_in_parts(2) == test::Approx(loss_in_parts(6)).epsilon(1e-2));
}
