// SPDX-License-Identifier: BSL-1.0
// Normalizations, softmax and its logarithm, means: as what they were in the model.
#pragma once

#include <limits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/forms.hpp>
#include <tapeless/ops/activation/softmax.hpp>
#include <tapeless/ops/norm/standardize.hpp>
#include <tapeless/ops/reduction/mean.hpp>

namespace tapeless::onnx {

/// The sum of a reduction whose axes stay, or do not.
constexpr value sum_behind(value v) {
  const value sum = behind(view_kind::reshape, v);
  return sum.is(reduction_kind::sum) ? sum : value{};
}

TAPELESS_COLD inline form softmax_form(pattern_graph& p, value y) {
  const value x = y.operand(1), terms = y.operand(0).operand(0);
  const unsigned axes = axes_of(y.get());
  const double scale = y.get().number;
  const value mask = is_pointwise<where_operation>(terms) ? terms.operand(0) : value{};
  for (const bool may_be_empty : {true, false}) {
    if (only_axis(axes) < 0) break;
    if (!p.is_built(y.id, [&] { return tapeless::detail::softmax(x, axes, mask, scale, may_be_empty); }))
      continue;
    form f = mask.exists() ? make_form(form_kind::masked_softmax, mask.id, x.id)
                           : make_form(form_kind::softmax, x.id);
    f.axis = only_axis(axes);
    f.number = scale;
    f.flags[0] = may_be_empty;
    return f;
  }
  return {};
}

TAPELESS_COLD inline form log_softmax_form(pattern_graph& p, value y) {
  const value shifted = y.operand(0), log_total = y.operand(1);
  if (!is_pointwise<sub_operation>(shifted) || !is_pointwise<log_operation>(log_total)) return {};
  const value total = log_total.operand(0);
  if (!is_pointwise<where_operation>(total)) return {};
  const value x = shifted.operand(0), sum = sum_behind(total.operand(2));
  if (!sum.exists() || only_axis(axes_of(sum.get())) < 0) return {};
  const unsigned axes = axes_of(sum.get());
  if (!p.is_built(y.id, [&] { return tapeless::detail::log_softmax(x, axes); })) return {};
  form f = make_form(form_kind::log_softmax, x.id);
  f.axis = only_axis(axes);
  return f;
}

/// The number that is added to a variance, of which v is the root.
constexpr double added_to_variance(value v) {
  const value sum = v.operand(0);
  return is_pointwise<add_operation>(sum) && is_constant(sum.operand(1)) ? sum.operand(1).get().number : 0;
}

constexpr bool is_standardized(value v) { return v.is(standardize_operation<true>::op); }

/// Values less their mean, divided by their deviation, over the last axes.
TAPELESS_COLD inline form layer_norm_form(pattern_graph& p, value y) {
  const value x = y.operand(1), deviation = y.operand(2);
  const unsigned axes = sum_operation::reduced_axes(y, deviation);
  int first = 0;
  while (first < y.rank() && (axes >> first & 1u) == 0) ++first;
  const unsigned last_axes = ((1u << y.rank()) - 1) & ~((1u << first) - 1);
  const double eps = is_pointwise<sqrt_operation>(deviation) ? added_to_variance(deviation) : 0;
  if (axes == 0 || axes != last_axes ||
      !p.is_built(y.id, [&] { return standardize_operation<true>::build(x, axes, eps); }))
    return {};
  form f = make_form(form_kind::layer_norm, x.id);
  f.axis = first;
  f.number = eps;
  return f;
}

/// Adds to a layer's form its weight or bias, if that is one; else {}.
TAPELESS_COLD inline form with_affine(pattern_graph& p, form layer, value x, value more) {
  if (layer.kind != form_kind::layer_norm || !p.has_one_reader(x)) return {};
  shape_list s{x.rank() - layer.axis, {}};
  for (int i = 0; i < s.rank; ++i) s.extents[i] = x.get().shape[layer.axis + i];
  if (!(shape_of(more) == s)) return {};
  layer.inputs[layer.count++] = more.id;
  return layer;
}
TAPELESS_COLD inline form weighted_layer_norm_form(pattern_graph& p, value y) {
  const value x = y.operand(0);
  return is_standardized(x) ? with_affine(p, layer_norm_form(p, x), x, y.operand(1)) : form{};
}
TAPELESS_COLD inline form biased_layer_norm_form(pattern_graph& p, value y) {
  const value x = y.operand(0);
  if (!is_pointwise<mul_operation>(x)) return {};
  return with_affine(p, weighted_layer_norm_form(p, x), x, y.operand(1));
}

/// The parameter of one number for each channel of x, axis 1, that v is; {} where v is none.
constexpr value parameter_of_channels(value v, value x) {
  value all = behind(view_kind::reshape, v);
  if (all.is(family::alias)) all = all.operand(0);  // stop_gradient of one that is frozen
  shape_list s{x.rank(), {}};
  for (int i = 0; i < s.rank; ++i) s.extents[i] = i == 1 ? x.get().shape[1] : 1;
  return all.is(family::parameter) && all.rank() == 1 && shape_of(v) == s ? all : value{};
}

/// (x - mean) / sqrt(variance + eps) weight + bias, of parameters.
TAPELESS_COLD inline form batch_norm_form(value y) {
  const value scaled = y.operand(0);
  if (!is_pointwise<mul_operation>(scaled)) return {};
  const value divided = scaled.operand(0);
  if (!is_pointwise<div_operation>(divided)) return {};
  const value centred = divided.operand(0), deviation = divided.operand(1);
  if (!is_pointwise<sub_operation>(centred) || !is_pointwise<sqrt_operation>(deviation)) return {};
  const value sum = deviation.operand(0), x = centred.operand(0);
  if (!is_pointwise<add_operation>(sum) || !is_constant(sum.operand(1)) || x.rank() < 2) return {};
  form f = make_form(form_kind::batch_norm, x.id);
  for (const value& v : {scaled.operand(1), y.operand(1), centred.operand(1), sum.operand(0)}) {
    const value each = parameter_of_channels(v, x);
    if (!each.exists()) return {};
    f.inputs[f.count++] = each.id;
  }
  f.number = added_to_variance(deviation);
  return f;
}

/// A reduction whose axes stay with extent 1.
TAPELESS_COLD inline form kept_reduction_form(pattern_graph& p, value y) {
  const value r = y.operand(0);
  if (!r.is(family::reduction) || !p.has_one_reader(r)) return {};
  if (!(shape_of(y) == sum_operation::keep_dims_shape(r.operand(0), axes_of(r.get())))) return {};
  form f = make_form(form_kind::reduction, r.operand(0).id);
  f.of = r.id;
  return f;
}

TAPELESS_COLD inline form mean_form(pattern_graph& p, value y) {
  const value sum = sum_behind(y.operand(0));
  if (!sum.exists()) return {};
  const bool keep = sum.id != y.operand(0).id;
  const value x = sum.operand(0);
  const unsigned axes = axes_of(sum.get());
  if (!p.is_built(y.id, [&] { return mean_operation::build(x, axes, keep); })) return {};
  form f = make_form(form_kind::mean, x.id);
  f.of = sum.id;
  f.flags[0] = keep;
  return f;
}

}  // namespace tapeless::onnx
