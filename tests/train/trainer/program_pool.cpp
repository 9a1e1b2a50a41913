// SPDX-License-Identifier: BSL-1.0
// Functions that many threads call at once.
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <barrier>
#include <thread>

#include "catch.hpp"
#include "policies.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 16>;
  auto y = tl::softmax(tl::linear<"b", 8>(tl::tanh(tl::linear<"a", 64>(x))));
  return tl::outputs(tl::mean(tl::square(y)), tl::named<"y">(y));
};

std::vector<float> samples(std::size_t count) {
  std::vector<float> x(16 * count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>((i * 7 + count) % 13) / 13.0f;
  return x;
}

/// Calls f(t) on each of `threads` threads at once, and waits for them.
template <class F>
void at_once(int threads, F f) {
  std::barrier start(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      start.arrive_and_wait();
      f(t);
    });
  for (std::thread& t : all) t.join();
}

/// Threads with samples of their own; each result must be the one that a call alone gives.
template <class Function>
void check_threads(const Function& f) {
  std::vector<std::string> expected;
  for (std::size_t t = 0; t < 6; ++t)
    expected.push_back(test::bytes_of_elements(f("x"_t = samples(1 + t)).template get<"y">()));
  std::atomic<int> wrong = 0, calls = 0;
  at_once(6, [&](int t) {
    for (int k = 0; k < 60; ++k) {
      const auto which = static_cast<std::size_t>((t + (k % 3 == 0 ? k : 0)) % 6);
      const auto x = samples(1 + which);
      const auto y = f("x"_t = x).template get<"y">();
      if (k % 7 == 0) {
        const auto other = f("x"_t = y.size() > 8 ? x : samples(2));  // two of them live
        if (!(other.loss() > 0)) ++wrong;
      }
      if (test::bytes_of_elements(y) != expected[which]) ++wrong;
      ++calls;
    }
  });
  CHECK(wrong == 0);
  CHECK(calls == 6 * 60);
}

}  // namespace

TEST_CASE("a function with weights of its own is called by many threads at once") {
  test::on_each_policy([]<class Policy>() {
    const tl::function f{model, Policy{}, 3};
    check_threads(f);
  });
}

TEST_CASE("so is one on a trainer's weights") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{model, tl::adam({.learning_rate = 0.1f}), Policy{}};
    net.step("x"_t = samples(3));
    const tl::function f{model, tl::weights(net)};
    check_threads(f);
    const tl::function g{model, tl::weights(net)};
    at_once(4, [&](int t) {
      for (int k = 0; k < 20; ++k) t % 2 == 0 ? f("x"_t = samples(3)).loss() : g("x"_t = samples(3)).loss();
    });
    net.step("x"_t = samples(3));
    CHECK(f("x"_t = samples(3)).loss() == net.evaluate("x"_t = samples(3)).loss());
  });
}

TEST_CASE("each call has as many threads of its own as the policy says") {
  const tl::function f{model, tl::cpu{3}, 3}, alone{model, tl::cpu{1}, 3};
  CHECK(f("x"_t = samples(40)).loss() == test::Approx(alone("x"_t = samples(40)).loss()));
  check_threads(f);
}

TEST_CASE("results are handed to other threads and go there") {
  const tl::function f{model, tl::cpu{}, 3};
  const auto x = samples(4);
  const auto y = f("x"_t = x).get<"y">();
  const std::string expected = test::bytes_of_elements(y);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, mine = f("x"_t = x).get<"y">()]() mutable {
      for (int k = 0; k < 20; ++k) {
        if (test::bytes_of_elements(mine) != expected) ++wrong;
        mine = y;
        mine = f("x"_t = x).get<"y">();
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}

TEST_CASE("a thread whose call is refused leaves the others right") {
  const tl::function f{model, tl::cpu{}, 3};
  const auto x = samples(4);
  const float expected = f("x"_t = x).loss();
  std::atomic<int> wrong = 0, refused = 0;
  at_once(4, [&](int t) {
    for (int k = 0; k < 50; ++k) try {
        if (t % 2 == 0) {
          if (f("x"_t = x).loss() != expected) ++wrong;
        } else {
          f("x"_t = std::vector<float>(7));
        }
      } catch (const tl::error&) {
        ++refused;
      }
  });
  CHECK(wrong == 0);
  CHECK(refused == 100);
}
