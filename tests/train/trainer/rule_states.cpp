// SPDX-License-Identifier: BSL-1.0
// A rule's states by name.
#include <tapeless/train/trainer/rule_states.hpp>

#include <tapeless/optim/optim.hpp>
#include <tapeless/train/program/graph_builders.hpp>

#include "catch.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  return tl::sum(
      tl::square(tl::param<"a.w", float, 3>(tl::normal(1)) * tl::param<"b.w", float>(tl::fill(1))));
};

template <class Rule>
using parameters = tl::model_parameters<decltype(model), tl::compute_type_of<Rule>(), tl::cpu::memory>;
template <class Rule>
using states = tl::rule_states<tl::step_graph_builder<decltype(model), Rule>, parameters<Rule>>;

}  // namespace

TEST_CASE("states are found by their label and their parameter's name") {
  using rule = decltype(tl::adam({.learning_rate = 0.1f}));
  tl::cpu::resources resources{tl::cpu{}};
  tl::state_addresses addresses({2}, states<rule>::count);
  states<rule> s(resources, addresses, 1);
  CHECK(s.view<"adam.mu", "a.w">().size() == 3);
  CHECK(s.view<"adam.mu", "b.w">().size() == 1);
  CHECK(s.view<"adam.mu", "a.w">().data() != s.view<"adam.nu", "a.w">().data());
  CHECK(s.view<"adam.nu", "a.w">()[0] == 0);
  CHECK(s.master_data(0) == nullptr);
  for (std::size_t i = 0; i < states<rule>::count; ++i) CHECK(addresses.all()[2 + i] == s.pointers()[i]);
  CHECK(addresses.all()[0] == nullptr);
}

TEST_CASE("a float copy starts as its parameter does, before that is rounded") {
  using rule = decltype(tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.1f})));
  tl::cpu::resources resources{tl::cpu{}};
  tl::state_addresses addresses({2}, states<rule>::count);
  const states<rule> s(resources, addresses, 7);
  const parameters<rule> p(resources, 7);
  const auto master = s.view<tl::master_label, "a.w">();
  bool differs = false;
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(float(p.view<"a.w">()[i]) == float(tl::bf16(master[i])));
    differs = differs || float(p.view<"a.w">()[i]) != master[i];
  }
  CHECK(differs);
  CHECK(s.master_data(0) == reinterpret_cast<std::byte*>(master.data()));
}

TEST_CASE("parameters are held fast by a pattern of names") {
  using rule = decltype(tl::freezable(tl::sgd({.learning_rate = 0.1f})));
  tl::cpu::resources resources{tl::cpu{}};
  tl::state_addresses addresses({2}, states<rule>::count);
  states<rule> s(resources, addresses, 1);
  const auto frozen = [&] {
    return std::pair(double(s.view<tl::frozen_label, "a.w">()[0]),
                     double(s.view<tl::frozen_label, "b.w">()[0]));
  };
  CHECK(frozen() == std::pair(0.0, 0.0));
  s.set_frozen<"a.*">(true);
  CHECK(frozen() == std::pair(1.0, 0.0));
  s.set_frozen<"*">(false);
  CHECK(frozen() == std::pair(0.0, 0.0));
}
