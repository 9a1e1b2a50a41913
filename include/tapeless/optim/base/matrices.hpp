// SPDX-License-Identifier: BSL-1.0
// What the rules share that are for matrices: the matrix that a parameter is, and the sentence where it is
// none.
#pragma once

#include <tapeless/optim/base/gradient_transform.hpp>

namespace tapeless {

namespace detail {

/// The shape [m, n] in which a rule for matrices sees a parameter of two axes or more: those behind the first
/// count as one, so that a convolution's weight is the matrix [out, in * kernel].
constexpr shape_list matrix_shape(value x) {
  shape_list flat = shape_of(x);
  for (int i = 2; i < flat.rank; ++i)
    flat.extents[1] = x.builder->extents.multiply(flat.extents[1], flat.extents[i]);
  flat.rank = 2;
  return flat;
}

/// Fails for a parameter of fewer axes: `rule` is the name by which users ask for the rule.
constexpr value not_a_matrix(value p, std::string_view rule) {
  text t;
  t << rule << " is for matrices, but the parameter \"" << p.get().label->view() << "\" has the shape ";
  p.builder->describe_shape(t, p.get());
  return p.fail(t << ": give the others a rule of their own, as in partition(for_parameters(matrices, "
                  << rule << "({...})), adamw({...}))");
}

}  // namespace detail

}  // namespace tapeless
