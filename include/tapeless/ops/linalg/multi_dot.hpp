// SPDX-License-Identifier: BSL-1.0
// multi_dot(a, b, c, ...): a product of many matrices, in the order that takes the fewest multiplications.
#pragma once

#include <tapeless/ops/linalg/matmul.hpp>

namespace tapeless {

struct multi_dot_statement {
  static constexpr int arity = -1;
  static constexpr node_list build_all(graph& g, const node_list& x) {
    value all[max_arguments];
    for (int i = 0; i < x.count; ++i) all[i] = {&g, x.ids[i]};
    return node_list::only(checked(all, x.count));
  }

 private:
  static constexpr value checked(value* x, int count) {
    for (int i = 0; i < count; ++i) {
      const bool end = i == 0 || i == count - 1;
      if (x[i].rank() == 2 || (end && x[i].rank() == 1)) continue;
      text t;
      t << "multi_dot of a value of the shape ";
      x[i].builder->describe_shape(t, x[i].get());
      return x[i].fail(t << ": it takes matrices, of which the first and the last may be vectors");
    }
    if (count == 1) return x[0];
    // rows[i] and rows[i + 1] are the extents of matrix i
    std::int64_t rows[max_arguments + 1] = {};
    bool known = true;
    for (int i = 0; i < count; ++i) rows[i] = x[i].rank() == 1 && i == 0 ? 1 : x[i].get().shape[0];
    rows[count] = x[count - 1].rank() == 1 ? 1 : x[count - 1].get().shape[1];
    for (int i = 0; i <= count; ++i) known = known && extent_table::is_literal(rows[i]);
    if (!known) {
      value y = x[0];
      for (int i = 1; i < count; ++i) y = matmul(y, x[i]);
      return y;
    }
    // the fewest multiplications of matrices i to i + length, and where the last product divides them
    double least[max_arguments][max_arguments] = {};
    int at[max_arguments][max_arguments] = {};
    for (int length = 1; length < count; ++length)
      for (int i = 0; i + length < count; ++i) {
        const int j = i + length;
        for (int k = i; k < j; ++k) {
          const double cost = least[i][k] + least[k + 1][j] +
                              static_cast<double>(rows[i]) * static_cast<double>(rows[k + 1]) *
                                  static_cast<double>(rows[j + 1]);
          if (k > i && cost >= least[i][j]) continue;
          least[i][j] = cost;
          at[i][j] = k;
        }
      }
    const auto product = [&](const auto& self, int i, int j) -> value {
      return i == j ? x[i] : matmul(self(self, i, at[i][j]), self(self, at[i][j] + 1, j));
    };
    return product(product, 0, count - 1);
  }
};

/// The product of matrices, in the order that takes the fewest multiplications where all extents are
/// integers, otherwise from left to right. The first may be a vector [n] in place of [1, n], the last [n] in
/// place of [n, 1].
/// @formula y = a b c ...
/// @shapes floating [m, k] [k, l] [l, n] ... -> [m, n]
/// @errors small_products
/// @torch torch.linalg.multi_dot
/// @jax jnp.linalg.multi_dot
/// @given a = [[1, 2]]; b = [[1, 0], [1, 1]]; c = [2, 3]
/// @gives tl::multi_dot(a, b, c) = [12]
template <expression_operand... X>
  requires(sizeof...(X) >= 2)
TAPELESS_FACTORY auto multi_dot(X... x) {
  return make<multi_dot_statement>(x...);
}

}  // namespace tapeless
