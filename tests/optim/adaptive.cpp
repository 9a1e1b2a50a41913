// SPDX-License-Identifier: BSL-1.0
// adagrad, adadelta, asgd and rprop against PyTorch's.
#include "optim/reference.hpp"

TEST_CASE("rules with other scales follow the reference") {
  const auto file = reference::read("optim-adaptive.safetensors");
  if (!file) return;
  const auto others = [](const std::string& op) { return op != "rmsprop"; };  // see rmsprop.cpp
  reference::for_each_case(*file, others, [&](auto& name, auto& op, const test::json& stored) {
    const auto hyper = [&](std::string_view key) { return stored[key].number(); };
    const auto pair = [&](std::string_view key, std::size_t i) {
      return stored[key].as<test::json::array>()[i].number();
    };
    if (op == "adagrad") {
      reference::follow(*file, name,
                        tl::adagrad({hyper("lr"), hyper("lr_decay"), hyper("weight_decay"),
                                     hyper("initial_accumulator_value"), hyper("eps")}));
    } else if (op == "adadelta") {
      reference::follow(*file, name,
                        tl::adadelta({hyper("lr"), hyper("rho"), hyper("eps"), hyper("weight_decay")}));
    } else if (op == "asgd") {
      reference::follow(
          *file, name,
          tl::asgd({hyper("lr"), hyper("lambd"), hyper("alpha"), hyper("t0"), hyper("weight_decay")}));
    } else if (op == "rprop") {
      reference::follow(*file, name,
                        tl::rprop({hyper("lr"), pair("etas", 0), pair("etas", 1), pair("step_sizes", 0),
                                   pair("step_sizes", 1)}));
    } else {
      FAIL_CHECK("no rule for " << op);
    }
  });
}
