// SPDX-License-Identifier: BSL-1.0
// Hyperparameters that cannot be meant are refused, whether numbers or what schedules come up with, and rules
// say what they are made of.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <limits>
#include <string>

#include "catch.hpp"
#include "optim/ranges.hpp"
#include "program.hpp"

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN(),
                 infinity = std::numeric_limits<double>::infinity();

constexpr auto model = [] { return tl::sum(tl::square(tl::param<"w", float, 2, 2>(tl::fill(1)))); };

struct own_transform : tl::gradient_transform<1> {
  static constexpr std::array<tl::name, 1> hyper_names{"strength"};
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) { return c.hyper(0) * g; }
};

using test::check_ranges;
using test::text_of;

}  // namespace

TEST_CASE("every rule has ranges for all its hyperparameters") {
  check_ranges(tl::adabelief({}));
  check_ranges(tl::adadelta({}));
  check_ranges(tl::adafactor({}));
  check_ranges(tl::adagrad({}));
  check_ranges(tl::adam({}));
  check_ranges(tl::adam({.amsgrad = true}));
  check_ranges(tl::adamax({}));
  check_ranges(tl::adan({}));
  check_ranges(tl::apollo<2>({}));
  check_ranges(tl::apollo_mini({}));
  check_ranges(tl::asgd({}));
  check_ranges(tl::dadapt({}));
  check_ranges(tl::fromage({}));
  check_ranges(tl::lamb({}));
  check_ranges(tl::lars({}));
  check_ranges(tl::lbfgs({}));
  check_ranges(tl::lion({}));
  check_ranges(tl::muon({}));
  check_ranges(tl::nadam({}));
  check_ranges(tl::novograd({}));
  check_ranges(tl::prodigy({}));
  check_ranges(tl::radam({}));
  check_ranges(tl::rmsprop({}));
  check_ranges(tl::rmsprop({.momentum = 0.9, .centered = true}));
  check_ranges(tl::rprop({}));
  check_ranges(tl::schedule_free_sgd({}));
  check_ranges(tl::schedule_free_adamw({}));
  check_ranges(tl::sgd({}));
  check_ranges(tl::sgd({.momentum = 0.9, .nesterov = true}));
  check_ranges(tl::shampoo({}));
  check_ranges(tl::sm3({.momentum = 0.9}));
  check_ranges(tl::sophia({}));
  check_ranges(tl::yogi({}));
  check_ranges(tl::chain(tl::adaptive_clip(), tl::add_noise(), tl::centralize(), tl::clip_by_global_norm(1),
                         tl::clip_by_norm(1), tl::clip_by_value(1), tl::ema(), tl::identity(),
                         tl::set_to_zero(), tl::scale(-1),
                         tl::graft(tl::scale_by_shampoo(), tl::scale_by_adafactor())));
  const auto inside = tl::average(tl::average_equally(tl::lookahead(
      tl::sharpness_aware(tl::adaptive_sharpness_aware(tl::freezable(tl::skip_nonfinite(tl::adam({}))))))));
  check_ranges(tl::accumulate(2, tl::mixed_precision<tl::f16>(inside)));
  check_ranges(tl::mixed_precision<tl::bf16>(inside, tl::fixed_loss_scale{}));
}

TEST_CASE("what rules are made of") {
  CHECK(text_of(tl::adamw({})) == "chain(scale_by_adam, add_decayed_weights, scale_by_learning_rate)");
  CHECK(text_of(tl::accumulate(3, tl::mixed_precision<tl::f16>(tl::lookahead(tl::sgd({}))))) ==
        "accumulate(mixed_precision<f16>(lookahead(chain(add_decayed_weights, scale_by_learning_rate), "
        "sync_period, slow_step_size), growth_interval))");
  CHECK(text_of(tl::chain(tl::clip_by_global_norm(1, tl::order<1>),
                          tl::graft(tl::scale_by_apollo<3>(), tl::masked(tl::identity(), tl::matrices)))) ==
        "chain(clip_by_global_norm<1>, graft(scale_by_apollo<3>, identity))");
  CHECK(text_of(tl::chain(own_transform{{{-1}}})) == "chain(unnamed(strength))");
}

TEST_CASE("numbers are refused when the trainer is made, or when they are set") {
  const auto refuses = [](const auto& rule, const std::string& text) {
    CHECK_THROWS_AS((tl::trainer{model, rule}), tl::error);
    CHECK_THROWS_WITH((tl::trainer{model, rule}), "tapeless: the hyperparameter " + text);
  };
  refuses(tl::sgd({.learning_rate = no_number}),
          "\"learning_rate\" is nan; it must be 0 or more, and finite");
  refuses(tl::sgd({.learning_rate = -1}), "\"learning_rate\" is -1; it must be 0 or more, and finite");
  refuses(tl::sgd({.learning_rate = infinity}), "\"learning_rate\" is inf; it must be 0 or more, and finite");
  refuses(tl::adam({.beta1 = 2}), "\"beta1\" is 2; it must be 0 or more, and below 1");
  refuses(tl::adam({.beta2 = 1}), "\"beta2\" is 1; it must be 0 or more, and below 1");
  refuses(tl::adam({.epsilon = -1e-9}), "\"epsilon\" is -1e-09; it must be 0 or more, and finite");
  refuses(tl::lookahead(tl::sgd({}), {.sync_period = 0}),
          "\"sync_period\" is 0; it must be 1 or more, and finite");
  refuses(tl::radam({.threshold = 3}), "\"threshold\" is 3; it must be 4 or more");
  refuses(tl::lbfgs({.learning_rate = 0}), "\"learning_rate\" is 0; it must be above 0, and finite");
  refuses(tl::mixed_precision<tl::f16>(tl::sgd({}), tl::fixed_loss_scale{0}),
          "\"loss_scale\" is 0; it must be above 0, and finite");
  CHECK_NOTHROW(tl::trainer{model, tl::shampoo({.beta2 = 1})});
  CHECK_NOTHROW(tl::trainer{model, tl::chain(tl::clip_by_global_norm(infinity), tl::scale(-0.1))});

  tl::trainer net{model, tl::adam({.learning_rate = 0.1})};
  CHECK_THROWS_WITH(net.set<"learning_rate">(-0.5), test::contains("\"learning_rate\" is -0.5"));
  CHECK_THROWS_WITH(net.set<"beta2">(no_number), test::contains("\"beta2\" is nan"));
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(0.9));
}

TEST_CASE("what a schedule comes up with is refused in the step that asks for it") {
  const auto falling = [](std::int64_t t) { return 0.1 - 0.1 * static_cast<double>(t); };
  tl::trainer net{model, tl::average(tl::sgd({.learning_rate = falling}))};
  net.step();
  net.step();
  const auto before = test::elements(net.parameter<"w">());
  CHECK_THROWS_WITH(net.step(),
                    "tapeless: the hyperparameter \"learning_rate\" is -0.1 in step 2 (counted "
                    "from 0); it must be 0 or more, and finite");
  CHECK(net.steps() == 2);
  CHECK(test::elements(net.parameter<"w">()) == before);
  net.set<"learning_rate">([](std::int64_t) { return no_number; });
  CHECK_THROWS_WITH(net.step(), test::contains("\"learning_rate\" is nan in step 2"));
  CHECK_THROWS_WITH(net.get<"learning_rate">(), test::contains("\"learning_rate\" is nan in step 2"));
  net.set<"learning_rate">(0.1);
  net.step();
  CHECK(net.steps() == 3);
}
