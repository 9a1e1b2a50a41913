// SPDX-License-Identifier: BSL-1.0
// Two fits are one fit that was not interrupted, bit for bit, whether a checkpoint lies between them or not.
#include <tapeless/tapeless.hpp>

#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  auto h = tl::dropout<0.25>(tl::batch_norm<"norm">(tl::linear<"fc1", 5>(x)));
  return tl::mean(tl::square(tl::linear<"fc2", 2>(tl::tanh(h)) - 1_c));
};

// 15 samples, of which 4 are held back: 3 batches of 4, 4 and 3.
tl::data::dataset samples() {
  tl::data::dataset d;
  d.add("x", {3}, test::numbers(5).vector<float>(45));
  return d;
}

constexpr tl::fit_options options{.batch = 4, .validation_split = 0.25, .seed = 3};
constexpr tl::fit_in_parts_options in_parts{
    .batch = 4, .physical_batch = 3, .validation_split = 0.25, .seed = 3};

auto averaged() {
  return tl::average(
      tl::adamw({.learning_rate = tl::cosine_schedule({.start = 0.1, .end = 0.01, .steps = 12})}));
}
auto collecting() { return tl::accumulate(2, averaged()); }

/// All that a trainer consists of, as the bytes of its checkpoint.
template <class Net>
std::string state_of(Net& net, const std::string& path) {
  tl::save_checkpoint(net, path);
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

template <class Options>
Options with(Options o, int epochs, std::int64_t steps = 0) {
  o.epochs = epochs;
  o.steps = steps;
  return o;
}

template <class MakeRule, class Options>
void check(MakeRule rule, const Options& first, const Options& second, const Options& both) {
  const test::temporary_folder folder;
  const auto data = samples();
  tl::trainer whole{model, rule(), tl::cpu{}, 7}, halves{model, rule(), tl::cpu{}, 7},
      before{model, rule(), tl::cpu{}, 7}, after{model, rule(), tl::cpu{}, 1};
  const auto expected = tl::fit(whole, data, both);
  tl::fit(halves, data, first);
  const auto report = tl::fit(halves, data, second);
  tl::fit(before, data, first);
  tl::save_checkpoint(before, folder.path("middle"));
  tl::load_checkpoint(after, folder.path("middle"));
  tl::fit(after, data, second);
  const std::string all = state_of(whole, folder.path("whole"));
  CHECK(state_of(halves, folder.path("halves")) == all);
  CHECK(state_of(after, folder.path("after")) == all);
  CHECK(report.back().validation["loss"].mean == expected.back().validation["loss"].mean);
  CHECK(whole.steps() > 0);
}

struct stop {};
struct stops_after {
  int steps;
  void on_step(const tl::fit_progress&) {
    if (--steps == 0) throw stop();
  }
};

}  // namespace

TEST_CASE(
    "epochs and epochs: dropout, statistics, a schedule, averages, a part of a batch, held-back samples") {
  check(averaged, with(options, 2), with(options, 2), with(options, 4));
  check(averaged, with(options, 1), with(options, 3), with(options, 4));
}

TEST_CASE("epochs and epochs with gradients that wait for their update in between") {
  check(collecting, with(options, 1), with(options, 2), with(options, 3));
}

TEST_CASE("epochs and epochs in parts") {
  check(averaged, with(in_parts, 2), with(in_parts, 2), with(in_parts, 4));
}

TEST_CASE("steps and steps, in the middle of a pass") {
  check(averaged, with(options, 1, 4), with(options, 1, 6), with(options, 1, 10));
  check(averaged, with(options, 1, 4), with(options, 2), with(options, 3));  // the rest counts as an epoch
  check(collecting, with(options, 1, 4), with(options, 1, 3), with(options, 1, 7));
}

TEST_CASE("a fit that is stopped goes on in the middle of its pass") {
  const test::temporary_folder folder;
  const auto data = samples();
  tl::trainer whole{model, averaged()}, stopped{model, averaged()}, other{model, averaged(), tl::cpu{}, 3};
  tl::fit(whole, data, with(options, 3));
  CHECK_THROWS_AS(tl::fit(stopped, data, with(options, 3), stops_after{4}), stop);
  CHECK(stopped.steps() == 4);
  CHECK(stopped.position_in_fit().pass == 1);
  CHECK(stopped.position_in_fit().batch == 1);
  tl::save_checkpoint(stopped, folder.path("middle"));
  tl::load_checkpoint(other, folder.path("middle"));
  const auto report = tl::fit(other, data, with(options, 2));
  CHECK(report.size() == 2);
  CHECK(state_of(other, folder.path("a")) == state_of(whole, folder.path("b")));
}

TEST_CASE("batches of another size begin a new pass") {
  const auto data = samples();
  tl::trainer net{model, averaged()};
  tl::fit(net, data, with(options, 1, 4));
  auto smaller = options;
  smaller.batch = 2;
  tl::fit(net, data, with(smaller, 1));  // all 6 batches of 2 samples
  CHECK(net.steps() == 4 + 6);
  CHECK(net.position_in_fit().pass == 3);
  CHECK(net.position_in_fit().batch == 0);
}

TEST_CASE("no fit, nothing changed") {
  const auto data = samples();
  tl::trainer net{model, averaged()};
  CHECK(tl::fit(net, data, with(options, 0)).empty());
  CHECK(net.position_in_fit().pass == 0);
}
