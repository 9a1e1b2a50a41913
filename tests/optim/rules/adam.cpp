// SPDX-License-Identifier: BSL-1.0
// adam and adamw against PyTorch's, with and without amsgrad.
#include "optim/reference.hpp"

TEST_CASE("adam and adamw follow the reference") {
  const auto file = reference::read("optim-adam.safetensors");
  if (!file) return;
  const auto adam_or_adamw = [](const std::string& op) { return op == "adam" || op == "adamw"; };
  reference::for_each_case(*file, adam_or_adamw, [&](auto& name, auto& op, const test::json& stored) {
    const auto hyper = [&](std::string_view key) { return stored[key].number(); };
    const auto& betas = stored["betas"].as<test::json::array>();
    const double rate = hyper("lr"), beta1 = betas[0].number(), beta2 = betas[1].number();
    const double epsilon = hyper("eps"), decay = hyper("weight_decay");
    const bool amsgrad = stored["amsgrad"].as<bool>();
    if (op == "adam" && !amsgrad) {
      reference::follow(*file, name, tl::adam({rate, beta1, beta2, epsilon, decay}));
    } else if (op == "adam") {
      reference::follow(*file, name, tl::adam({rate, beta1, beta2, epsilon, decay, amsgrad}));
    } else if (!amsgrad) {
      reference::follow(*file, name, tl::adamw({rate, beta1, beta2, epsilon, decay}));
    } else {
      reference::follow(*file, name, tl::adamw({rate, beta1, beta2, epsilon, decay, amsgrad}));
    }
  });
}

TEST_CASE("the first step of adam has the size of the learning rate, whatever the gradient's is") {
  tl::trainer net{[] { return tl::sum(1000_c * tl::param<"w", float, 3>); },
                  tl::adam({.learning_rate = 0.1})};
  net.step();
  for (float w : net.parameter<"w">()) CHECK(w == test::Approx(-0.1));
}

TEST_CASE("without a gradient, weight decay of adamw shrinks a weight, and adam leaves it alone") {
  const auto model = [] { return tl::sum(0_c * tl::square(tl::param<"w", double>(tl::fill(2)))); };
  tl::trainer decayed{model, tl::adamw({.learning_rate = 0.1, .weight_decay = 0.5})};
  decayed.step();
  CHECK(decayed.parameter<"w">()[0] == test::Approx(2 * (1 - 0.05)));
  tl::trainer plain{model, tl::adam({.learning_rate = 0.1})};
  plain.step();
  CHECK(plain.parameter<"w">()[0] == 2);
}

TEST_CASE("a rule without braces has the options of {}") {
  const auto model = [] { return tl::sum(tl::square(tl::param<"w", double>(tl::fill(2)))); };
  tl::trainer bare{model, tl::adam()}, braced{model, tl::adam({})};
  bare.step();
  braced.step();
  CHECK(bare.parameter<"w">()[0] == braced.parameter<"w">()[0]);
}
