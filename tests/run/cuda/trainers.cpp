// SPDX-License-Identifier: BSL-1.0
// What trainers do between steps, with memory that is somewhere else: gradients, averages, float copies,
// searches.
#include <atomic>
#include <thread>

#include <Eigen/Core>

#include <tapeless/train/inspect/explain.hpp>
#include <tapeless/train/inspect/statistics.hpp>
#include <tapeless/train/inspect/to_mermaid.hpp>

#include "models.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", double, test::batch, 3>;
  auto y = tl::batch_norm<"norm">(tl::linear<"in", 4>(x));
  auto out = tl::linear<"out", 2>(tl::tanh(y));
  return tl::outputs(tl::mean(tl::square(out - 1_c)), tl::named<"out">(out));
};

constexpr auto in_16_bits = [] {
  return tl::mean(tl::square(tl::linear<"w", 4>(tl::input<"x", float, test::batch, 3>) - 1_c));
};

/// What F sees on the policy, as a list of numbers.
template <class F, class Policy>
std::vector<double> seen_on(const Policy& policy, F f) {
  std::vector<double> seen;
  f(policy, [&](const auto& view) {
    for (const auto x : view) seen.push_back(static_cast<double>(x));
  });
  return seen;
}

/// The same on the device, in each order, as by the kernels on the CPU.
template <class F>
void requires_the_same(F f, double tolerance = 1e-11) {
  const std::vector<double> expected = seen_on(tl::thrust_host{}, f);
  test::gpu gpu(test::each_order());
  const std::vector<double> seen = seen_on(tl::cuda{}, f);
  CHECK(seen.size() > 4);
  CHECK(test::difference(seen, expected) <= tolerance);
}

}  // namespace

TEST_CASE("gradients wait on the device, are read and changed, and applied") {
  requires_the_same([](auto policy, auto see) {
    tl::trainer net{model, tl::accumulate(3, tl::adamw({.learning_rate = 0.1f})), policy};
    test::numbers random;
    for (int step = 0; step < 8; ++step) {
      const auto x = random.vector(12);
      auto r = net.step("x"_t = x);
      if (step == 4) see(net.template gradient<"in.weight">());
      if (step % 3 == 1) see(r.template get<"out">());
    }
    const auto x = random.vector(15);
    net.gradients("x"_t = x);
    auto gradient = net.template gradient<"out.weight">();
    see(gradient);
    gradient[3] = 7;
    net.apply();
    net.gradients("x"_t = x);
    see(gradient);
    net.apply();
    see(test::all_parameters(net));
  });
}

TEST_CASE("averages stand in for the parameters for a while") {
  requires_the_same([](auto policy, auto see) {
    tl::trainer net{model, tl::average(tl::adamw({.learning_rate = 0.1f}), {.decay = 0.8}), policy};
    test::numbers random;
    const auto x = random.vector(12);
    for (int step = 0; step < 9; ++step) {
      net.step("x"_t = x);
      if (step % 4 != 3) continue;
      {
        const auto averages = net.averaged_weights();
        see(net.evaluate("x"_t = x).template get<"out">());
        see(net.template parameter<"in.weight">());
      }
      see(net.evaluate("x"_t = x).template get<"out">());
    }
    see(test::all_parameters(net));
  });
}

TEST_CASE("a view of a float copy shows what the device holds now") {
  requires_the_same(
      [](auto policy, auto see) {
        tl::trainer net{in_16_bits, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.5f})), policy};
        test::numbers random;
        const auto x = random.vector<float>(12);
        const auto master = net.template master<"w.weight">();
        see(master);
        for (int step = 0; step < 4; ++step) {
          net.step("x"_t = x);
          see(master);
        }
        net.template assign<"w.weight">(random.vector<float>(12));
        see(master);
        net.step("x"_t = x);
        see(master);
        see(net.template parameter<"w.bias">());
      },
      1e-5);
}

TEST_CASE("a line search goes back and forth between here and there") {
  requires_the_same(
      [](auto policy, auto see) {
        tl::trainer net{model, tl::lbfgs({.history = 4, .learning_rate = 1}), policy};
        test::numbers random;
        const auto x = random.vector(24);
        for (int step = 0; step < 4; ++step) {
          auto r = net.step("x"_t = x);
          see(r.template get<"out">());
          see(std::vector<double>{r.loss(), r.search().step_length});
        }
        see(test::all_parameters(net));
      },
      1e-7);
}

