// SPDX-License-Identifier: BSL-1.0
// The contracts of update rules and of what wraps one. That every rule of the library keeps its contract is
// checked where its ranges are.
#include <tapeless/optim/optim.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct counts {
  static constexpr int hyper_count = 1;
};
struct names {
  static constexpr std::array<tl::name, 1> hyper_names() { return {"strength"}; }
};
struct two_names {
  static constexpr std::array<tl::name, 2> hyper_names() { return {"strength", "weakness"}; }
};
struct sets {
  void set(std::string_view, const tl::hyperparameter&) {}
};
struct writes {
  void write(std::int64_t, tl::array_view<double>) const {}
};
struct writes_once {
  void write(std::int64_t, tl::array_view<double>) {}
};
struct updates {
  static constexpr void update(tl::list<tl::rule_context>&) {}
};
struct updates_by_itself {
  void update(tl::list<tl::rule_context>&) {}
};
struct waits {
  static constexpr bool waits_for_all_gradients = false;
};
struct alone {
  static constexpr bool trains_alone = true;
};
struct not_alone {
  static constexpr bool trains_alone = false;
};
struct wraps {
  using wrapped = int;
};

template <class... Parts>
using contract = tl::rule_contract<test::made_of<Parts...>>;

using descent = decltype(tl::sgd({}));

}  // namespace

TEST_CASE("what has all that the contract asks for is an update rule") {
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, writes, updates, waits>>(""));
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, writes, alone>>(""));
}

TEST_CASE("what lacks a part of it is none") {
  STATIC_REQUIRE_FALSE(tl::is_rule<test::made_of<names, sets, writes, updates, waits>>);  // without a count
  STATIC_REQUIRE(test::lacks<contract<counts, sets, writes, updates, waits>>(
      "hyper_names(), an array of as many names"));
  STATIC_REQUIRE(test::lacks<contract<counts, two_names, sets, writes, updates, waits>>(
      "hyper_names(), an array of as many names"));
  STATIC_REQUIRE(test::lacks<contract<counts, names, writes, updates, waits>>("set(name, hyperparameter)"));
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, updates, waits>>("write(step, values) const"));
  STATIC_REQUIRE(
      test::lacks<contract<counts, names, sets, writes_once, updates, waits>>("write(step, values) const"));
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, writes, waits>>("update(contexts), static"));
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, writes, updates_by_itself, waits>>(
      "update(contexts), static"));
  STATIC_REQUIRE(test::lacks<contract<counts, names, sets, writes, updates>>(
      "waits_for_all_gradients, a constant bool"));
  STATIC_REQUIRE_FALSE(tl::is_rule<test::made_of<counts, names, sets, writes, not_alone>>);
  STATIC_REQUIRE_FALSE(tl::is_rule<tl::scale_by_adam_transform>);
  STATIC_REQUIRE_FALSE(tl::is_rule<int>);
}

TEST_CASE("an optimizer transformation is a rule that says which one it wraps") {
  STATIC_REQUIRE(
      tl::is_optimizer_transformation<test::made_of<counts, names, sets, writes, updates, waits, wraps>>);
  STATIC_REQUIRE_FALSE(
      tl::is_optimizer_transformation<test::made_of<counts, names, sets, writes, updates, waits>>);
  STATIC_REQUIRE_FALSE(tl::is_optimizer_transformation<test::made_of<counts, names, sets, writes, wraps>>);
  STATIC_REQUIRE_FALSE(tl::is_optimizer_transformation<descent>);
  STATIC_REQUIRE_FALSE(tl::is_optimizer_transformation<tl::lbfgs_rule>);
}

TEST_CASE("the library's optimizer transformations keep the contract") {
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::accumulate(2, tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::average(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::average_equally(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::freezable(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::lookahead(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::mixed_precision<tl::f16>(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::sharpness_aware(tl::sgd({})))>);
  STATIC_REQUIRE(tl::is_optimizer_transformation<decltype(tl::skip_nonfinite(tl::sgd({})))>);
}

TEST_CASE("a rule of one's own can be wrapped like the library's") {
  using own = test::made_of<counts, names, sets, writes, updates, waits>;
  STATIC_REQUIRE(tl::is_rule<decltype(tl::lookahead(own{}))>);
  STATIC_REQUIRE(tl::is_rule<const own>);
  STATIC_REQUIRE(decltype(tl::lookahead(own{}))::hyper_count == 3);
}
