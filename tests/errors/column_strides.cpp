// SPDX-License-Identifier: BSL-1.0
// Columns of what has strides that are not known here: of another library, and of an expression of Eigen's.
// expect: this type has strides that cannot be read here: a column is made of a std::mdspan or an Eigen::Map of its
// reject: no matching
#include <Eigen/Core>
#include <array>

#include <tapeless/data/dataset.hpp>

namespace tl = tapeless;

struct matrix_of_another_library {
  const float* data() const { return elements.data(); }
  std::size_t size() const { return 6; }
  std::array<std::ptrdiff_t, 2> strides() const { return {1, 2}; }
  std::array<float, 6> elements{};
};

int main() {
  const matrix_of_another_library m;
  const Eigen::Map<const Eigen::MatrixXf> map(m.data(), 2, 3);
  tl::data::dataset data;
#ifdef CORRECTED
  data.add("x", {3}, map).add("sum", {3}, (map + map).eval());
#else
  data.add("x", {3}, m).borrow("y", {3}, m).add("sum", {3}, map + map);
#endif
}
