// SPDX-License-Identifier: BSL-1.0
// What callbacks see of a batch that ranks divide.
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;

namespace {

/// The gradients of each update.
struct gradients_of_updates {
  std::vector<double> all;
  template <class Net>
  void on_gradients(Net& net, const tl::fit_progress&) {
    const auto data = net.collected_gradients();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto* first = reinterpret_cast<const double*>(data[i]);
      all.insert(all.end(), first, first + net.gradient_descriptions()[i].count);
    }
  }
};

struct seen {
  std::vector<double> gradients, weights;
};
template <class Net>
seen fitted(Net& net, const tl::fit_in_parts_options& options) {
  const auto data = test::samples(40);
  gradients_of_updates gradients;
  tl::fit(net, data, options, gradients);
  return {gradients.all, test::weights_of(net)};
}

template <class Rule>
void check_gradients(const Rule& rule, int collects = 1) {
  const auto options = [](int batch) {
    return tl::fit_in_parts_options{.epochs = 2, .batch = batch, .physical_batch = batch, .shuffle = false};
  };
  tl::trainer alone{test::small_net<7>, test::adam(), tl::cpu{}, 5};
  const seen expected = fitted(alone, options(10));
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, rule, {.bucket_bytes = 64}), tl::cpu{}, 5};
    const seen own = fitted(net, options(10 / collects));
    test::check(test::difference(own.gradients, expected.gradients) < 1e-12);
    test::check(test::difference(own.weights, expected.weights) < 1e-12);
  });
}

}  // namespace

TEST_CASE("on_gradients sees the gradients of the whole batch on each rank, before each update") {
  check_gradients(test::adam());
  check_gradients(tl::sharded_states(test::adam()));
  check_gradients(tl::accumulate(2, test::adam()), 2);
}

TEST_CASE("on_gradients sees them under eager updates, too") {
  test::on_ranks(2, [](tl::process_group& world) {
    const tl::fit_in_parts_options options{.epochs = 2, .batch = 10, .physical_batch = 3};
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, test::adam()), tl::cpu{}, 5};
    tl::trainer eager{test::small_net<7>, tl::data_parallel(world, test::adam(), {.bucket_bytes = 64}),
                      tl::cpu{}, tl::eager_updates, 5};
    const seen first = fitted(net, options), second = fitted(eager, options);
    test::check(first.gradients == second.gradients && first.weights == second.weights);
  });
}

TEST_CASE(
    "A rank's share of the last batch that does not fit a model's own batch is an error before the first "
    "step") {
  constexpr auto by_four = [] {
    auto x = tl::input<"x", double, 4, 3>;
    return tl::mean(tl::square(tl::linear<"fc", 1>(x) - tl::input<"y", double, 4, 1>));
  };
  test::on_ranks(2, [&](tl::process_group& world) {
    tl::trainer net{by_four, tl::data_parallel(world, test::adam()), tl::cpu{}, 5};
    const auto said = [&](int samples, const tl::fit_in_parts_options& options) {
      return test::sentence_of([&] { tl::fit(net, test::samples(samples), options); });
    };
    const auto refused = [&](const std::string& sentence) {
      return sentence.find(
                 "input \"x\" takes batches of 4 samples, but a rank's share of the last one of an "
                 "epoch has 3: give fit the option .last_batch") != std::string::npos;
    };
    test::check(refused(said(14, {.batch = 8, .physical_batch = 8})));
    test::check(refused(said(30, {.batch = 16, .physical_batch = 4})));
    test::check(net.steps() == 0 && !world.is_broken());
    test::check(said(24, {.batch = 16, .physical_batch = 4}).empty());  // shares of 8 and 4
    tl::fit(net, test::samples(14), {.batch = 8, .last_batch = tl::data::last_batch::drop});
    test::check(net.steps() > 0);
  });
}
