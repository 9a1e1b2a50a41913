// SPDX-License-Identifier: BSL-1.0
// Averages in the place of parameters, when functions read the weights or the averages cannot be computed.
#include <tapeless/train/trainer/averaged_weights.hpp>

#include <tapeless/tapeless.hpp>

#include <atomic>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4>;
  return tl::mean(tl::square(tl::linear<"w", 4>(x) - 1_c));
};

}  // namespace

TEST_CASE("averages that cannot be computed leave the parameters what they were") {
  tl::trainer net{model, tl::sgd({})};
  const auto weights = net.shared_weights();
  const auto before = test::elements(net.parameter<"w.weight">());
  const auto half = [&]() -> void {
    for (float& w : net.parameter<"w.weight">()) w = 7;
    throw std::runtime_error("no memory");
  };
  CHECK_THROWS_AS(tl::weights_in_use(weights, net.parameter_descriptions(), half), std::runtime_error);
  CHECK(test::elements(net.parameter<"w.weight">()) == before);
  CHECK_NOTHROW(net.step("x"_t = std::vector<float>(4, 1)));
}

TEST_CASE("averages stand in until no function reads them in another thread") {
  tl::trainer net{model, tl::average(tl::sgd({.learning_rate = 0.1f}))};
  const std::vector<float> x(4, 1);
  net.step("x"_t = x);
  net.step("x"_t = x);
  const auto weights = net.shared_weights();
  std::atomic<bool> began = false, ended = false;
  std::thread reader;
  bool stayed = true;
  {
    const auto averages = net.averaged_weights();
    const auto average = test::elements(net.parameter<"w.weight">());
    reader = std::thread([&, average] {
      const auto reading = weights->guard.read();
      const auto* first = reinterpret_cast<const float*>(weights->parameters.memory().pointers()[0]);
      began = true;
      for (int i = 0; i < 2'000'000; ++i) {
        const volatile float now = *first;
        stayed = stayed && now == static_cast<float>(average[0]);
      }
      ended = true;
    });
    while (!began) {
    }
  }
  CHECK(ended);
  reader.join();
  CHECK(stayed);
  CHECK_NOTHROW(net.step("x"_t = x));
}
