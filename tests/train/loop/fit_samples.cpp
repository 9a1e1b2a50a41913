// SPDX-License-Identifier: BSL-1.0
// Which samples fit takes, in which order, and which it holds back for validation.
#include <tapeless/tapeless.hpp>

#include <limits>
#include <map>

#include "catch.hpp"
#include "train/loop/circle.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using namespace test;

namespace {

/// A metric that counts how often each sample goes by, by the column "number".
struct sample_counter {
  static constexpr std::string_view label = "count";
  std::map<std::int64_t, int>* seen;
  void clear() {}
  void add(const auto& result, const auto& from) {
    const auto numbers = from.template get<"number">();
    CHECK(std::equal(numbers.begin(), numbers.end(), result.template get<"number">().begin()));
    for (const std::int64_t n : numbers) ++(*seen)[n];
  }
  tl::measurement get() const { return {}; }
};

/// Copies the counts after each training step: at the end of an epoch, those before the validation.
struct training_watcher {
  std::map<std::int64_t, int>* seen;
  std::map<std::int64_t, int>* trained;
  void on_step(const tl::fit_progress&) { *trained = *seen; }
};

/// A metric that writes down the batches' elements.
struct order_recorder {
  static constexpr std::string_view label = "order";
  std::vector<float>* all;
  void clear() {}
  void add(const auto&, const auto& from) {
    const auto x = from.template get<"x">();
    all->insert(all->end(), x.begin(), x.end());
  }
  tl::measurement get() const { return {}; }
};

}  // namespace

TEST_CASE("all samples are taken once in each epoch, the last batch is smaller") {
  auto net = make_net();
  std::vector<std::size_t> sizes;
  const auto history = tl::fit(net, circle(10), {.epochs = 2, .batch = 4}, batch_sizes{&sizes});
  CHECK(sizes == std::vector<std::size_t>{4, 4, 2, 4, 4, 2});
  CHECK(history[0].train["samples"].mean == 10);
  CHECK(history[1].train["samples"].mean == 10);
  CHECK(history[1].validation.empty());
}

TEST_CASE("a batch may be larger than the data") {
  auto net = make_net();
  std::vector<std::size_t> sizes;
  tl::fit(net, circle(10), {.epochs = 1, .batch = 4000}, batch_sizes{&sizes});
  tl::fit(net, circle(10), {.batch = std::numeric_limits<std::int64_t>::max()}, batch_sizes{&sizes});
  tl::fit(net, circle(10), {.batch = 7, .physical_batch = 9}, batch_sizes{&sizes});
  CHECK(sizes == std::vector<std::size_t>{10, 10, 7, 3});
}

TEST_CASE("a share is held back for validation") {
  const auto run = [](double split, int count) {
    auto net = make_net();
    std::vector<std::size_t> sizes;
    const auto history =
        tl::fit(net, circle(count), {.batch = 1000, .validation_split = split}, batch_sizes{&sizes});
    return sizes;
  };
  using sizes = std::vector<std::size_t>;
  CHECK(run(0, 20) == sizes{20});
  CHECK(run(0.25, 20) == sizes{15, 5});
  CHECK(run(0.05, 20) == sizes{19, 1});
  CHECK_THROWS_WITH(run(0.01, 20), "tapeless: fit: validation_split 0.01 of 20 samples holds none back");
  CHECK(run(0.9, 20) == sizes{2, 18});
}

TEST_CASE("samples of their own for validation") {
  auto net = make_net();
  std::vector<std::size_t> sizes;
  const auto data = circle(20), others = circle(7);
  batch_sizes counted{&sizes};
  const auto history = tl::fit(net, data, {.batch = 5, .validation = others}, counted);
  CHECK(sizes == std::vector<std::size_t>{5, 5, 5, 5, 5, 2});
  CHECK(history.back().validation["samples"].mean == 7);
  CHECK(history.back().validation["loss"].mean ==
        Approx(tl::evaluate(net, others, {.batch = 5}, counted)["loss"].mean));
  CHECK(counted.count == 7);  // the metric itself is used, and read afterwards
}

TEST_CASE("what is held back is not trained on, and is the same in all epochs") {
  auto data = circle(24);
  constexpr auto numbered = [] {
    auto x = tl::input<"x", float, batch, 2>;
    auto number = tl::input<"number", std::int64_t, batch>;
    auto w = tl::param<"w", float, 2>;
    return tl::outputs(tl::mean(tl::matmul(x, w)), tl::named<"number">(number));
  };
  std::map<std::int64_t, int> seen;
  std::map<std::int64_t, int> trained;
  tl::trainer net{numbered, tl::sgd({.learning_rate = 0.1})};
  tl::fit(net, data, {.epochs = 1, .batch = 5, .validation_split = 0.25, .seed = 8}, sample_counter{&seen},
          training_watcher{&seen, &trained});
  CHECK(seen.size() == 24);
  CHECK(trained.size() == 18);
  for (const auto& [number, times] : seen) CHECK(times == 1);

  const auto first = trained;
  const auto fit_with = [&](const tl::fit_options& o) {
    seen.clear();
    trained.clear();
    tl::fit(net, data, o, sample_counter{&seen}, training_watcher{&seen, &trained});
  };
  fit_with({.epochs = 3, .batch = 5, .validation_split = 0.25, .seed = 8});
  CHECK(seen.size() == 24);
  for (const auto& [number, times] : seen) CHECK(times == 3);

  // The seed of the order leaves the choice alone, and so does whatever was trained before.
  fit_with({.epochs = 1, .batch = 5, .validation_split = 0.25, .seed = 9});
  CHECK(trained == first);
  fit_with({.epochs = 1, .batch = 5, .validation_split = 0.25, .seed = 8, .split_seed = 1});
  CHECK(trained.size() == 18);
  CHECK(trained != first);
}

TEST_CASE("the order of the samples") {
  const auto data = circle(12);
  const auto order = [&](const tl::fit_options& o) {
    auto net = make_net();
    std::vector<float> all;
    tl::fit(net, data, o, order_recorder{&all});
    return all;
  };
  const auto in_order = order({.batch = 5, .shuffle = false});
  const auto column = data.column("x");
  CHECK(std::equal(in_order.begin(), in_order.end(), reinterpret_cast<const float*>(column.storage.get())));
  const auto shuffled = order({.epochs = 2, .batch = 5, .seed = 1});
  CHECK(std::vector(shuffled.begin(), shuffled.begin() + 24) != in_order);
  CHECK(std::vector(shuffled.begin(), shuffled.begin() + 24) !=
        std::vector(shuffled.begin() + 24, shuffled.end()));
  CHECK(order({.epochs = 2, .batch = 5, .seed = 1}) == shuffled);
  CHECK(order({.epochs = 2, .batch = 3, .seed = 1}) == shuffled);
  CHECK(order({.epochs = 2, .batch = 5, .seed = 2}) != shuffled);
}
