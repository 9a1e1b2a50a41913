// SPDX-License-Identifier: BSL-1.0
// adagrad, adadelta, asgd and rprop against PyTorch's.
#include "optim/reference.hpp"

TEST_CASE("rules with other scales follow the reference") {
  const auto file = reference::read("optim-adaptive.safetensors");
  if (!file) return;
  int cases = 0;
  for (const auto& [name, text] : file->metadata()) {
    if (name[0] == '_') continue;
    const tl::io::json about = reference::metadata(*file, name);
    const std::string& op = about["op"].as<std::string>();
    if (op == "rmsprop") continue;  // in rmsprop.cpp
    INFO(name);
    const auto hyper = [&](std::string_view key) { return about["hyper"][key].number(); };
    const auto pair = [&](std::string_view key, std::size_t i) {
      return about["hyper"][key].as<tl::io::json::array>()[i].number();
    };
    if (op == "adagrad") {
      reference::follow<12, 5>(*file, name,
                               tl::adagrad({hyper("lr"), hyper("lr_decay"), hyper("weight_decay"),
                                            hyper("initial_accumulator_value"), hyper("eps")}));
    } else if (op == "adadelta") {
      reference::follow<12, 5>(
          *file, name, tl::adadelta({hyper("lr"), hyper("rho"), hyper("eps"), hyper("weight_decay")}));
    } else if (op == "asgd") {
      reference::follow<12, 5>(
          *file, name,
          tl::asgd({hyper("lr"), hyper("lambd"), hyper("alpha"), hyper("t0"), hyper("weight_decay")}));
    } else if (op == "rprop") {
      reference::follow<12, 5>(*file, name,
                               tl::rprop({hyper("lr"), pair("etas", 0), pair("etas", 1),
                                          pair("step_sizes", 0), pair("step_sizes", 1)}));
    } else {
      FAIL_CHECK("no rule for " << op);
    }
    ++cases;
  }
  CHECK(cases == 11);
}
