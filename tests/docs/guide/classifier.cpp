// SPDX-License-Identifier: BSL-1.0
// The one source that includes the library: the guide of large programs.
#include "classifier.hpp"

#include <tapeless/tapeless.hpp>

#include <array>

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 2>;
  auto y = tl::input<"y", int, batch>;
  auto logits = tl::linear<"out", 2>(tl::tanh(tl::linear<"hidden", 16>(x)));
  return tl::outputs(tl::cross_entropy(logits, y), tl::named<"class">(tl::argmax<-1>(logits)));
};

auto make_trainer() { return tl::trainer{model, tl::adam({.learning_rate = 1e-2f})}; }

}  // namespace

struct classifier::implementation {
  decltype(make_trainer()) net = make_trainer();
};

classifier::classifier() : self_(std::make_unique<implementation>()) {}
classifier::~classifier() = default;
classifier::classifier(classifier&&) noexcept = default;
classifier& classifier::operator=(classifier&&) noexcept = default;

float classifier::learn(std::span<const float> points, std::span<const int> labels) {
  return self_->net.step("x"_t = points, "y"_t = labels).loss();
}

int classifier::classify(float x, float y) {
  return static_cast<int>(self_->net.predict("x"_t = std::array{x, y}).get<"class">()[0]);
}

void classifier::save(const std::string& path) const { tl::save(self_->net, path); }
