// SPDX-License-Identifier: BSL-1.0
// Contracts, and the sentences of those that are not kept.
#include <tapeless/expr/contract.hpp>

#include "catch.hpp"

namespace tl = tapeless;

namespace {

template <class T>
struct animal {
  using subject = T;
  static constexpr std::string_view noun = "animal";
  static constexpr std::string_view instead = std::is_floating_point_v<T> ? "a cat{} is one" : "";
  static constexpr bool eats = requires(T& t) { t.eat(); };
  static constexpr bool has_legs = requires { T::legs; };
  static constexpr tl::demand demands[2] = {
      {eats, "eat()"},
      {has_legs, "legs, a constant"},
  };
};

struct cat {
  static constexpr int legs = 4;
  void eat() {}
};
struct chair {
  static constexpr int legs = 4;
};
template <int>
struct a_type_with_a_name_that_is_longer_than_anybody_would_want_to_read_in_a_sentence {};
template <int N>
using long_name = a_type_with_a_name_that_is_longer_than_anybody_would_want_to_read_in_a_sentence<N>;
template <class, class>
struct pair {};

template <class T>
std::string sentence() {
  return std::string(tl::detail::broken_contract<animal<T>>().view());
}

}  // namespace

TEST_CASE("a contract is kept where all demands are met") {
  STATIC_REQUIRE(tl::is_kept<animal<cat>>());
  STATIC_REQUIRE_FALSE(tl::is_kept<animal<chair>>());
  STATIC_REQUIRE_FALSE(tl::is_kept<animal<int>>());
  STATIC_REQUIRE(tl::require_contracts<animal<cat>, animal<cat>>());
  STATIC_REQUIRE(tl::require_contracts<>());
}

TEST_CASE("the sentence names the type and all that is missing") {
  CHECK(sentence<int>() == "`int` is no animal; it lacks: eat(); legs, a constant");
  CHECK_THAT(sentence<chair>(), test::contains("chair` is no animal; it lacks: eat()"));
  CHECK_THAT(sentence<chair>(), !test::contains("legs"));
}

TEST_CASE("the sentence says what to write instead where the contract knows") {
  CHECK(sentence<float>() == "`float` is no animal: a cat{} is one");
}

TEST_CASE("a long name leaves room for what is missing") {
  const std::string s = sentence<pair<long_name<1>, long_name<2>>>();
  CHECK_THAT(s, test::contains("...` is no animal; it lacks: eat(); legs, a constant"));
  CHECK(s.size() < 200);
}
