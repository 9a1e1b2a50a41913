// SPDX-License-Identifier: BSL-1.0
// The contracts of metrics and callbacks.
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
struct begins {
  void on_begin(const tl::fit_progress&) {}
};
struct steps {
  void on_step(const tl::fit_progress&) {}
};
struct ends {
  void on_epoch_end(const tl::fit_progress&, const tl::epoch_report&) {}
};
struct ends_generically {
  void on_epoch_end(const auto&, const auto&) {}
};
struct ends_without_a_report {
  void on_epoch_end(const tl::fit_progress&) {}
};
struct steps_by_number {
  void on_step(const std::string&) {}
};
struct begins_without_progress {
  void on_begin() {}
};
struct misspelled {
  void on_epoch(const tl::fit_progress&) {}
};

template <class... Parts>
using metric = tl::metric_contract<test::made_of<Parts...>>;
template <class... Parts>
using callback = tl::callback_contract<test::made_of<Parts...>>;
template <class... Parts>
using adding = tl::adding_contract<test::made_of<Parts...>, double, double>;

}  // namespace

TEST_CASE("what has a label and can be cleared and read is a metric") {
  STATIC_REQUIRE(test::lacks<metric<labelled, clears, gets, adds>>(""));
  STATIC_REQUIRE(test::lacks<metric<clears, gets, adds>>("label, static, its name in reports"));
  STATIC_REQUIRE(test::lacks<metric<labelled, gets, adds>>("clear()"));
  STATIC_REQUIRE(test::lacks<metric<labelled, clears, adds>>("get(), which returns a measurement"));
  STATIC_REQUIRE(
      test::lacks<metric<labelled, clears, gets_a_text, adds>>("get(), which returns a measurement"));
}

TEST_CASE("a metric adds a program's results") {
  constexpr std::string_view add = "add(const Result& result, const Batch& batch), a template";
  STATIC_REQUIRE(test::lacks<adding<labelled, clears, gets, adds>>(""));
  STATIC_REQUIRE(test::lacks<adding<labelled, clears, gets>>(add));
  STATIC_REQUIRE(test::lacks<tl::adding_contract<test::made_of<labelled, clears, gets, adds_numbers>,
                                                 std::string, std::string>>(add));
  STATIC_REQUIRE(test::lacks<adding<steps>>(""));  // no metric: nothing is added
}

TEST_CASE("what is a metric, or told one thing of a fit, is a callback") {
  STATIC_REQUIRE(test::lacks<callback<labelled, clears, gets, adds>>(""));
  STATIC_REQUIRE(test::lacks<callback<begins>>(""));
  STATIC_REQUIRE(test::lacks<callback<steps>>(""));
  STATIC_REQUIRE(test::lacks<callback<ends>>(""));
  STATIC_REQUIRE(test::lacks<callback<ends_generically>>(""));
  STATIC_REQUIRE(test::lacks<callback<begins, steps, ends, labelled, clears, gets, adds>>(""));
}

TEST_CASE("what would never be told anything is none") {
  constexpr std::string_view any =
      "on_begin(progress), on_step(progress) or on_epoch_end(progress, report), or what a metric has";
  STATIC_REQUIRE(test::lacks<callback<misspelled>>(any));
  STATIC_REQUIRE(test::lacks<callback<labelled, gets, adds>>(any));
  STATIC_REQUIRE(test::lacks<tl::callback_contract<int>>(any));
  STATIC_REQUIRE(test::lacks<tl::callback_contract<tl::cpu>>(any));
}

TEST_CASE("what has a function of the right name with other arguments is none") {
  STATIC_REQUIRE(test::lacks<callback<begins_without_progress, steps>>(
      "on_begin(const fit_progress&) with these arguments"));
  STATIC_REQUIRE(
      test::lacks<callback<steps_by_number, ends>>("on_step(const fit_progress&) with these arguments"));
  STATIC_REQUIRE(test::lacks<callback<ends_without_a_report, steps>>(
      "on_epoch_end(const fit_progress&, const epoch_report&) with these arguments"));
}

TEST_CASE("the library's metrics and callbacks keep their contracts") {
  STATIC_REQUIRE(tl::is_metric<tl::accuracy<"logits", "label">>);
  STATIC_REQUIRE(tl::is_callback<tl::accuracy<"logits", "label">>);
  STATIC_REQUIRE(tl::is_callback<tl::progress_bar>);
  STATIC_REQUIRE_FALSE(tl::is_metric<tl::progress_bar>);
  STATIC_REQUIRE(tl::is_callback<decltype(tl::reduce_on_plateau({}))>);
}
