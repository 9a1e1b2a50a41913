// SPDX-License-Identifier: BSL-1.0
// Products and convolutions with what belongs to them: Gemm, MatMul of more axes, Conv with its bias, Gather.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/forms.hpp>
#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/linalg/matmul.hpp>

namespace tapeless::onnx {

/// Whether v is a matrix transposed.
constexpr bool is_transposed(value v) { return v.rank() == 2 && v.is(view_kind::permute); }

/// a b of matrices, of which one at least is transposed, or to which c is added.
TAPELESS_COLD inline form gemm_form(value product, value c) {
  const value a = product.operand(0), b = product.operand(1);
  form f = make_form(form_kind::gemm, behind(view_kind::permute, a).id, behind(view_kind::permute, b).id);
  f.flags[0] = is_transposed(a);
  f.flags[1] = is_transposed(b);
  if (c.exists()) f.inputs[f.count++] = c.id;
  return f;
}
constexpr bool is_matrix_product(value v) {
  return v.is(family::product) && v.rank() == 2 && v.operand(0).rank() == 2 && v.operand(1).rank() == 2;
}

TAPELESS_COLD inline form product_form(value y) {
  const bool transposed =
      is_matrix_product(y) && (is_transposed(y.operand(0)) || is_transposed(y.operand(1)));
  return transposed ? gemm_form(y, {}) : form{};
}

/// y + c, where y is a product of matrices, or a convolution whose channels get a bias each.
TAPELESS_COLD inline form biased_form(pattern_graph& p, value sum) {
  const value y = sum.operand(0), c = sum.operand(1);
  if (!p.has_one_reader(y) || !(shape_of(y) == shape_of(sum))) return {};
  if (is_matrix_product(y) && c.rank() <= 2) return gemm_form(y, c);
  const bool is_convolution = y.is(convolution_part::y) || y.is(convolution_part::x);
  if (!is_convolution || !c.is(view_kind::reshape) || c.operand(0).rank() != 1) return {};
  shape_list channels{y.rank() - 1, {y.get().shape[1], 1, 1}};
  if (!(shape_of(c) == channels)) return {};
  form f = make_form(form_kind::biased, y.operand(0).id, y.operand(1).id, c.operand(0).id);
  f.of = y.id;
  return f;
}

/// The product of a matrix and all rows of a value of more axes, which is reshaped for it and back.
TAPELESS_COLD inline form rows_times_matrix_form(pattern_graph& p, value y) {
  const value product = y.operand(0);
  if (!is_matrix_product(product) || !p.has_one_reader(product) || y.rank() < 3) return {};
  const value rows = product.operand(0), b = product.operand(1);
  if (!rows.is(view_kind::reshape)) return {};
  const value a = rows.operand(0);
  shape_list s = shape_of(a);
  if (s.rank != y.rank()) return {};
  if (s.extents[s.rank - 1] != rows.get().shape[1]) return {};
  s.extents[s.rank - 1] = y.get().shape[s.rank - 1];
  return s == shape_of(y) ? make_form(form_kind::matmul, a.id, b.id) : form{};
}

/// The index of whole slices along the gather's axis, of that axis's extent alone; {} where it is no such.
constexpr value slices_index(value y) {
  const value x = y.operand(0), index = y.operand(1);
  const int axis = axis_of(y.get());
  if (!index.is(view_kind::expand)) return {};
  const value each = index.operand(0);
  if (each.rank() != x.rank()) return {};
  for (int i = 0; i < x.rank(); ++i) {
    const std::int64_t extent = each.get().shape[i];
    if (i == axis ? extent != y.get().shape[i] : extent != 1 || y.get().shape[i] != x.get().shape[i])
      return {};
  }
  return behind(view_kind::reshape, each);
}

/// A gather of whole slices.
TAPELESS_COLD inline form slices_form(value y) {
  const value index = slices_index(y);
  if (!index.exists()) return {};
  form f = make_form(form_kind::rows, y.operand(0).id, index.id);
  f.axis = axis_of(y.get());
  f.flags[0] = index.rank() != 1;
  return f;
}

/// An embedding: rows of a table, in the shape of their index.
TAPELESS_COLD inline form embedding_form(value y) {
  const value rows = y.operand(0);
  if (!rows.is(gather_kind::by_index) || axis_of(rows.get()) != 0) return {};
  const value index = slices_index(rows);
  if (!index.exists()) return {};
  shape_list s = shape_of(index);
  if (s.rank + rows.rank() - 1 > max_rank) return {};
  for (int i = 1; i < rows.rank(); ++i) s.extents[s.rank++] = rows.get().shape[i];
  return s == shape_of(y) ? make_form(form_kind::rows, rows.operand(0).id, index.id) : form{};
}

}  // namespace tapeless::onnx
