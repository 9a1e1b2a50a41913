// SPDX-License-Identifier: BSL-1.0
#include <catch.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <io/decimal_comma.hpp>
#include <io/json_reader.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/profile.hpp>
#include <tapeless/train/inspect/statistics.hpp>
#include <trained_state.hpp>

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::input<"y", float, batch, 2>;
  auto h = tl::relu(tl::linear<"fc1", 4>(x));
  auto out = tl::linear<"fc2", 2>(h);
  return tl::outputs(tl::mse_loss(out, y), tl::named<"out">(out));
};
auto trained() { return tl::trainer{model, tl::adam({.learning_rate = 1e-2f})}; }

const std::vector<float> x{1, 2, 3, -1, 0, 1, 2, 2, 2, 0, 0, 1}, y{1, 0, 0, 1, 1, 1, 0, 0};

}  // namespace

TEST_CASE("a profile has the kernels of a step, and leaves the trainer as it is") {
  auto net = trained();
  net.step("x"_t = x, "y"_t = y);
  const std::string before = test::state_of(net);
  const tl::step_profile p =
      tl::profile(net, {.steps = 3, .peak = {.flops = 1e9, .bandwidth = 1e9}}, "x"_t = x, "y"_t = y);
  CHECK(test::state_of(net) == before);
  CHECK(p.steps == 3);
  const tl::described_program& program = tl::description_of<decltype(net)::step_program>;
  REQUIRE(p.kernels.size() == program.plan->commands.size());
  const tl::bound_extent four{&tl::interned<"batch">, 4};
  CHECK(p.flops() == tl::count_operations(program, {&four, 1}).all().constant());
  CHECK(p.trace.size() == p.kernels.size());
  double end = 0;
  for (const tl::traced_call& c : p.trace) {
    CHECK(c.begin >= end);
    CHECK(c.end >= c.begin);
    end = c.end;
  }
  CHECK(p.kernels[1].layer == "fc1");
  CHECK(p.kernels[1].calls == 1);
  CHECK(p.kernels[1].flops == 2 * 4 * 3 * 4);
  CHECK_THAT(p.table(), contains("product: matmul") && contains("of peak") && contains("medians of 3 steps"));
  CHECK_THROWS_WITH(tl::profile(net, {.steps = 0}, "x"_t = x, "y"_t = y),
                    contains("profile: steps is 0; it must be 1 or more"));
  CHECK_THROWS_WITH(tl::profile(net, "x"_t = std::vector<float>(5), "y"_t = y), contains("input \"x\""));

  // the share of peak is that of operations or of bytes, whichever is more
  tl::step_profile one;
  one.peak = {.flops = 100, .bandwidth = 10};
  tl::profiled_kernel k;
  k.seconds = 1, k.flops = 50, k.bytes = 2;
  CHECK(one.share_of_peak(k) == 0.5);
  k.bytes = 20;
  CHECK(one.share_of_peak(k) == 2);
  one.peak.cached[0] = 40;  // few bytes are compared with few
  CHECK(one.share_of_peak(k) == 0.5);

  // functions are compiled once for equal kernels
  CHECK(tl::detail::compiled_functions_of<decltype(net)>().fused > 0);
  CHECK(tl::detail::compiled_functions_of<decltype(net)>().fused <
        static_cast<std::int64_t>(program.plan->fused_kernels.size()));
}

