// SPDX-License-Identifier: BSL-1.0
// Runs rules on the gradients of stored trajectories (optim-*.safetensors) and compares the parameters.
#pragma once

#include "catch.hpp"
#include "io/json_reader.hpp"
#include "program.hpp"
#include "reference/error.hpp"

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/optim/optim.hpp>
#include <tapeless/train/trainer/trainer.hpp>

namespace reference {

/// A file of TAPELESS_REFERENCE_DIR; none, with a warning, where the folder has no such file.
inline std::optional<tl::io::safetensors> read(const std::string& file) {
  const char* folder = std::getenv("TAPELESS_REFERENCE_DIR");
  if (folder == nullptr || *folder == 0) {
    WARN("SKIPPED: TAPELESS_REFERENCE_DIR is not set");
    return std::nullopt;
  }
  const std::string path = std::string(folder) + "/" + file;
  if (!std::filesystem::exists(path)) {
    WARN("SKIPPED: there is no " << path);
    return std::nullopt;
  }
  return tl::io::safetensors::read(path);
}

/// Calls f(name, operation, hyperparameters) for each case of the file whose operation is wanted.
template <class Wanted, class F>
void for_each_case(const tl::io::safetensors& file, Wanted wanted, F f) {
  int cases = 0;
  for (const auto& [name, text] : file.metadata()) {
    if (name[0] == '_') continue;
    const test::json about = test::read_json(text, file.path());
    const std::string& operation = about["op"].as<std::string>();
    if (!wanted(operation)) continue;
    INFO(name);
    f(name, operation, about["hyper"]);
    ++cases;
  }
  if (cases == 0) WARN("SKIPPED: no case of " << file.path() << " is of these operations");
}

/// So many elements of each parameter are followed at a time.
inline constexpr std::size_t room = 16;

/// A loss whose gradient by a and b is what the inputs ga and gb hold.
struct model {
  constexpr auto operator()() const {
    constexpr std::int64_t n = room;
    return tl::sum(tl::param<"a", double, n> * tl::input<"ga", double, n>) +
           tl::sum(tl::param<"b", double, n> * tl::input<"gb", double, n>);
  }
};

/// What is stored of one parameter: where it starts, and for each step its gradient and what it becomes.
class trajectory {
 public:
  trajectory(const tl::io::safetensors& file, const std::string& name, const std::string& parameter)
      : start_(file[name + ".init_" + parameter].as<double>()),
        gradients_(file[name + ".grads_" + parameter].as<double>()),
        stored_(file[name + ".params_" + parameter].as<double>()),
        steps_(static_cast<std::size_t>(file[name + ".grads_" + parameter].shape.at(0))) {}

  std::size_t size() const { return start_.size(); }
  std::size_t steps() const { return steps_; }
  /// From element `first` on, with zeros behind the last.
  std::vector<double> start(std::size_t first) const { return part(start_, 0, first); }
  std::vector<double> gradient(std::size_t step, std::size_t first) const {
    return part(gradients_, step, first);
  }

  /// Takes the elements from `first` on after a step into the comparison.
  template <class View>
  void compare(const View& found, std::size_t step, std::size_t first) {
    const std::vector<double> expected = part(stored_, step, first);
    for (std::size_t i = 0; i < count(first); ++i) {
      got_.push_back(found[i]);
      want_.push_back(expected[i]);
    }
  }
  /// Of all that was compared, which is everything.
  double error() const {
    REQUIRE(want_.size() == stored_.size());
    return error_of(got_, want_);
  }

 private:
  std::span<const double> start_, gradients_, stored_;
  std::size_t steps_;
  std::vector<double> got_, want_;

  std::size_t count(std::size_t first) const { return first < size() ? std::min(room, size() - first) : 0; }
  std::vector<double> part(std::span<const double> all, std::size_t step, std::size_t first) const {
    std::vector<double> elements(room);
    for (std::size_t i = 0; i < count(first); ++i) elements[i] = all[step * size() + first + i];
    return elements;
  }
};

/// Follows the trajectory `name` with a rule that updates every element for itself, so that parameters of any
/// size are followed a part at a time.
template <class Rule>
void follow(const tl::io::safetensors& file, const std::string& name, const Rule& rule) {
  trajectory a(file, name, "a"), b(file, name, "b");
  REQUIRE(a.steps() >= 1);
  REQUIRE(a.steps() == b.steps());
  for (std::size_t first = 0; first < std::max(a.size(), b.size()); first += room) {
    tl::trainer net{model{}, rule};
    auto found_a = net.template parameter<"a">();
    auto found_b = net.template parameter<"b">();
    std::ranges::copy(a.start(first), found_a.begin());
    std::ranges::copy(b.start(first), found_b.begin());
    for (std::size_t t = 0; t < a.steps(); ++t) {
      net.step("ga"_t = a.gradient(t, first), "gb"_t = b.gradient(t, first));
      a.compare(found_a, t, first);
      b.compare(found_b, t, first);
    }
  }
  CHECK(a.error() <= 1e-10);
  CHECK(b.error() <= 1e-10);
}

}  // namespace reference
