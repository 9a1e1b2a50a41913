// SPDX-License-Identifier: BSL-1.0
// What is in a rule several times: its states and hyperparameters have names of their own.
#include "catch.hpp"
#include "program.hpp"

#include <array>
#include <string>

#include <tapeless/optim/base/repeated_labels.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/trainer/trainer.hpp>

#include "io/temporary_folder.hpp"

namespace {

using tl::detail::in_group, tl::detail::numbered;

static_assert(numbered("trace.buffer", 1) == tl::name("trace.buffer"));
static_assert(numbered("trace.buffer", 2) == tl::name("trace_2.buffer"));
static_assert(numbered("average", 12) == tl::name("average_12"));
static_assert(numbered("a.b.c", 3) == tl::name("a_3.b.c"));
constexpr tl::name longest = "a23456789012345678901234567890123456789012345678901234567890123";
static_assert(numbered(longest, 2) == longest);
static_assert(in_group("fc1.*", "beta1") == tl::name("fc1.*.beta1") &&
              in_group("", "beta1") == tl::name("beta1"));
static_assert(in_group("a", longest) == longest);

template <class Rule>
std::string names_of(const Rule&) {
  std::string all;
  for (const tl::name& n : Rule::hyper_names()) all += std::string(n.view()) + " ";
  return all;
}

constexpr auto model = [] {
  auto s = tl::input<"s", double>;
  return s * (tl::sum(tl::square(tl::param<"w", double, 2, 2>(tl::fill(3)))) +
              tl::sum(tl::param<"b", double, 2>(tl::fill(1))));
};

// States of one name, as transformations of users may have them.
template <int>
struct own_mean : tl::gradient_transform<1> {
  static constexpr std::array<tl::name, 1> hyper_names{"share"};
  static constexpr tl::value transform(tl::rule_context& c, tl::value g) {
    const tl::value m = c.state<"m">();
    return c.set(m, m + c.hyper(0) * (g - m));
  }
};

// What was saved goes on as what was not.
template <class Rule>
void is_saved(const Rule& rule) {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{model, rule}, other{model, rule};
  for (double s : {1., 0.5}) net.step("s"_t = s);
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  net.step("s"_t = 0.3);
  other.step("s"_t = 0.3);
  for (std::size_t i = 0; i < 4; ++i)
    CHECK(net.template parameter<"w">()[i] == other.template parameter<"w">()[i]);
  CHECK(net.template parameter<"w">()[0] != 3);
}

}  // namespace

TEST_CASE("a rule that has a transformation several times is saved and loaded") {
  is_saved(tl::chain(tl::trace({.decay = 0.9}), tl::trace({.decay = 0.5}), tl::scale(-0.1)));
  is_saved(tl::chain(tl::ema({.decay = 0.9}), tl::ema({.decay = 0.5}), tl::ema({}), tl::scale(-0.1)));
  is_saved(tl::average(tl::average_equally(tl::sgd({.learning_rate = 0.1}))));
  is_saved(tl::average(tl::average(tl::sgd({.learning_rate = 0.1}))));
  is_saved(tl::chain(own_mean<0>{{{0.5}}}, own_mean<1>{{{0.25}}}, tl::scale(-0.1)));
  is_saved(
      tl::partition(tl::for_parameters(tl::matrices, tl::chain(tl::ema({}), tl::ema({}), tl::scale(-0.1))),
                    tl::chain(tl::ema({}), tl::scale(-0.1))));
}

TEST_CASE("each has a state of its own name") {
  tl::trainer net{model, tl::chain(tl::ema({.decay = 0.5, .debias = false}),
                                   tl::ema({.decay = 0.75, .debias = false}), tl::scale(-0.1))};
  net.step("s"_t = 1.);
  CHECK(net.state<"ema.mean", "b">()[0] == Approx(0.5));
  CHECK(net.state<"ema_2.mean", "b">()[0] == Approx(0.125));

  tl::trainer means{model, tl::average(tl::average_equally(tl::sgd({.learning_rate = 0.1})))};
  means.step("s"_t = 1.);
  CHECK(means.state<"average", "b">()[0] == Approx(0.9));
  CHECK(means.state<"average_2", "b">()[0] == Approx(0.9));
}

TEST_CASE("one of several hyperparameters of a name is set by its label, all of them without") {
  tl::trainer net{model, tl::chain(tl::trace({.decay = 0.9}), tl::trace({.decay = 0.5}), tl::scale(-0.1))};
  CHECK(net.get<"trace.momentum">() == 0.9);
  CHECK(net.get<"trace_2.momentum">() == 0.5);
  net.set<"trace_2.momentum">(0.25);
  CHECK(net.get<"trace.momentum">() == 0.9);
  CHECK(net.get<"trace_2.momentum">() == 0.25);
  CHECK_THROWS_WITH(net.get<"momentum">(), Catch::Contains("\"trace_2.momentum\" is 0.25"));
  CHECK_THROWS_WITH(net.set<"trace.momentum">(2), Catch::Contains("\"trace.momentum\" is 2; it must be"));
  net.set<"trace.momentum">([](std::int64_t step) { return step == 0 ? 0.0 : 0.75; });
  net.step("s"_t = 1.);
  CHECK(net.get<"trace.momentum">() == 0.75);
  net.set<"momentum">(0.125);
  CHECK(net.get<"momentum">() == 0.125);
}

TEST_CASE("what is there once keeps its names") {
  CHECK(names_of(tl::chain(tl::trace({.decay = 0.9}), tl::ema({}), tl::scale(-0.1))) ==
        "momentum dampening nesterov decay debias factor ");
  CHECK(names_of(tl::chain(tl::add_decayed_weights(0.1), tl::sgd({.learning_rate = 0.1}))) ==
        "add_decayed_weights.weight_decay add_decayed_weights_2.weight_decay learning_rate ");
  CHECK(names_of(tl::partition(tl::for_parameters<"deep">(tl::matrices, tl::chain(tl::ema({}), tl::ema({}))),
                               tl::chain(tl::ema({})))) ==
        "ema.deep.decay ema.deep.debias ema_2.deep.decay ema_2.deep.debias rest.decay rest.debias ");
}
