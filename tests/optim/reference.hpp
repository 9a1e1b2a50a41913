// SPDX-License-Identifier: BSL-1.0
// Runs rules on the gradients of stored trajectories (optim-*.safetensors) and compares the parameters.
#pragma once

#include "catch.hpp"
#include "program.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include <tapeless/io/json_reader.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace reference {

/// A file of TAPELESS_REFERENCE_DIR, with a warning where there is none.
inline std::optional<tl::io::safetensors> read(const std::string& file) {
  const char* folder = std::getenv("TAPELESS_REFERENCE_DIR");
  if (folder == nullptr || *folder == 0) {
    WARN("skipped: TAPELESS_REFERENCE_DIR is not set");
    return std::nullopt;
  }
  return tl::io::safetensors::read(std::string(folder) + "/" + file);
}

inline tl::io::json metadata(const tl::io::safetensors& file, const std::string& name) {
  return tl::io::read_json(file.metadata().at(name), file.path());
}

/// A loss whose gradient by a and b is what the inputs ga and gb hold.
template <std::int64_t A, std::int64_t B>
struct model {
  constexpr auto operator()() const {
    return tl::sum(tl::param<"a", double, A> * tl::input<"ga", double, A>) +
           tl::sum(tl::param<"b", double, B> * tl::input<"gb", double, B>);
  }
};

/// Follows the trajectory `name` with the rule; A and B are the numbers of elements of the two parameters.
template <std::int64_t A, std::int64_t B, class Rule>
void follow(const tl::io::safetensors& file, const std::string& name, Rule rule) {
  INFO(name);
  tl::trainer net{model<A, B>{}, std::move(rule)};
  const auto tensor = [&](const char* role) { return file[name + "." + role].template as<double>(); };
  const auto first_a = tensor("init_a"), first_b = tensor("init_b");
  REQUIRE(first_a.size() == A);
  REQUIRE(first_b.size() == B);
  auto a = net.template parameter<"a">();
  auto b = net.template parameter<"b">();
  std::copy(first_a.begin(), first_a.end(), a.begin());
  std::copy(first_b.begin(), first_b.end(), b.begin());
  const std::size_t steps = tensor("grads_a").size() / A;
  REQUIRE(steps >= 1);
  double worst = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    net.step("ga"_t = tensor("grads_a").subspan(t * A, A), "gb"_t = tensor("grads_b").subspan(t * B, B));
    for (std::size_t i = 0; i < A; ++i)
      worst = std::max(worst, std::abs(a[i] - tensor("params_a")[t * A + i]));
    for (std::size_t i = 0; i < B; ++i)
      worst = std::max(worst, std::abs(b[i] - tensor("params_b")[t * B + i]));
  }
  CHECK(worst < 1e-10);
}

}  // namespace reference
