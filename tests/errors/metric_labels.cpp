// SPDX-License-Identifier: BSL-1.0
// Two metrics of one label: a report would show only one of them.
// expect: two metrics have the same label, and reports can show only one of them
#include <tapeless/tapeless.hpp>

namespace tl = tapeless;

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto digit = tl::input<"digit", std::int32_t, tl::dyn<"batch">>;
  auto sign = tl::input<"sign", std::int32_t, tl::dyn<"batch">>;
  auto a = tl::linear<"a", 10>(x);
  auto b = tl::linear<"b", 2>(x);
  return tl::outputs(tl::cross_entropy(a, digit) + tl::cross_entropy(b, sign), tl::named<"a">(a),
                     tl::named<"b">(b));
};

int main() {
  tl::trainer net{model, tl::sgd({})};
  tl::data::dataset data;
#ifdef CORRECTED
  tl::accuracy<"b", "sign", "sign accuracy"> of_signs;
#else
  tl::accuracy<"b", "sign"> of_signs;
#endif
  tl::evaluate(net, data, tl::accuracy<"a", "digit">(), of_signs);
}