TEST_CASE("a function computes where it is told to") {
  requires_the_same([](auto policy, auto see) {
    tl::function f{model, policy, 3};
    test::numbers random;
    for (const std::size_t rows : {4u, 4u, 4u, 1u, 6u})
      see(f("x"_t = random.vector(3 * rows)).template get<"out">());
  });
}

namespace {

// Queries that go back in, among more keys at each call, for which the memory of results moves.
constexpr auto attended = [] {
  auto q = tl::input<"q", double, test::batch, 3>;
  auto k = tl::input<"k", double, tl::dyn<"keys">, 3>;
  return tl::named<"next">(tl::matmul(tl::softmax(tl::matmul(q, tl::transpose(k))), k));
};

}  // namespace

TEST_CASE("a result can be bound to the function that made it, and is there after the next call") {
  requires_the_same([](auto policy, auto see) {
    tl::function f{attended, policy};
    test::numbers random;
    auto q = f("q"_t = random.vector(6), "k"_t = random.vector(9)).template get<"next">();
    for (const std::size_t keys : {3u, 3u, 70u, 71u, 5u}) {
      const auto before = q;
      const double first = before[0];
      q = f("q"_t = q, "k"_t = random.vector(3 * keys)).template get<"next">();
      see(q);
      CHECK(before[0] == first);
    }
  });
}

TEST_CASE("what has strides is read with them on its way to the device") {
  requires_the_same([](auto policy, auto see) {
    tl::function f{model, policy, 3};
    const Eigen::MatrixXd m =
        Eigen::MatrixXd::NullaryExpr(9, 5, [](auto i, auto j) { return std::sin(i + 9 * j); });
    see(f("x"_t = m.middleCols(1, 3)).template get<"out">());
    see(f("x"_t = m.leftCols(3).topRows(4)).template get<"out">());
  });
}

namespace {

constexpr auto picked = [] {
  auto x = tl::input<"x", float, test::batch>;
  auto row = tl::index_select<0>(tl::param<"table", float, 5>(tl::fill(1)), tl::cast<std::int32_t>(x));
  return tl::outputs(tl::mean(tl::square(row)), tl::named<"row">(row));
};

}  // namespace

TEST_CASE("parameters come back where nobody has read what went wrong meanwhile") {
  test::gpu gpu(test::each_order());
  tl::trainer net{picked, tl::average(tl::sgd({.learning_rate = 0.1f})), tl::cuda{}};
  const std::vector<float> right{0, 4}, wrong{0, 5};
  for (int step = 0; step < 3; ++step) net.step("x"_t = right);
  const auto before = test::all_parameters(net);
  {
    const auto averages = net.averaged_weights();
    net.evaluate("x"_t = wrong);
  }
  CHECK_THROWS_WITH(net.evaluate("x"_t = right).loss(), Catch::Contains("an index is 5"));
  CHECK(test::all_parameters(net) == before);
}

// Parameters that were written here, or by steps, are on the device before a call reads them.
TEST_CASE("functions on the device compute with the weights that are there when they are called") {
  requires_the_same([](auto policy, auto see) {
    tl::trainer net{model, tl::adamw({.learning_rate = 0.1}), policy};
    const tl::function shared{model, tl::weights(net)};
    tl::function own{model, policy, 3};
    const tl::function of_own{model, tl::weights(own)};
    test::numbers random;
    const auto x = random.vector(12);
    for (int k = 0; k < 4; ++k) {
      net.step("x"_t = x);
      const auto held = shared("x"_t = x);
      net.template parameter<"in.bias">()[0] += 0.25;
      own.template parameter<"in.bias">()[0] += 0.25;
      see(shared("x"_t = x).template get<"out">());
      see(of_own("x"_t = x).template get<"out">());  // first: it sends what was written
      see(own("x"_t = x).template get<"out">());
      see(held.template get<"out">());
      tl::soft_update(net, own, 0.5);
    }
    const auto s = tl::snapshot(net);
    net.step("x"_t = x);
    auto moved = std::move(net);
    see(shared("x"_t = x).template get<"out">());
    tl::restore(moved, s);
    see(shared("x"_t = x).template get<"out">());
    see(test::all_parameters(moved));
    moved.step("x"_t = x);
    see(test::all_parameters(moved));
  });
}

