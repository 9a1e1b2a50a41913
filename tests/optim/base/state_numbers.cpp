// SPDX-License-Identifier: BSL-1.0
// The numbers of states: no two of a program's have the same.
#include <tapeless/optim/base/state_numbers.hpp>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/program/graph_builders.hpp>
#include <tapeless/train/program/parameters.hpp>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

constexpr tl::state_numbers of_three{3};

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"v", float, 2> * tl::param<"w", float>)); };

/// The labels of a program's states by number; where one is missing or has two labels, none.
template <class Builder>
std::vector<std::string> labels_of_states() {
  std::vector<std::string> labels;
  for (const tl::node& n : tl::constant_graph_of<Builder>.nodes) {
    if (n.op->kind != tl::family::state) continue;
    const auto number = static_cast<std::size_t>(tl::state_number(n));
    if (number >= labels.size()) labels.resize(number + 1);
    if (!labels[number].empty()) return {};
    labels[number] = n.label->view();
  }
  return labels;
}

}  // namespace

TEST_CASE("gradients come first, then the loss scale, then what the rule asks for") {
  STATIC_REQUIRE(tl::state_numbers::gradient_of(0) == 0);
  STATIC_REQUIRE(tl::state_numbers::gradient_of(2) == 2);
  STATIC_REQUIRE(of_three.first_of_rule() == 3);
  STATIC_REQUIRE(of_three.loss_scale() == 3);
  STATIC_REQUIRE(of_three.first_free(false) == 3);
  STATIC_REQUIRE(of_three.first_free(true) == 4);
}

TEST_CASE("a rule's states are numbered behind the gradients") {
  using rule = decltype(tl::sgd({.learning_rate = 0.1f, .momentum = 0.9f}));
  using labels = std::vector<std::string>;
  CHECK(labels_of_states<tl::apply_graph_builder<decltype(model), rule>>() ==
        labels{"gradient", "gradient", "trace.buffer", "trace.buffer"});
  CHECK(labels_of_states<tl::step_graph_builder<decltype(model), rule>>() ==
        labels{"", "", "trace.buffer", "trace.buffer"});
}

TEST_CASE("a loss scale that changes is the first of the rule's states") {
  using rule = decltype(tl::mixed_precision<tl::f16>(tl::sgd({.learning_rate = 0.1f})));
  const auto of_step = labels_of_states<tl::step_graph_builder<decltype(model), rule>>();
  REQUIRE(of_step.size() > 3);
  CHECK(of_step[2] == "loss_scale");
  const auto of_apply = labels_of_states<tl::apply_graph_builder<decltype(model), rule>>();
  REQUIRE(of_apply.size() == of_step.size());
  CHECK(of_apply[1] == "gradient");
  CHECK(of_apply[2] == "loss_scale");
}

TEST_CASE("float copies that gradients start from have the same numbers in all programs") {
  using rule = decltype(tl::mixed_precision<tl::f16>(tl::sharpness_aware(tl::sgd({}))));
  using labels = std::vector<std::string>;
  const auto of_step = labels_of_states<tl::step_graph_builder<decltype(model), rule>>();
  const labels first{"", "", "loss_scale", "master", "master"};
  REQUIRE(of_step.size() >= first.size());
  CHECK(labels(of_step.begin(), of_step.begin() + 5) == first);
  CHECK(labels_of_states<tl::accumulate_graph_builder<decltype(model), rule>>() ==
        labels{"gradient", "gradient", "loss_scale", "master", "master"});
  const auto of_apply = labels_of_states<tl::apply_graph_builder<decltype(model), rule>>();
  REQUIRE(of_apply.size() == of_step.size());
  CHECK(of_apply[3] == "master");
  CHECK(of_apply[4] == "master");
}
