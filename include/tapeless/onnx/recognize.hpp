// SPDX-License-Identifier: BSL-1.0
// As what each node is written.
#pragma once

#include <numbers>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/transform/prune.hpp>
#include <tapeless/onnx/linear_forms.hpp>
#include <tapeless/onnx/norm_forms.hpp>
#include <tapeless/onnx/window_forms.hpp>
#include <tapeless/ops/pointwise/erfc.hpp>
#include <tapeless/ops/pointwise/normal_cdf.hpp>

namespace tapeless::onnx {

/// What a derivative alone needs is written as other operations.
TAPELESS_COLD inline form expanded_form(pattern_graph& p, value y) {
  const node n = y.get();
  return make_form(form_kind::same, tapeless::detail::insert_expanded(p.model(), n));
}

TAPELESS_COLD inline form alias_form(value y) {
  if (is_determinant(y.get())) return make_form(form_kind::determinant, y.operand(1).id);
  return make_form(form_kind::same, y.operand(0).id);
}

TAPELESS_COLD inline form first_of(std::initializer_list<form> forms) {
  for (const form& f : forms)
    if (f.kind != form_kind::node) return f;
  return {};
}

/// What an alias stands for is its operator, so that whoever reads either reads one value: loops that run
/// backwards read this where others read the alias.
TAPELESS_COLD inline form operator_form(pattern_graph& p, value y) {
  const value alias = p.operator_of(y);
  if (!alias.exists()) return {};
  return is_standardized(alias) ? layer_norm_form(p, alias) : softmax_form(p, alias);
}

/// By the complement of erf, which loses nothing where the probability is small.
TAPELESS_COLD inline form normal_cdf_form(pattern_graph& p, value y) {
  const value x = y.operand(0);
  return make_form(form_kind::same,
                   p.built_beside(y.id, [&] { return 0.5 * erfc(-0.5 * std::numbers::sqrt2 * x); }));
}

TAPELESS_COLD inline form pointwise_form(pattern_graph& p, value y) {
  if (is_pointwise<add_operation>(y))
    return first_of({batch_norm_form(y), biased_layer_norm_form(p, y), biased_form(p, y)});
  if (is_pointwise<mul_operation>(y))
    return first_of({weighted_layer_norm_form(p, y), average_pool_form(p, y), mean_form(p, y)});
  if (is_pointwise<div_operation>(y)) return operator_form(p, y);
  if (is_pointwise<normal_cdf_operation>(y)) return normal_cdf_form(p, y);
  return is_pointwise<sub_operation>(y) ? log_softmax_form(p, y) : form{};
}

TAPELESS_COLD inline form view_form(pattern_graph& p, value y) {
  if (!y.is(view_kind::reshape)) return {};
  return first_of({embedding_form(y), rows_times_matrix_form(p, y), kept_reduction_form(p, y)});
}

TAPELESS_COLD inline form pooling_form(pattern_graph& p, value y) {
  switch (y.get().op->as<pooling_kind>()) {
    case pooling_kind::largest:
    case pooling_kind::mean:
      return {};
    case pooling_kind::tied:
    case pooling_kind::shared:
    case pooling_kind::spread:
      return expanded_form(p, y);
  }
  return {};
}

/// The form that y ends, where there is one.
TAPELESS_COLD inline form pattern_of(pattern_graph& p, value y) {
  if (y.is(family::alias)) return alias_form(y);
  if (y.is(family::pointwise)) return pointwise_form(p, y);
  if (y.is(family::product)) return product_form(y);
  if (y.is(family::view)) return view_form(p, y);
  if (y.is(family::pooling)) return pooling_form(p, y);
  if (y.is(gather_kind::by_index)) return slices_form(y);
  if (y.is(reduction_kind::largest)) return max_pool_form(p, y);
  if (y.is(convolution_part::weight)) return expanded_form(p, y);
  return {};
}

/// How node `id` is written, and of which values.
TAPELESS_COLD inline form form_of(pattern_graph& p, int id) {
  form f = pattern_of(p, p.at(id));
  if (f.kind != form_kind::node) return f;
  const node& n = p.at(id).get();
  for (int k = 0; k < n.operand_count; ++k) f.inputs[f.count++] = n.operands[k];
  return f;
}

}  // namespace tapeless::onnx
