// SPDX-License-Identifier: BSL-1.0
// The contract of callbacks, and what they are told.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "contracts.hpp"

namespace tl = tapeless;

namespace {

struct labelled {
  static constexpr std::string_view label = "label";
};
struct measures {
  void clear() {}
  tl::measurement get() const { return {}; }
  void add(const auto&, const auto&) {}
};
struct begins {
  void on_begin(const tl::fit_progress&) {}
};
struct steps {
  bool on_step(const tl::fit_progress&) { return true; }
};
struct ends_epochs {
  void on_epoch_end(const tl::fit_progress&, const tl::epoch_report&) {}
};
struct ends_generically {
  void on_epoch_end(const auto&, const auto&) {}
};
struct ends {
  void on_end(const tl::fit_progress&) {}
};
struct steps_with_the_trainer {
  void on_step(auto& net, const tl::fit_progress&) { net.steps(); }
};
struct is_called {
  bool operator()(const tl::fit_progress& p) const { return p.seconds < 1; }
};
struct keeps_a_state {
  void state(tl::fit_state&) {}
};
struct ends_without_a_report {
  void on_epoch_end(const tl::fit_progress&) {}
};
struct steps_by_number {
  void on_step(const std::string&) {}
};
struct steps_to_a_number {
  int on_step(const tl::fit_progress&) { return 0; }
};
struct begins_without_progress {
  void on_begin() {}
};
struct ends_with_a_report {
  void on_end(const tl::epoch_report&) {}
};
struct is_called_with_a_number {
  void operator()(const std::string&) {}
};
struct looks_at_batches {
  void on_batch(auto&, const auto&, const tl::fit_progress&) {}
};
struct looks_at_gradients {
  void on_gradients(auto&, const tl::fit_progress&) {}
};
struct looks_at_batches_alone {
  void on_batch(const tl::fit_progress&) {}
};
struct looks_at_gradients_alone {
  void on_gradients() {}
};
struct ends_with_the_trainer_but_no_report {
  void on_epoch_end(auto&, const tl::fit_progress&) {}
};
struct steps_with_more {
  void on_step(auto&, const tl::fit_progress&, int) {}
};
struct begins_in_two_ways {
  void on_begin() {}
  void on_begin(int) {}
};
struct looks_at_batches_without_progress {
  void on_batch(auto&, const auto&) {}
};
struct looks_at_gradients_with_more {
  void on_gradients(auto&, const tl::fit_progress&, int) {}
};
struct steps_and_is_final final {
  void on_step() {}
  void on_end(const tl::fit_progress&) {}
};
struct keeps_to_itself : ends {
 private:
  void on_step(const tl::fit_progress&) {}
};
struct hides_a_base : private tl::early_stopping {
  bool on_step(const tl::fit_progress&) { return true; }
};
struct looks_at_parts {
  int parts = 0;
  template <class Net>
  void on_batch(Net&, const tl::batch_source<typename Net::accumulate_program>&, const tl::fit_progress&) {
    ++parts;
  }
};
struct misspelled {
  void on_epoch(const tl::fit_progress&) {}
};

template <class... Parts>
using callback = tl::callback_contract<test::made_of<Parts...>>;

}  // namespace

TEST_CASE("what is a metric, or told one thing of a fit, is a callback") {
  STATIC_REQUIRE(test::lacks<callback<labelled, measures>>(""));
  STATIC_REQUIRE(test::lacks<callback<begins>>(""));
  STATIC_REQUIRE(test::lacks<callback<steps>>(""));
  STATIC_REQUIRE(test::lacks<callback<ends_epochs>>(""));
  STATIC_REQUIRE(test::lacks<callback<ends_generically>>(""));
  STATIC_REQUIRE(test::lacks<callback<ends>>(""));
  STATIC_REQUIRE(test::lacks<callback<steps_with_the_trainer>>(""));
  STATIC_REQUIRE(test::lacks<callback<is_called>>(""));
  STATIC_REQUIRE(test::lacks<callback<begins, steps, ends_epochs, ends, labelled, measures>>(""));
  STATIC_REQUIRE(test::lacks<callback<looks_at_batches>>(""));
  STATIC_REQUIRE(test::lacks<callback<looks_at_gradients>>(""));
  const auto lambda = [](const tl::fit_progress& p) { return p.seconds < 1; };
  STATIC_REQUIRE(tl::is_callback<decltype(lambda)>);
  const auto with_trainer = [](auto& net, const tl::fit_progress&) { return net.steps() < 3; };
  STATIC_REQUIRE(tl::is_callback<decltype(with_trainer)>);
}

