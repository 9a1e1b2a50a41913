// SPDX-License-Identifier: BSL-1.0
// States in 16 bits: those of the rule inside, not those of what stands around it.
#include "optim/reference.hpp"
#include "value_graph.hpp"

#include <type_traits>

namespace {

constexpr auto model = [] {
  return tl::sum(tl::square(tl::param<"w", float, 4> - tl::input<"x", float, 4>));
};

template <tl::name State, class Rule, class Element>
constexpr bool keeps_as(Rule, Element) {
  using net = decltype(tl::trainer{model, std::declval<Rule>()});
  using view = decltype(std::declval<net&>().template state<State, "w">());
  return std::is_same_v<std::remove_cvref_t<decltype(std::declval<view&>()[0])>, Element>;
}

}  // namespace

TEST_CASE("states_as says nothing of what stands around it") {
  const auto rule = tl::states_as<tl::bf16>(tl::adam({}));
  CHECK(keeps_as<"adam.mu">(rule, tl::bf16()));
  CHECK(keeps_as<"adam.nu">(rule, tl::bf16()));
  CHECK(keeps_as<"average">(tl::average(rule), float()));
  CHECK(keeps_as<"average">(tl::average_equally(rule), float()));
  CHECK(keeps_as<"adam.mu">(tl::lookahead(rule), tl::bf16()));
  CHECK(keeps_as<"lookahead.slow">(tl::lookahead(rule), float()));
  CHECK(keeps_as<"lookahead.slow">(tl::states_as<tl::bf16>(tl::lookahead(tl::adam({}))), tl::bf16()));
}

TEST_CASE("of states_as in states_as each says what it names, and the inner one what both do") {
  const auto mu_inside = tl::states_as<tl::f16, "adam.nu">(tl::states_as<tl::bf16, "adam.mu">(tl::adam({})));
  CHECK(keeps_as<"adam.mu">(mu_inside, tl::bf16()));
  CHECK(keeps_as<"adam.nu">(mu_inside, tl::f16()));
  const auto nu_inside = tl::states_as<tl::bf16, "adam.mu">(tl::states_as<tl::f16, "adam.nu">(tl::adam({})));
  CHECK(keeps_as<"adam.mu">(nu_inside, tl::bf16()));
  CHECK(keeps_as<"adam.nu">(nu_inside, tl::f16()));
  const auto both = tl::states_as<tl::bf16>(tl::states_as<tl::f16, "adam.nu">(tl::adam({})));
  CHECK(keeps_as<"adam.mu">(both, tl::bf16()));
  CHECK(keeps_as<"adam.nu">(both, tl::f16()));
}

TEST_CASE("of states_as in states_as there are four at most, and a sentence says so") {
  tl::graph g;
  const tl::value w = test::input<"w">(g, {2});
  tl::rule_context c(w, w);
  for (int i = 0; i < 4; ++i) c.begin_storing(nullptr);
  CHECK(!g.failed());
  c.begin_storing(nullptr);
  CHECK(g.error.view() == "states_as stands in states_as 4 times at most");
}

TEST_CASE("an average goes on where steps are smaller than 16 bits can tell") {
  const std::vector<float> x{1, 2, 3, 4};
  const auto averaged = [&](auto rule) {
    tl::trainer net{model, tl::average(rule)};
    net.template assign<"w">(std::vector<float>{0.5f, 1.25f, 2.9f, 3.99f});
    for (int i = 0; i < 1000; ++i) net.step("x"_t = x);
    const auto averages = net.averaged_weights();
    const auto w = net.template parameter<"w">();
    return std::vector<float>(w.begin(), w.end());
  };
  const auto rule = tl::sgd({.learning_rate = 1e-4f, .momentum = 0.9});
  const auto want = averaged(rule), got = averaged(tl::states_as<tl::bf16>(rule));
  for (std::size_t i = 0; i < 4; ++i) CHECK(got[i] == test::Approx(want[i]).margin(0.02));
}
