// SPDX-License-Identifier: BSL-1.0
// cov(x): the covariances of variables.
#pragma once

#include <tapeless/ops/base/element_kind.hpp>
#include <tapeless/ops/base/refused_call.hpp>
#include <tapeless/ops/linalg/matmul.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/reduction/reduction_options.hpp>
#include <tapeless/ops/reduction/var.hpp>
#include <tapeless/ops/shape/permute.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

namespace detail {

/// What products(c) makes, [.., k, k], of variables c, [.., k, n], that x has in its last two axes, less
/// their means; of one variable [n] -> [].
template <class Products>
constexpr value of_variables(value x, const Products& products) {
  if (x.rank() < 2) {
    const std::int64_t count = element_count(*x.builder, shape_of(x));
    return reshape(of_variables(reshape(x, {2, {1, count}}), products), {});
  }
  return at_least_float(x, [&](value of) { return products(deviation(of, 1u << (of.rank() - 1))); });
}

}  // namespace detail

template <double Correction>
struct cov_statement {
  static constexpr std::string_view name = "cov";
  static constexpr int arity = 1;
  static constexpr value build(value x) {
    if (!detail::require_kind(name, x, element_kind::floating)) return x;
    return detail::of_variables(x, [](value c) {
      const std::int64_t count = c.get().shape[c.rank() - 1];
      return matmul(c, transpose_last(c)) / detail::degrees_of_freedom(*c.builder, count, Correction);
    });
  }
};

/// sum_k (x_ik - mean_i) (x_jk - mean_j) / (n - N) of the variables i and j, whose n observations are rows:
/// the diagonal has var<-1>(x). Of one variable, [n], it is its variance; of [1, n] it is [1, 1]. Behind x
/// may follow correction<N> (1 where it is not given: the unbiased estimate). Not finite where n <= N.
/// @formula y_ij = sum_k (x_ik - mean_i) (x_jk - mean_j) / (n - N)
/// @shapes floating [.., variables, n] -> [.., variables, variables]
/// @errors element_kinds covariance_options
/// @torch torch.cov
/// @jax jnp.cov
/// @given x = [[1, 2, 6], [4, 2, 0]]
/// @gives tl::cov(x) = [[7, -5], [-5, 4]]
/// @gives tl::cov(x, tl::correction<0>) = [[4.667, -3.333], [-3.333, 2.667]]
template <reduction_operand X>
TAPELESS_FACTORY auto cov(X x) {
  return make<cov_statement<1.0>>(x);
}
template <reduction_operand X, auto N>
TAPELESS_FACTORY auto cov(X x, correction_t<N>) {
  return make<cov_statement<static_cast<double>(N)>>(x);
}

// What else may not follow x.
template <reduction_operand X, class Option>
constexpr auto cov(X x, Option) {
  return detail::refuse_call<sentence{"cov"}, sentence{"behind x it takes a correction alone"},
                             sentence{"(x, tl::correction<0>)"}>(x);
}

}  // namespace tapeless
