// SPDX-License-Identifier: BSL-1.0
// A trainer's steps, and calls of functions on its weights, in several threads: either the one or the other.
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <functional>
#include <thread>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  return tl::mean(tl::square(tl::linear<"w", 4>(x) - 1_c));
};

const std::vector<float> x{1, 2, 3, 4};
const std::string while_reading =
    "tapeless: a trainer takes a step while a function on its weights is called in another thread: let them "
    "take turns, or give the function weights of its own (copy_parameters)";
const std::string while_changing =
    "tapeless: a function on a trainer's weights is called while the trainer takes a step in another thread: "
    "let them take turns, or give the function weights of its own (copy_parameters)";

}  // namespace

TEST_CASE("any number read, or one changes") {
  tl::weights_guard guard;
  {
    const auto a = guard.read(), b = guard.read();
    CHECK_THROWS_WITH(guard.change(), while_reading);
    const auto c = guard.read();
  }
  {
    const auto a = guard.change();
    CHECK_THROWS_WITH(guard.read(), while_changing);
    const auto nested = guard.change();
    CHECK_THROWS_WITH(guard.read(), while_changing);
  }
  CHECK_NOTHROW(guard.read());
  {
    auto a = guard.change();
    {
      const auto nested = guard.change();
    }
    CHECK_THROWS_AS(guard.read(), tl::error);  // the outer one goes on
    const auto moved = std::move(a);
    CHECK_THROWS_AS(guard.read(), tl::error);
  }
  CHECK_NOTHROW(guard.change());
}

TEST_CASE("of threads that read and one that changes nobody meets the other") {
  tl::weights_guard guard;
  std::atomic<int> readers = 0, changers = 0, met = 0, came = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 3000; ++i) try {
          if (t == 0) {
            const auto stay = guard.change();
            ++changers;
            if (readers > 0) ++met;
            --changers;
            ++came;
          } else {
            const auto stay = guard.read();
            ++readers;
            if (changers > 0) ++met;
            --readers;
            ++came;
          }
        } catch (const tl::error&) {
        }
    });
  for (std::thread& t : threads) t.join();
  CHECK(met == 0);
  CHECK(came > 0);
}

// A schedule is called in the middle of a step: what other threads do then, they do at the same time.
TEST_CASE("a function is refused while its trainer takes a step") {
  std::function<void()> meanwhile = [] {};
  const auto rule = tl::sgd({.learning_rate = [&](std::int64_t) {
    meanwhile();
    return 0.1f;
  }});
  const auto check = [&](auto net, auto step) {
    const tl::function f{model, tl::weights(net)};
    int refused = 0;
    meanwhile = [&] {
      std::thread([&] {
        try {
          f("x"_t = x);
        } catch (const tl::error& e) {
          CHECK(e.what() == while_changing);
          ++refused;
        }
      }).join();
    };
    step(net);
    CHECK(refused == 1);
    meanwhile = [] {};
    CHECK(f("x"_t = x).loss() == net.evaluate("x"_t = x).loss());
  };
  const auto step = [](auto& net) { net.step("x"_t = x); };
  check(tl::trainer{model, rule}, step);
  check(tl::trainer{model, rule}, [](auto& net) { net.accumulate(1, "x"_t = x); });
  check(tl::trainer{model, tl::lbfgs({.learning_rate =
                                          [&](std::int64_t) {
                                            meanwhile();
                                            return 0.1f;
                                          }})},
        step);
}