// A fault is that of the call which meets it: it is not what a look at the weights meanwhile would find.
TEST_CASE("weights of a function are read and saved while calls run and are captured") {
  test::gpu gpu({.when = fake_cuda::order::at_once});
  tl::function f{test::lookup, tl::cuda{}};
  const auto& read = f;
  std::atomic<bool> stop = false;
  int failed_reads = 0;
  std::thread reader([&] {
    while (!stop) try {
        static_cast<void>(read.parameter<"table">()[0]);
        static_cast<void>(read.parameter_data());  // as who saves them
      } catch (const std::exception&) {
        ++failed_reads;
      }
  });
  int silent = 0, failed_calls = 0;
  for (std::size_t call = 0; call < 200; ++call) {
    std::vector<float> at(1 + call % 5, 3);  // captured anew each time
    try {
      if (f("at"_t = at).get<"rows">()[0] != 0.5f) ++failed_calls;
    } catch (const std::exception&) {
      ++failed_calls;
    }
    at.back() = 4;
    try {
      f("at"_t = at);
      ++silent;
    } catch (const std::exception&) {
    }
  }
  stop = true;
  reader.join();
  CHECK(silent == 0);
  CHECK(failed_calls == 0);
  CHECK(failed_reads == 0);
}

TEST_CASE("a call does not touch the weights of its function: to read them asks nothing of the device") {
  test::gpu gpu(test::each_order());
  tl::function f{test::lookup, tl::cuda{}};
  const std::vector<float> right{0, 3};
  f("at"_t = right);
  const int copies = gpu.calls("cudaMemcpyAsync"), waits = gpu.calls("cudaStreamSynchronize");
  const auto& read = f;
  CHECK(read.parameter<"table">()[0] == 0.5f);
  CHECK(gpu.calls("cudaMemcpyAsync") == copies);
  CHECK(gpu.calls("cudaStreamSynchronize") == waits);
}

TEST_CASE("a result whose outputs have been read holds no memory of the device") {
  test::gpu gpu(test::each_order());
  const tl::function f{test::lookup, tl::cuda{}};
  const std::vector<float> right{0, 3};
  std::vector<decltype(f("at"_t = right))> all;
  const auto bytes_with_one_more = [&](bool rows, bool loss) {
    all.push_back(f("at"_t = right));
    if (rows) CHECK(all.back().get<"rows">()[5] == 0.5f);
    if (loss) CHECK(all.back().loss() == 0.25f);
    return gpu.memory().in_use(0);
  };
  const std::size_t bytes = bytes_with_one_more(true, true);
  for (int k = 0; k < 3; ++k) CHECK(bytes_with_one_more(true, true) == bytes);
  CHECK(bytes_with_one_more(true, false) == bytes);
  CHECK(bytes_with_one_more(true, true) > bytes);  // a loss is still there
  for (const auto& r : all) CHECK((r.get<"rows">()[0] == 0.5f && r.loss() == 0.25f));
  const std::size_t most = gpu.memory().in_use(0);
  CHECK(bytes_with_one_more(false, false) == most);
  CHECK(bytes_with_one_more(false, false) == most);
}

TEST_CASE("a function on the device, and its results, outlive the trainer and one another") {
  test::gpu gpu(test::each_order());
  test::numbers random;
  const auto x = random.vector(12);
  using net_type = decltype(tl::trainer{model, tl::sgd({}), tl::cuda{}});
  auto net = std::make_unique<net_type>(model, tl::sgd({}), tl::cuda{});
  auto f = std::make_unique<tl::function<decltype(model), tl::cuda, tl::shared_weights<tl::element::number>>>(
      model, tl::weights(*net));
  const auto expected = test::elements(net->predict("x"_t = x).get<"out">());
  net.reset();
  const auto held = (*f)("x"_t = x), second = (*f)("x"_t = x);
  f.reset();
  CHECK(test::elements(held.get<"out">()) == expected);
  CHECK(test::elements(second.get<"out">()) == expected);
}

TEST_CASE("a trainer on a device is looked into") {
  requires_the_same(
      [](auto policy, auto see) {
        tl::trainer net{model, tl::sgd({.learning_rate = 0.1}), policy};
        tl::data::dataset data;
        data.add("x", {3}, test::numbers(3).vector(36));
        tl::statistics seen({.every = 2});
        tl::fit(net, data, {.epochs = 2, .batch = 6, .physical_batch = 3}, seen);
        std::vector<double> all;
        for (const tl::sampled_statistics& s : seen.samples()) {
          CHECK(s.has_gradients);
          for (const tl::parameter_statistics& p : s.parameters)
            all.insert(all.end(), {p.weight.norm, p.weight.most, p.gradient.norm, p.update_to_weight});
        }
        see(all);
        CHECK(tl::summary(net, "batch"_t = 3).find("matmul") != std::string::npos);
        CHECK(tl::explain(net, "batch"_t = 3).find("product: matmul") != std::string::npos);
        CHECK(tl::to_mermaid(net).starts_with("flowchart TD"));
      },
      1e-9);
}
