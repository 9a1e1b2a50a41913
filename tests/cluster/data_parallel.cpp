// SPDX-License-Identifier: BSL-1.0
// data_parallel: as many ranks as one likes train as one process does.
#include <cmath>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", double, batch, 3>;
  auto y = tl::input<"y", double, batch, 1>;
  auto h = tl::tanh(tl::linear<"fc1", 7>(x));
  auto out = tl::linear<"fc2", 1>(h);
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};

auto rule() {
  return tl::chain(tl::clip_by_global_norm(0.5), tl::scale_by_adam(), tl::scale_by_learning_rate(1e-2));
}

tl::data::dataset samples(int count) {
  std::vector<double> x, y;
  for (int i = 0; i < count; ++i) {
    for (int k = 1; k <= 3; ++k) x.push_back(std::sin(0.37 * i * k));
    y.push_back(x[x.size() - 1] * x[x.size() - 2] - 0.5 * x[x.size() - 3]);
  }
  tl::data::dataset all;
  all.add("x", {3}, x).add("y", {1}, y);
  return all;
}

template <class Net>
std::vector<double> weights_of(Net& net) {
  std::vector<double> all;
  for (std::size_t i = 0; i < net.parameter_data().size(); ++i) {
    const auto* first = reinterpret_cast<const double*>(net.parameter_data()[i]);
    all.insert(all.end(), first, first + net.parameter_descriptions()[i].count);
  }
  return all;
}

struct trained {
  std::vector<double> weights, losses, validation, errors;
  std::int64_t received = 0;
};

// 17 samples make batches of 5, 5 and 2, of which 5 are divided unevenly; of 2, some ranks have none.
constexpr tl::fit_options options{.steps = 50, .batch = 5, .validation_split = 0.3, .seed = 3};

template <class Net>
trained fitted(Net& net) {
  const auto data = samples(17);
  tl::mean_absolute_error<"out", "y"> mae;
  const auto history = tl::fit(net, data, options, mae);
  trained t{weights_of(net), {}, {}, {}, 0};
  for (const auto& e : history) {
    t.losses.push_back(e.train["loss"].mean);
    t.validation.push_back(e.validation["loss"].mean);
    t.errors.push_back(e.train["mean_absolute_error"].mean);
  }
  return t;
}

std::vector<trained> on(int ranks) {
  std::vector<trained> all(static_cast<std::size_t>(ranks));
  test::on_ranks(ranks, [&](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, rule()), tl::cpu{},
                    static_cast<std::uint64_t>(world.rank())};
    trained& own = all[static_cast<std::size_t>(world.rank())];
    const std::int64_t before = world.received();
    own = fitted(net);
    own.received = world.received() - before;
  });
  return all;
}

void check_close(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK(std::abs(a[i] - b[i]) < 1e-6);
}

}  // namespace

TEST_CASE("Ranks train as one process does on whole batches, whoever has more samples") {
  tl::trainer alone{model, rule()};
  const trained expected = fitted(alone);
  for (const int ranks : {1, 2, 3, 4}) {
    const std::vector<trained> all = on(ranks), again = on(ranks);
    if (ranks == 1) CHECK(all[0].weights == expected.weights);
    for (const trained& t : all) {
      check_close(t.weights, expected.weights);
      check_close(t.losses, expected.losses);
      check_close(t.validation, expected.validation);
      check_close(t.errors, expected.errors);
      CHECK(t.weights == all[0].weights);  // the same bits
      CHECK(t.losses == all[0].losses);
      CHECK(t.errors == all[0].errors);
    }
    CHECK(all[0].weights == again[0].weights);
    CHECK(all[0].losses == again[0].losses);
  }
}
