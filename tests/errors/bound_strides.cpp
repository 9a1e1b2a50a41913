// SPDX-License-Identifier: BSL-1.0
// A type with strides that are not known here.
// expect: this type has strides that cannot be read here: bind a std::mdspan or an Eigen::Map of its elements
// reject: no matching function
// reject: no match for
// reject: no type named
// reject: no member named
// reject: has no member
#include <Eigen/Core>
#include <array>

#include <tapeless/expr/input.hpp>
#include <tapeless/ops/ops.hpp>
#include <tapeless/train/trainer/function.hpp>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto model = [] { return 2_c * tl::input<"x", float, 2, 3>; };

struct matrix_of_another_library {
  const float* data() const { return elements.data(); }
  std::size_t size() const { return 6; }
  std::array<std::ptrdiff_t, 2> strides() const { return {1, 2}; }
  std::array<float, 6> elements{};
};

int main() {
  tl::function f{model};
  const matrix_of_another_library m;
#ifdef CORRECTED
  f("x"_t = Eigen::Map<const Eigen::MatrixXf>(m.data(), 2, 3));
#else
  f("x"_t = m);
#endif
}
