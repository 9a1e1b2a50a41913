// SPDX-License-Identifier: BSL-1.0
// adamax, nadam and radam against PyTorch's.
#include "optim/reference.hpp"

TEST_CASE("the other rules of the family of adam follow the reference") {
  const auto file = reference::read("optim-adam.safetensors");
  if (!file) return;
  int cases = 0;
  for (const auto& [name, text] : file->metadata()) {
    if (name[0] == '_') continue;
    const tl::io::json about = reference::metadata(*file, name);
    const std::string& op = about["op"].as<std::string>();
    if (op == "adam" || op == "adamw") continue;  // in adam.cpp
    INFO(name);
    const auto hyper = [&](std::string_view key) { return about["hyper"][key].number(); };
    const auto& betas = about["hyper"]["betas"].as<tl::io::json::array>();
    const double rate = hyper("lr"), beta1 = betas[0].number(), beta2 = betas[1].number();
    const double epsilon = hyper("eps"), decay = hyper("weight_decay");
    if (op == "adamax") {
      reference::follow<12, 5>(*file, name, tl::adamax({rate, beta1, beta2, epsilon, decay}));
    } else if (op == "radam") {
      reference::follow<12, 5>(*file, name, tl::radam({rate, beta1, beta2, epsilon, decay}));
    } else if (op == "nadam") {
      reference::follow<12, 5>(*file, name,
                               tl::nadam({rate, beta1, beta2, epsilon, decay, hyper("momentum_decay")}));
    } else {
      FAIL_CHECK("no rule for " << op);
    }
    ++cases;
  }
  CHECK(cases == 9);
}
