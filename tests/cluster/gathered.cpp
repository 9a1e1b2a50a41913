// SPDX-License-Identifier: BSL-1.0
// What metrics on ranks see of outputs, wherever these have their samples.
#include <cmath>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;

namespace {

constexpr int samples = 5, length = 4;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, length, 3>;
  auto y = tl::input<"y", float, tl::dyn<"batch">, length>;
  auto scores = tl::reshape<tl::dyn<"batch">, length>(tl::linear<"fc", 1>(x));
  auto sums = tl::sum<-1>(x);
  return tl::outputs(tl::mse_loss(scores, y), tl::named<"by_time">(tl::transpose<0, 1>(sums)),
                     tl::named<"flat">(tl::flatten<0>(sums)),
                     tl::named<"half">(tl::cast<tl::bf16>(tl::mean(x))),
                     tl::named<"pairs">(tl::matmul(sums, tl::transpose<0, 1>(sums))));
};

/// What it has been given last.
template <tl::name... Names>
struct last_seen {
  static constexpr std::string_view label = "last";
  std::vector<std::vector<float>> elements;
  std::vector<std::vector<std::int64_t>> shapes;
  void clear() {}
  void add(const auto& result, const auto&) {
    elements.clear(), shapes.clear();
    const auto keep = [&](const auto& view) {
      elements.emplace_back(view.begin(), view.end());
      shapes.emplace_back(view.shape().begin(), view.shape().end());
    };
    (keep(result.template get<Names>()), ...);
  }
  tl::measurement get() const { return {0, 0}; }
};

tl::data::dataset data() {
  std::vector<float> x, y(samples * length, 0.0f);
  for (int i = 0; i < samples * length * 3; ++i) x.push_back(static_cast<float>(i));
  tl::data::dataset d;
  d.add("x", {length, 3}, x).add("y", {length}, y);
  return d;
}

template <class Net, class Metric>
void measure(Net& net, std::int64_t batch, Metric& metric) {
  tl::fit(net, data(),
          {.epochs = 1, .batch = batch, .shuffle = false, .last_batch = tl::data::last_batch::drop}, metric);
}

}  // namespace

TEST_CASE("Outputs are joined along the axis of their samples, or averaged where they have none") {
  for (const std::int64_t batch : {5, 4, 2}) {
    tl::trainer alone{model, tl::sgd({.learning_rate = 0.0f})};
    last_seen<"by_time", "flat", "half"> expected;
    measure(alone, batch, expected);
    for (const int ranks : {2, 3})
      test::on_ranks(ranks, [&](tl::process_group& world) {
        tl::trainer net{model, tl::data_parallel(world, tl::sgd({.learning_rate = 0.0f}))};
        last_seen<"by_time", "flat", "half"> own;
        measure(net, batch, own);
        test::check(own.shapes == expected.shapes);
        for (std::size_t i = 0; i < 2; ++i) test::check(own.elements[i] == expected.elements[i]);
        const float half = expected.elements[2][0];
        test::check(std::abs(own.elements[2][0] - half) < 0.01f * half);
      });
  }
}

TEST_CASE("An output of pairs of samples is refused by its name on all ranks, which go on") {
  test::on_ranks(2, [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, tl::sgd({.learning_rate = 0.0f}))};
    last_seen<"pairs"> metric;
    const std::string said = test::sentence_of([&] { measure(net, 4, metric); });
    test::check(said.find("\"pairs\" of a batch cannot be put together") != std::string::npos);
    test::check(!world.is_broken());
  });
  test::on_ranks(1, [](tl::process_group& world) {  // with nobody there is nothing to join
    tl::trainer net{model, tl::data_parallel(world, tl::sgd({.learning_rate = 0.0f}))};
    last_seen<"pairs"> metric;
    measure(net, 4, metric);
    test::check(metric.shapes[0] == std::vector<std::int64_t>{4, 4});
  });
}
