// SPDX-License-Identifier: BSL-1.0
// What evaluate shall measure cannot be cleared: no metric.
// both compilers
// expect: largest_loss` is no metric; it lacks: clear()
// reject: get()
// reject: no matching function
// reject: no member named
// reject: has no member
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct largest_loss {
  static constexpr std::string_view label = "largest loss";
#ifdef CORRECTED
  void clear() { largest = 0; }
#endif
  void add(const auto& result, const auto&) { largest = result.loss(); }
  tl::measurement get() const { return {largest}; }
  double largest = 0;
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
  auto report = tl::evaluate(net, data, largest_loss{});
  report = tl::evaluate(net, data, {.batch = 4}, largest_loss{});
  report["largest loss"];
}