TEST_CASE("what would never be told anything is none") {
  constexpr std::string_view any =
      "on_begin(progress), on_step(progress) or on_epoch_end(progress, report), a call with the progress, or "
      "what a metric has; each returns nothing or a bool";
  STATIC_REQUIRE(test::lacks<callback<misspelled>>(any));
  STATIC_REQUIRE(test::lacks<callback<measures>>(any));
  STATIC_REQUIRE(test::lacks<callback<is_called_with_a_number>>(any));
  STATIC_REQUIRE(test::lacks<tl::callback_contract<int>>(any));
  STATIC_REQUIRE(test::lacks<tl::callback_contract<tl::cpu>>(any));
}

TEST_CASE("what has a function of the right name with other arguments or answers is none") {
  STATIC_REQUIRE(test::lacks<callback<begins_without_progress, steps>>(
      "on_begin(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<steps_by_number, ends_epochs>>(
      "on_step(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<steps_to_a_number, ends_epochs>>(
      "on_step(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<ends_without_a_report, steps>>(
      "on_epoch_end(const fit_progress&, const epoch_report&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<ends_with_a_report, steps>>(
      "on_end(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<looks_at_batches_alone, steps>>(
      "on_batch(auto& net, const auto& batch, const fit_progress&) with these arguments"));
  STATIC_REQUIRE(test::lacks<callback<looks_at_gradients_alone, steps>>(
      "on_gradients(auto& net, const fit_progress&) with these arguments"));
}

TEST_CASE("what looks only at the batches of a fit in parts is told of each part") {
  constexpr auto model = [] {
    return tl::mean(tl::linear<"fc", 1>(tl::input<"x", float, tl::dyn<"batch">, 2>));
  };
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  data.add("x", {2}, std::vector<float>(2 * 8));
  test::made_of<looks_at_parts, steps> callback;
  tl::fit(net, data, {.epochs = 1, .batch = 4, .physical_batch = 2}, callback);
  CHECK(callback.parts == 4);
}

TEST_CASE("the same where the function is a template, overloaded or private, or the class is final") {
  STATIC_REQUIRE(test::lacks<callback<ends_with_the_trainer_but_no_report, steps>>(
      "on_epoch_end(const fit_progress&, const epoch_report&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<steps_with_more, ends>>(
      "on_step(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<begins_in_two_ways, ends>>(
      "on_begin(const fit_progress&) with these arguments, void or bool"));
  STATIC_REQUIRE(test::lacks<callback<looks_at_batches_without_progress, ends>>(
      "on_batch(auto& net, const auto& batch, const fit_progress&) with these arguments"));
  STATIC_REQUIRE(test::lacks<callback<looks_at_gradients_with_more, ends>>(
      "on_gradients(auto& net, const fit_progress&) with these arguments"));
  STATIC_REQUIRE_FALSE(tl::is_callback<steps_and_is_final>);
  STATIC_REQUIRE_FALSE(tl::is_callback<keeps_to_itself>);
  STATIC_REQUIRE_FALSE(tl::is_callback<hides_a_base>);
}

TEST_CASE("what has a state has a label by which it is found again") {
  STATIC_REQUIRE(test::lacks<callback<steps, keeps_a_state, labelled>>(""));
  STATIC_REQUIRE(
      test::lacks<callback<steps, keeps_a_state>>("label, static, by which its state is found again"));
}

TEST_CASE("the library's metrics and callbacks keep their contracts") {
  STATIC_REQUIRE(tl::is_metric<tl::accuracy<"logits", "label">>);
  STATIC_REQUIRE(tl::is_callback<tl::accuracy<"logits", "label">>);
  STATIC_REQUIRE(tl::is_callback<tl::progress_bar>);
  STATIC_REQUIRE_FALSE(tl::is_metric<tl::progress_bar>);
  STATIC_REQUIRE(tl::is_callback<decltype(tl::reduce_on_plateau({}))>);
  STATIC_REQUIRE(tl::is_callback<tl::early_stopping>);
  STATIC_REQUIRE(tl::is_callback<tl::stop_after>);
  STATIC_REQUIRE(tl::is_callback<tl::stop_on_nonfinite>);
  STATIC_REQUIRE(tl::is_callback<tl::stop_on_interrupt>);
  STATIC_REQUIRE(tl::is_callback<tl::save_best>);
  STATIC_REQUIRE(tl::is_callback<tl::fit_checkpoint>);
}