TEST_CASE("a trace is JSON that trace viewers read") {
  auto net = trained();
  const tl::step_profile p = tl::profile(net, {.steps = 1, .peak = {.flops = 1e9}}, "x"_t = x, "y"_t = y);
  const std::string path =
      (std::filesystem::temp_directory_path() / ("tapeless_trace" + std::to_string(std::rand()))).string();
  {
    const test::decimal_comma locale;
    p.save_trace(path);
  }
  const std::vector<std::byte> bytes = tl::io::read_file(path);
  std::filesystem::remove(path);
  const test::json trace = test::read_json({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  const auto& events = trace["traceEvents"].as<test::json::array>();
  REQUIRE(events.size() == p.trace.size());
  CHECK(events[1]["name"].as<std::string>() == "product: matmul");
  CHECK(events[1]["ph"].as<std::string>() == "X");
  CHECK(events[1]["dur"].number() >= 0);
  CHECK(events[1]["args"]["operations"].number() == 2 * 4 * 3 * 4);
}

TEST_CASE("loops are profiled with their calls") {
  constexpr auto recurrent = [] {
    auto in = tl::input<"x", float, 5, 2, 3>;
    auto [all, last] = tl::rnn<"rnn", 4>(in);
    return tl::mean(tl::square(last));
  };
  tl::trainer net{recurrent, tl::sgd({.learning_rate = 0.1f})};
  const tl::step_profile p =
      tl::profile(net, {.steps = 1, .peak = {.flops = 1e9}}, "x"_t = std::vector<float>(30, 0.5f));
  std::int64_t calls = 0, in_loops = 0;
  for (const tl::profiled_kernel& k : p.kernels) {
    calls += k.calls;
    in_loops += k.calls == 5 ? 1 : 0;
  }
  CHECK(in_loops > 1);
  CHECK(static_cast<std::int64_t>(p.trace.size()) == calls);
  CHECK(p.flops() == tl::count_operations(tl::description_of<decltype(net)::step_program>).all().constant());
}

TEST_CASE("the peak of the machine is measured where none is given") {
  const tl::machine_peak peak = tl::measure_peak(2);
  CHECK(peak.flops > 1e6);
  CHECK(peak.bandwidth > 1e6);
  CHECK(peak.bandwidth_of(1) == peak.cached[0]);
  CHECK(peak.bandwidth_of(1e9) == peak.bandwidth);
}

TEST_CASE("a profiler measures the batches of a fit") {
  tl::data::dataset data;
  data.add("x", {3}, x).add("y", {2}, y);
  auto net = trained();
  tl::profiler timed({.every = 3, .steps = 2, .peak = {.flops = 1e9}});
  tl::fit(net, data, {.epochs = 4, .batch = 2}, timed);  // 8 steps: before the first, the fourth, the seventh
  REQUIRE(timed.profiles().size() == 3);
  const tl::bound_extent two{&tl::interned<"batch">, 2};
  CHECK(timed.profiles()[2].flops() ==
        tl::count_operations(tl::description_of<decltype(net)::step_program>, {&two, 1}).all().constant());
  auto alone = trained();
  tl::fit(alone, data, {.epochs = 4, .batch = 2});
  CHECK(test::state_of(net) == test::state_of(alone));

  tl::profiler once({.steps = 1, .peak = {.flops = 1e9}});
  tl::fit(net, data, {.epochs = 4, .batch = 2}, once);
  CHECK(once.profiles().size() == 1);
  CHECK_THROWS_WITH(tl::profiler({.every = -1}), contains("profiler: every is -1"));
  CHECK_THROWS_WITH(tl::profiler({.steps = 0}), contains("profiler: steps is 0"));
}

TEST_CASE("statistics are a callback of fit") {
  tl::data::dataset data;
  data.add("x", {3}, x).add("y", {2}, y);
  auto net = trained();
  tl::statistics seen({.every = 3});
  tl::fit(net, data, {.epochs = 4, .batch = 2}, seen);  // 8 steps
  REQUIRE(seen.samples().size() == 2);
  CHECK(seen.samples()[0].step == 3);
  CHECK(seen.samples()[1].step == 6);
  const tl::parameter_statistics& bias = seen.samples()[1].parameters[1];
  CHECK(bias.parameter == "fc1.bias");
  CHECK(bias.update_to_weight > 0);
  CHECK_THAT(seen.table(), contains("after step 6") && contains("|g|") && contains("fc2.weight"));
  // the same net without it has the same weights
  auto alone = trained();
  tl::fit(alone, data, {.epochs = 4, .batch = 2});
  CHECK(test::state_of(net) == test::state_of(alone));
  CHECK_THROWS_WITH(tl::statistics({.every = 0}), contains("statistics: every is 0"));
}

TEST_CASE("statistics of a fit are those of the gradients that its steps are made with") {
  // dropout: only with the step's own random numbers are they these
  constexpr auto thinned = [] {
    auto in = tl::input<"x", float, batch, 3>;
    auto target = tl::input<"y", float, batch, 2>;
    return tl::mse_loss(tl::linear<"fc2", 2>(tl::dropout<0.5>(tl::linear<"fc1", 16>(in))), target);
  };
  tl::data::dataset data;
  data.add("x", {3}, x).add("y", {2}, y);
  // w' = w - 0.05 g: what the step changed tells its gradient
  std::vector<float> before;
  double change = 0;
  const auto watch = [&](auto& n, const tl::fit_progress&) {
    const auto w = n.template parameter<"fc1.weight">();
    change = 0;
    for (std::size_t i = 0; i < before.size(); ++i) change += (w[i] - before[i]) * (w[i] - before[i]);
    before.assign(w.begin(), w.end());
  };
  tl::trainer net{thinned, tl::sgd({.learning_rate = 0.05f})};
  tl::statistics seen({.every = 1});
  before.assign(net.parameter<"fc1.weight">().begin(), net.parameter<"fc1.weight">().end());
  std::vector<double> changes;
  tl::fit(net, data, {.epochs = 2, .batch = 2}, watch, seen,
          [&](const tl::fit_progress&) { changes.push_back(std::sqrt(change)); });
  REQUIRE(seen.samples().size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(0.05 * seen.samples()[i].parameters[0].gradient.norm == test::Approx(changes[i]).epsilon(1e-4));

  // of batches in parts: the sum of the parts, which is read before the update
  tl::trainer in_parts{thinned, tl::sgd({.learning_rate = 0.05f})};
  tl::statistics whole({.every = 1});
  before.assign(in_parts.parameter<"fc1.weight">().begin(), in_parts.parameter<"fc1.weight">().end());
  changes.clear();
  tl::fit(in_parts, data, {.epochs = 4, .batch = 4, .physical_batch = 1}, watch, whole,
          [&](const tl::fit_progress&) { changes.push_back(std::sqrt(change)); });
  REQUIRE(whole.samples().size() == 4);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(0.05 * whole.samples()[i].parameters[0].gradient.norm == test::Approx(changes[i]).epsilon(1e-4));
}

TEST_CASE("statistics are those of the elements") {
  const float some[] = {3, 0, -4, 0, INFINITY};
  const tl::element_statistics s =
      tl::detail::statistics_of(tl::element::f32, reinterpret_cast<const std::byte*>(some), 5);
  CHECK(s.norm == 5);
  CHECK(s.least == -4);
  CHECK(s.most == 3);
  CHECK(s.zeros == test::Approx(0.4));
  CHECK(s.nonfinite == 1);

  // in a loop of one's own: the update is what the step has changed, the gradient that of the samples
  tl::trainer net{model, tl::sgd({.learning_rate = 0.5f})};
  tl::statistics seen({.every = 1});
  const std::vector<float> before(net.parameter<"fc2.weight">().begin(), net.parameter<"fc2.weight">().end());
  net.gradients("x"_t = x, "y"_t = y);
  double gradient = 0;
  for (const float g : net.gradient<"fc2.weight">()) gradient += static_cast<double>(g) * g;
  net.discard_gradients();
  seen.before_step(net, "x"_t = x, "y"_t = y);
  net.step("x"_t = x, "y"_t = y);
  seen.after_step(net);
  double change = 0, norm = 0, weight = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    const double w = net.parameter<"fc2.weight">()[i];
    change += (w - before[i]) * (w - before[i]);
    norm += static_cast<double>(before[i]) * before[i];
    weight += w * w;
  }
  const tl::parameter_statistics& weights = seen.samples()[0].parameters[2];
  REQUIRE(weights.parameter == "fc2.weight");
  CHECK(weights.update_to_weight == test::Approx(std::sqrt(change / norm)));
  CHECK(weights.weight.norm == test::Approx(std::sqrt(weight)));
  CHECK(weights.gradient.norm == test::Approx(std::sqrt(gradient)));

  seen.before_step(net);  // nothing bound
  net.step("x"_t = x, "y"_t = y);
  seen.after_step(net);
  seen.after_step(net);  // no step since
  REQUIRE(seen.samples().size() == 2);
  CHECK(!seen.samples()[1].has_gradients);
  CHECK_THAT(seen.table(), contains("after step 2") && !contains("|g|"));
}
