// SPDX-License-Identifier: BSL-1.0
// The weights of a trainer with several losses: in snapshots, functions, other trainers and files.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "parameters.hpp"
#include "policies.hpp"
#include "program.hpp"
#include "train/trainer/gan.hpp"
#include "trained_state.hpp"

using namespace test;

TEST_CASE("training by several losses goes on from a snapshot bit for bit") {
  test::on_each_policy([]<class Policy>() {
    tl::trainer net{gan, gan_rule(), Policy{}, 3}, other{gan, gan_rule(), Policy{}, 8};
    const auto go_on = [](auto& one) {
      samples from;
      for (int i = 0; i < 3; ++i) {
        one.template step<"discriminator">("real"_t = from.real(4), "noise"_t = from.noise(4));
        if (i > 0) one.template step<"generator">("noise"_t = from.noise(4));
      }
      return test::state_of(one);
    };
    go_on(net);
    net.template set<"generator.learning_rate">(0.125);
    const auto s = tl::snapshot(net);
    CHECK(s.steps() == 5);
    const std::string expected = go_on(net);
    net.template set<"learning_rate">(0.5);
    tl::restore(net, s);
    CHECK(net.template steps<"generator">() == 2);
    CHECK(net.template get<"generator.learning_rate">() == 0.125);
    CHECK(net.template get<"discriminator.learning_rate">() == 0.01);
    CHECK(go_on(net) == expected);
    tl::restore(other, s);
    CHECK(go_on(other) == expected);
  });
}

TEST_CASE("functions share the weights of a trainer with several losses") {
  constexpr auto generator = [] { return tl::named<"fake">(generate(tl::input<"noise", double, batch, 3>)); };
  test::on_each_policy([&]<class Policy>() {
    tl::trainer net{gan, gan_rule(), Policy{}, 3};
    const tl::function f{generator, tl::weights(net)};
    samples from;
    const auto noise = from.noise(4), real = from.real(4);
    const auto fake = [&](auto& one) {
      return test::elements(one.predict("noise"_t = noise).template get<"fake">());
    };
    const auto computed = [&] { return test::elements(f("noise"_t = noise).template get<"fake">()); };
    const auto before = computed();
    CHECK(before == fake(net));
    net.template step<"discriminator">("real"_t = real, "noise"_t = noise);
    CHECK(computed() == before);
    net.template step<"generator">("noise"_t = noise);
    CHECK(computed() != before);
    CHECK(computed() == fake(net));
    auto moved = std::move(net);
    moved.template step<"generator">("noise"_t = noise);
    CHECK(computed() == fake(moved));
  });
}

TEST_CASE("no step is taken while a function reads the weights") {
  tl::trainer net{gan, gan_rule()};
  const auto shared = net.shared_weights();
  samples from;
  const auto noise = from.noise(4);
  {
    const auto reading = shared->guard.read();
    CHECK_THROWS_WITH(net.step<"generator">("noise"_t = noise),
                      test::contains("while a function on its weights is called or saved in another thread"));
    CHECK(net.steps() == 0);
  }
  net.step<"generator">("noise"_t = noise);
  CHECK(net.steps() == 1);
}

TEST_CASE("parameters go to and from a trainer with several losses by name") {
  tl::trainer net{gan, gan_rule(), tl::default_policy{}, 3}, target{gan, gan_rule(), tl::default_policy{}, 8};
  tl::trainer discriminator{discriminator_alone, for_discriminator(), tl::default_policy{}, 9};
  const auto weight = [](auto& one) {
    return test::elements(one.template parameter<"discriminator.out.weight">());
  };
  tl::copy_parameters(net, discriminator);
  CHECK(weight(discriminator) == weight(net));
  const auto from = all_parameters(net), to = all_parameters(target);
  tl::soft_update(net, target, 0.25);
  std::vector<double> expected;
  for (std::size_t i = 0; i < from.size(); ++i) expected.push_back(0.75 * to[i] + 0.25 * from[i]);
  CHECK(all_parameters(target) == expected);
  tl::copy_parameters(net, target);
  CHECK(all_parameters(target) == from);

  const test::temporary_folder folder;
  discriminator.parameter<"discriminator.out.weight">()[0] = 12;
  tl::save(discriminator, folder.path("d"));
  CHECK_THROWS_WITH(tl::load(net, folder.path("d")), test::contains("missing in the file"));
  tl::load(net, folder.path("d"), {.only = {"discriminator.*"}});
  CHECK(weight(net) == weight(discriminator));
  CHECK(net.steps() == 0);
}
