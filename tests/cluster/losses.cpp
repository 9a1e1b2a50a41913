// SPDX-License-Identifier: BSL-1.0
// data_parallel of losses that are no means over samples: as many ranks as one likes train as one process
// does.
#include <cmath>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/difference.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto x = tl::input<"x", double, batch, 2>;
constexpr auto y = tl::input<"y", int, batch>;
constexpr auto w = tl::input<"w", double, batch>;

constexpr auto weighted = [] {
  return tl::cross_entropy(tl::linear<"fc", 3>(x), y, tl::sample_weights(w)) +
         1e-2_c * tl::square(tl::param<"p", double>(tl::fill(1)));
};
constexpr auto ignoring = [] {
  const auto loss = tl::cross_entropy<tl::loss{.ignore_index = 0}>(tl::linear<"fc", 3>(x), y);
  return tl::outputs(loss, tl::named<"seen">(w));
};
constexpr auto sum = [] {
  const auto loss = tl::cross_entropy<tl::loss{.reduce = tl::reduction::sum}>(tl::linear<"fc", 3>(x), y);
  return tl::outputs(loss, tl::named<"seen">(w));
};

struct samples {
  std::vector<double> x, w;
  std::vector<int> y;
  explicit samples(int count, int first = 0) {
    for (int i = first; i < first + count; ++i) {
      x.insert(x.end(), {std::cos(3.1 * i), std::sin(1.7 * i)});
      y.push_back(i / 2 % 3);  // the first two have class 0
      w.push_back(i < 2 ? 0 : 0.5 + i % 4);
    }
  }
};

struct trained {
  std::vector<double> weights;
  double loss = 0, validation = 0;
};

template <class Net>
trained fitted(Net& net, std::int64_t physical_batch) {
  const samples s(16);
  tl::data::dataset all;
  all.add("x", {2}, s.x).add("y", {}, s.y).add("w", {}, s.w);
  tl::fit_in_parts_options options;
  options.epochs = 3;
  options.batch = 5;  // of 16 samples: 5, 5, 5 and 1, of which other ranks have none
  options.shuffle = false;
  options.validation = all;
  options.physical_batch = physical_batch;
  const auto history = tl::fit(net, all, options);
  return {test::weights_of(net), history.back().train["loss"].mean, history.back().validation["loss"].mean};
}

// One step of all samples, of which rank r has its share.
template <class Net>
trained stepped(Net& net, int rank, int ranks) {
  const int first = 6 * rank / ranks, end = 6 * (rank + 1) / ranks;
  const samples s(end - first, first);
  const double loss = net.step("x"_t = s.x, "y"_t = s.y, "w"_t = s.w).loss();
  return {test::weights_of(net), loss, 0};
}

template <class Model>
void check_ranks(Model model) {
  constexpr bool is_sum = tl::loss_over_samples_of<Model>.kind == tl::over_samples::sum;
  const auto rule = [] { return tl::sgd({.learning_rate = 0.1}); };
  tl::trainer alone{model, rule(), tl::cpu{}, 5}, alone_in_steps{model, rule(), tl::cpu{}, 5};
  const trained fit_alone = fitted(alone, 6), step_alone = stepped(alone_in_steps, 0, 1);
  CHECK(std::isfinite(fit_alone.loss));
  for (const int ranks : {2, 3})
    for (const std::int64_t physical_batch : {6, 1}) {
      std::vector<trained> fits(static_cast<std::size_t>(ranks)), steps(fits);
      test::on_ranks(ranks, [&](tl::process_group& world) {
        const auto r = static_cast<std::size_t>(world.rank());
        tl::trainer net{model, tl::data_parallel(world, rule()), tl::cpu{}, 5};
        fits[r] = fitted(net, physical_batch);
        tl::trainer other{model, tl::data_parallel(world, rule()), tl::cpu{}, 5};
        steps[r] = stepped(other, world.rank(), ranks);
        steps[r].loss = other.mean_loss();
      });
      for (std::size_t r = 0; r < fits.size(); ++r) {
        CHECK(test::difference(fits[r].weights, fit_alone.weights) < 1e-12);
        CHECK(fits[r].loss == test::Approx(fit_alone.loss).epsilon(1e-12));
        if (physical_batch == 6 || !is_sum)  // sums are reported as the mean over batches
          CHECK(fits[r].validation == test::Approx(fit_alone.validation).epsilon(1e-12));
        CHECK(test::difference(steps[r].weights, step_alone.weights) < 1e-12);
        CHECK(steps[r].loss == test::Approx(step_alone.loss).epsilon(1e-12));
      }
    }
}

}  // namespace

TEST_CASE("Ranks train by weighted means as one process does, also where one's samples have no weight") {
  check_ranks(weighted);
  check_ranks(ignoring);
}

TEST_CASE("Ranks train by sums as one process does") { check_ranks(sum); }
