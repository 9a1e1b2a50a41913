// SPDX-License-Identifier: BSL-1.0
// sgd against PyTorch's: momentum, dampening, Nesterov's momentum, weight decay.
#include "optim/reference.hpp"

TEST_CASE("sgd follows the reference") {
  const auto file = reference::read("optim-sgd.safetensors");
  if (!file) return;
  const auto all = [](const std::string&) { return true; };
  reference::for_each_case(*file, all, [&](auto& name, auto& op, const test::json& stored) {
    REQUIRE(op == "sgd");
    const auto hyper = [&](std::string_view key) { return stored[key].number(); };
    const double rate = hyper("lr"), decay = hyper("weight_decay"), momentum = hyper("momentum");
    if (momentum == 0) {
      reference::follow(*file, name, tl::sgd({.learning_rate = rate, .weight_decay = decay}));
    } else {
      reference::follow(*file, name,
                        tl::sgd({.learning_rate = rate,
                                 .momentum = momentum,
                                 .dampening = hyper("dampening"),
                                 .weight_decay = decay,
                                 .nesterov = stored["nesterov"].as<bool>()}));
    }
  });
}

TEST_CASE("a hyperparameter can be a schedule, and be changed between steps") {
  tl::trainer net{
      [] { return tl::sum(tl::param<"w", double, 2>); },
      tl::sgd({.learning_rate = [](std::int64_t step) { return 1.0 / static_cast<double>(1 + step); }})};
  auto w = net.parameter<"w">();
  net.step();
  CHECK(w[0] == -1);
  net.step();
  CHECK(w[1] == -1.5);
  net.set<"learning_rate">(0.25);
  net.step();
  CHECK(w[0] == -1.75);
  CHECK(net.steps() == 3);
}

TEST_CASE("a chain of transformations is a rule") {
  tl::trainer net{[] { return tl::sum(tl::param<"w", double>(tl::fill(2)) * 3_c); },
                  tl::chain(tl::add_decayed_weights(0.5), tl::chain(tl::trace({.decay = 0.5})),
                            tl::scale_by_learning_rate(0.1))};
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(2 - 0.1 * 4));
  net.step();
  CHECK(net.parameter<"w">()[0] == test::Approx(1.6 - 0.1 * (0.5 * 4 + 3 + 0.8)));
}
