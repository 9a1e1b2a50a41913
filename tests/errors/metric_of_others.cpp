// SPDX-License-Identifier: BSL-1.0
// A metric that takes no results of this model.
// expect: largest_loss` is no metric for this model; it lacks: add(const Result& result, const Batch& batch)
// reject: no matching function
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct largest_loss {
  static constexpr std::string_view label = "largest loss";
  void clear() { largest = 0; }
#ifdef CORRECTED
  void add(const auto& result, const auto&) { largest = result.loss(); }
#else
  void add(double loss) { largest = loss; }
#endif
  tl::measurement get() const { return {largest}; }
  double largest = 0;
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  tl::fit(net, data, {.batch = 4}, largest_loss{});
  tl::evaluate(net, data, largest_loss{});
}
