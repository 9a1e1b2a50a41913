// SPDX-License-Identifier: BSL-1.0
// Steps flush denormal numbers to zero, on every thread, and leave the thread's mode as it was.
// both compilers
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/run/cpu/threads/denormals.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"

namespace tl = tapeless;
namespace k = tapeless::cpu_kernels;
using namespace tl::literals;

namespace {

volatile float smallest_normal = std::numeric_limits<float>::min();
volatile float half = 0.5f;
bool has_denormals() { return smallest_normal * half != 0; }

/// Its gradient is 1 in the first step, and 0 in those that follow.
constexpr auto model = [] {
  auto on = tl::input<"on", float>;
  auto w = tl::param<"w", float, 40000>;
  return tl::sum(w * on);
};

/// Elements of the momentum, which halves in each step, that are not zero when it is denormal.
int fading(tl::cpu policy) {
  tl::trainer net{model, tl::sgd({.learning_rate = 1, .momentum = 0.5}), policy};
  for (int i = 0; i < 131; ++i) net.step("on"_t = i == 0 ? 1.0f : 0.0f);
  CHECK(has_denormals());
  int count = 0;
  const auto momentum = net.state<"trace.buffer", "w">();
  for (std::size_t i = 0; i < momentum.size(); ++i) count += std::fpclassify(momentum[i]) == FP_SUBNORMAL;
  return count;
}

/// A rule without states, on so many elements; -1 is a run-time extent.
template <int Elements>
constexpr auto halving = [] {
  auto all = [](auto extent) {
    auto x = tl::input<"x", float, extent()>;
    auto w = tl::param<"w", float>;
    return tl::outputs(w * tl::sum(x), tl::named<"half">(0.5_c * x));
  };
  if constexpr (Elements < 0) {
    return all([] { return tl::dyn<"n">; });
  } else {
    return all([] { return Elements; });
  }
};

/// Whether its step has zero in place of denormal numbers.
template <int Elements>
bool flushes(auto policy) {
  tl::trainer net{halving<Elements>, tl::sgd({.learning_rate = 1}), policy};
  const std::vector<float> x(static_cast<std::size_t>(Elements < 0 ? 1 : Elements),
                             std::numeric_limits<float>::min());
  bool flushed = false;
  for (int i = 0; i < 3; ++i) {  // the first call checks more than others
    const auto half_of = net.step("x"_t = x).template get<"half">();
    const bool is_zero = half_of[0] == 0;
    CHECK((i == 0 || is_zero == flushed));
    flushed = is_zero;
  }
  return flushed;
}

}  // namespace

TEST_CASE("denormal results are zero as long as the mode lives") {
  REQUIRE(has_denormals());
  {
    const k::flushed_denormals mode(true);
    CHECK(has_denormals() != k::floating_point_mode::can_flush);
    {
      const k::flushed_denormals again(true);
      const k::flushed_denormals not_here(false);
    }
    CHECK(has_denormals() != k::floating_point_mode::can_flush);
  }
  CHECK(has_denormals());
  const k::flushed_denormals none(false);
  CHECK(has_denormals());
}

TEST_CASE("moments that fade become zero in a step, on every thread, and the thread's mode stays") {
  for (const int threads : {1, 3}) {
    INFO(threads << " threads");
    CHECK(fading({.threads = threads}) == (k::floating_point_mode::can_flush ? 0 : 40000));
    CHECK(fading({.threads = threads, .flush_denormals = false}) == 40000);
  }
}

TEST_CASE("all policies flush denormal numbers in the same programs") {
  const bool can = k::floating_point_mode::can_flush;
  CHECK_FALSE(flushes<4>(tl::cpu{}));  // to change the mode takes longer than the step
  CHECK_FALSE(flushes<4>(tl::cpu_by_tables{}));
  CHECK_FALSE(flushes<4>(tl::straight_line{}));

  CHECK(flushes<2000000>(tl::cpu{}) == can);
  CHECK(flushes<2000000>(tl::cpu_by_tables{}) == can);

  // by default, it is straight-line code only where vectors are long
  CHECK(flushes<300000>(tl::cpu{}) == flushes<300000>(tl::cpu_by_tables{}));
  CHECK(flushes<300000>(tl::straight_line{}) == flushes<300000>(tl::cpu_by_tables{}));

  CHECK(flushes<-1>(tl::cpu{}) == can);
  CHECK(flushes<-1>(tl::straight_line{}) == can);
}

TEST_CASE("functions compute denormal numbers") {
  tl::function f{[] {
    auto x = tl::input<"x", float, 2>;
    return tl::outputs(tl::named<"half">(0.5_c * x));
  }};
  const float tiny = std::numeric_limits<float>::min();
  CHECK(f("x"_t = std::vector<float>{tiny, 1}).get<"half">()[0] == tiny / 2);
}
