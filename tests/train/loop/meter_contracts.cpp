// SPDX-License-Identifier: BSL-1.0
// The contract of a metric.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct labelled {
  static constexpr std::string_view label = "label";
};
struct clears {
  void clear() {}
};
struct gets {
  tl::measurement get() const { return {}; }
};
struct gets_a_text {
  std::string get() const { return {}; }
};
struct adds {
  void add(const auto&, const auto&) {}
};
struct adds_numbers {
  void add(int, int) {}
};
struct steps {
  void on_step(const tl::fit_progress&) {}
};

template <class... Parts>
using metric = tl::metric_contract<test::made_of<Parts...>>;
template <class... Parts>
using adding = tl::adding_contract<test::made_of<Parts...>, double, double>;

}  // namespace

TEST_CASE("what has a label and can be cleared is a metric; what it is read by returns a measurement") {
  STATIC_REQUIRE(test::lacks<metric<labelled, clears, gets, adds>>(""));
  STATIC_REQUIRE(test::lacks<metric<clears, gets, adds>>("label, static, its name in reports"));
  STATIC_REQUIRE(test::lacks<metric<labelled, gets, adds>>("clear()"));
  STATIC_REQUIRE(test::lacks<metric<labelled, clears, adds>>(""));  // reports nothing
  STATIC_REQUIRE(
      test::lacks<metric<labelled, clears, gets_a_text, adds>>("get(), which returns a measurement"));
}

TEST_CASE("metrics that report something have different labels, none of them that of the loss") {
  using one = test::made_of<labelled, clears, gets, adds>;
  using silent = test::made_of<labelled, clears, adds>;
  STATIC_REQUIRE(tl::detail::have_different_labels<>());
  STATIC_REQUIRE(tl::detail::have_different_labels<one, steps, silent>());
  STATIC_REQUIRE(!tl::detail::have_different_labels<one, steps, one>());
  STATIC_REQUIRE(!tl::detail::have_different_labels<tl::accuracy<"logits", "label", "loss">>());
  STATIC_REQUIRE(
      tl::detail::have_different_labels<tl::accuracy<"a", "b">, tl::accuracy<"c", "d", "other">>());
}

TEST_CASE("a metric adds a program's results") {
  constexpr std::string_view add = "add(const Result& result, const Batch& batch), a template";
  STATIC_REQUIRE(test::lacks<adding<labelled, clears, gets, adds>>(""));
  STATIC_REQUIRE(test::lacks<adding<labelled, clears, gets>>(add));
  STATIC_REQUIRE(test::lacks<tl::adding_contract<test::made_of<labelled, clears, gets, adds_numbers>,
                                                 std::string, std::string>>(add));
  STATIC_REQUIRE(test::lacks<adding<steps>>(""));  // no metric: nothing is added
}
