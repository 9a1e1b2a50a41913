// SPDX-License-Identifier: BSL-1.0
// Chains without a learning rate, as whole rules: nothing in them turns the gradient's sign.
// expect: no part of this chain turns the gradient's sign, and the loss would grow
// expect: the last one is tl::scale_by_learning_rate(0.1), or tl::scale(0.1) where the loss is to grow
// first: no part of this chain turns the gradient's sign
// lines: 60
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

// Nothing is known of it.
struct own_transform : tl::gradient_transform<0> {
  static constexpr std::array<tl::name, 0> hyper_names{};
  static constexpr tl::value transform(tl::rule_context&, tl::value g) { return -0.1 * g; }
};

int main() {
#ifdef CORRECTED
  const auto rate = tl::scale_by_learning_rate(0.1);
#else
  const auto rate = tl::add_decayed_weights(0.1);
#endif
  const auto adam = tl::scale_by_adam();
  tl::trainer clipped{model, tl::chain(tl::clip_by_global_norm(1), adam, rate)};
  tl::trainer averaged{model, tl::accumulate(4, tl::average(tl::chain(tl::trace({.decay = 0.9}), rate)))};
  tl::trainer by_groups{
      model, tl::partition(tl::for_parameters(tl::matrices, tl::chain(adam, rate)), tl::chain(adam, rate))};
  tl::trainer own{model, tl::chain(adam, own_transform{})};
  tl::trainer upwards{model, tl::chain(adam, tl::scale(0.1))};
  tl::trainer half{model, tl::partition(tl::for_parameters(tl::matrices, tl::chain(adam)), tl::sgd({}))};
}
