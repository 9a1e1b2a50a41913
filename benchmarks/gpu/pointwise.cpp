// SPDX-License-Identifier: BSL-1.0
// A dozen pointwise operations on 100 million elements in one pass, float: two arrays are read, one is
// written. Usage: pointwise [IGNORED] [SECONDS]
#include "timing.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr std::int64_t count = 100'000'000;

// Parameters, as these are on the device already.
constexpr auto model = [] {
  auto a = tl::param<"a", float, count>(tl::normal(1));
  auto b = tl::param<"b", float, count>(tl::normal(1));
  return tl::outputs(tl::named<"y">(tl::tanh(a) * tl::sigmoid(b) + tl::square(a - b) * 0.5_c - tl::relu(b)));
};

void measure(timing::arguments given) {
  given.size = count;
  tl::function f{model};
  const auto finish = [] {
    timing::wait_for_device();
    return 0.0;
  };
  timing::measure(
      "pointwise", "f32", given, timing::place::device, [&](int) { f(); }, finish,
      3.0 * sizeof(float) * count);
}

}  // namespace

int main(int argc, char** argv) {
  return timing::run([&] { measure({argc, argv, count}); });
}
