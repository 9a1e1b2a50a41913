// SPDX-License-Identifier: BSL-1.0
// What fit shall train on cannot be read; the compiler says what it lacks, once.
// both compilers
// expect: spirals` is no source of samples; it lacks: read(std::int64_t i, tl::data::sample& s), or fetch(
// reject: no matching function
// reject: no member named
// reject: has no member
// reject: size()
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::square(tl::linear<"fc", 1>(x)));
};

struct spirals {
  std::int64_t size() const { return 3000; }
#ifdef CORRECTED
  void read(std::int64_t i, tl::data::sample& s) const { s.get<float>("x")[0] = static_cast<float>(i); }
#else
  void get(std::int64_t i, tl::data::sample& s) const { s.get<float>("x")[0] = static_cast<float>(i); }
#endif
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  auto history = tl::fit(net, spirals{}, {.batch = 4});
  history.back().train["loss"];
}
