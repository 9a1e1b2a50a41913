// SPDX-License-Identifier: BSL-1.0
// adamax, nadam and radam against PyTorch's.
#include "optim/reference.hpp"

TEST_CASE("the other rules of the family of adam follow the reference") {
  const auto file = reference::read("optim-adam.safetensors");
  if (!file) return;
  const auto others = [](const std::string& op) { return op != "adam" && op != "adamw"; };  // see adam.cpp
  reference::for_each_case(*file, others, [&](auto& name, auto& op, const test::json& stored) {
    const auto hyper = [&](std::string_view key) { return stored[key].number(); };
    const auto& betas = stored["betas"].as<test::json::array>();
    const double rate = hyper("lr"), beta1 = betas[0].number(), beta2 = betas[1].number();
    const double epsilon = hyper("eps"), decay = hyper("weight_decay");
    if (op == "adamax") {
      reference::follow(*file, name, tl::adamax({rate, beta1, beta2, epsilon, decay}));
    } else if (op == "radam") {
      reference::follow(*file, name, tl::radam({rate, beta1, beta2, epsilon, decay}));
    } else if (op == "nadam") {
      reference::follow(*file, name,
                        tl::nadam({rate, beta1, beta2, epsilon, decay, hyper("momentum_decay")}));
    } else {
      FAIL_CHECK("no rule for " << op);
    }
  });
}
