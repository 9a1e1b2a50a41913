// SPDX-License-Identifier: BSL-1.0
// The states of a trainer's rule, which can be read, written and held fast.
#include <tapeless/train/trainer/trainer_rule_states.hpp>

#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

// Its gradients are 1.
constexpr auto model = [] {
  return tl::sum(tl::param<"body.w", float, 2>(tl::fill(1)) + tl::param<"head.w", float, 2>(tl::fill(1)));
};

}  // namespace

TEST_CASE("the next step goes on from a state that is written") {
  tl::trainer net{model, tl::sgd({.learning_rate = 0.5f, .momentum = 0.5f})};
  net.step();
  const auto velocity = net.state<"trace.buffer", "head.w">();
  CHECK(test::elements(velocity) == std::vector<double>{1, 1});
  velocity[1] = 3;
  net.step();
  CHECK(test::elements(velocity) == std::vector<double>{1.5, 2.5});
  CHECK(test::elements(net.parameter<"head.w">()) == std::vector<double>{-0.25, -0.75});
  CHECK(net.master_data(0) == nullptr);
}

TEST_CASE("a float copy is read alone, and assign changes it with its parameter") {
  tl::trainer net{model, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.5f}))};
  const auto master = net.master<"body.w">();
  STATIC_REQUIRE(std::is_same_v<decltype(master[0]), const float&>);
  net.assign<"body.w">(std::vector<float>{2, 1.001f});
  CHECK(master[1] == 1.001f);
  CHECK(float(net.parameter<"body.w">()[1]) == 1);
  CHECK(net.master_data(0) == reinterpret_cast<const std::byte*>(master.data()));
}

TEST_CASE("parameters are held fast until they are let go") {
  tl::trainer net{model, tl::freezable(tl::sgd({.learning_rate = 0.5f}))};
  const auto body = net.parameter<"body.w">(), head = net.parameter<"head.w">();
  net.freeze<"body.*">();
  net.step();
  CHECK(std::pair(body[0], head[0]) == std::pair(1.0f, 0.5f));
  net.thaw<"*">();
  net.step();
  CHECK(std::pair(body[0], head[0]) == std::pair(0.5f, 0.0f));
}
