// SPDX-License-Identifier: BSL-1.0
// Writes nodes by their families, and larger operators by their forms.
#pragma once

#include <limits>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/forms.hpp>
#include <tapeless/onnx/fourier_writer.hpp>
#include <tapeless/onnx/pointwise_writer.hpp>
#include <tapeless/onnx/prefix_scan_writer.hpp>
#include <tapeless/onnx/sort_writer.hpp>
#include <tapeless/onnx/spatial_writer.hpp>

namespace tapeless::onnx {

/// A type in which runtimes reduce elements of this one: sums and products of integers in 64 bits, as
/// onnxruntime's of 32 end at the largest one.
constexpr element reduced_as(reduction_kind kind, element type) {
  const bool is_order = kind == reduction_kind::largest || kind == reduction_kind::smallest;
  return is_order || !is_integer(type) ? summed_as(type) : element::i64;
}

/// A reduction of integers as their own type again. The largest and the smallest of no element are ends of
/// the wide type, which a cast would make others.
TAPELESS_COLD inline std::string write_narrowed(value_writer& to, const node& n, reduction_kind kind,
                                                std::string y, element wide, std::string_view result) {
  if (n.type == element::boolean) return to.add("Greater", {y, to.number(0, wide)}, result);
  const bool is_largest = kind == reduction_kind::largest;
  if ((is_largest || kind == reduction_kind::smallest) && (n.type == element::i8 || n.type == element::i16)) {
    const double most = n.type == element::i8 ? 127 : 32767;
    y = to.add(is_largest ? "Max" : "Min", {y, to.number(is_largest ? -most - 1 : most, wide)});
  }
  return to.cast(y, n.type, result);
}

/// The operator of a reduction. Of integers runtimes reduce those of 32 and 64 bits.
TAPELESS_COLD inline std::string write_reduction(value_writer& to, const node& n, std::string x, bool keep,
                                                 std::string_view result, bool mean = false) {
  std::vector<std::int64_t> axes;
  for (int i = 0; i < max_rank; ++i)
    if ((axes_of(n) >> i & 1u) != 0) axes.push_back(i);
  const auto operator_of = [](reduction_kind kind) -> std::string_view {
    switch (kind) {
      case reduction_kind::sum:
        return "ReduceSum";
      case reduction_kind::product:
        return "ReduceProd";
      case reduction_kind::largest:
        return "ReduceMax";
      case reduction_kind::smallest:
        return "ReduceMin";
    }
    return {};
  };
  const element wide = reduced_as(n.op->as<reduction_kind>(), n.type);
  const bool casts = wide != n.type;
  if (casts) x = to.cast(x, wide);
  names operands = {x};  // without axes, all are meant
  if (static_cast<int>(axes.size()) < to.at(n.operands[0]).rank) operands.push_back(to.integers(axes));
  const std::string y =
      to.add(mean ? "ReduceMean" : operator_of(n.op->as<reduction_kind>()), operands,
             attributes().set("keepdims", keep ? 1 : 0), casts ? std::string_view() : result);
  return casts ? write_narrowed(to, n, n.op->as<reduction_kind>(), y, wide, result) : y;
}

/// x in the node's shape. Extents that are only known when the model runs are x's own, or one is what is
/// left: not both, as nothing can be told to be left of an empty x.
TAPELESS_COLD inline std::string write_reshape(value_writer& to, const node& n, const std::string& x,
                                               std::string_view result) {
  const node from = to.at(n.operands[0]);
  std::vector<std::int64_t> shape;
  int unknown = 0;
  bool empty = false;
  for (int i = 0; i < n.rank; ++i) {
    const bool literal = extent_table::is_literal(n.shape[i]);
    unknown += literal ? 0 : 1;
    empty = empty || n.shape[i] == 0;
    shape.push_back(literal ? n.shape[i] : -1);
  }
  const bool are_several = unknown > 1;
  for (int i = 0; are_several && i < n.rank; ++i) {
    if (shape[static_cast<std::size_t>(i)] >= 0 || i >= from.rank || from.shape[i] != n.shape[i]) continue;
    shape[static_cast<std::size_t>(i)] = 0;
    --unknown;
  }
  if (!empty && unknown <= (are_several ? 0 : 1)) return to.add("Reshape", {x, to.integers(shape)}, result);
  return to.reshape(x, to.shape(extents_of(n)), result);
}

TAPELESS_COLD inline std::string write_view(value_writer& to, const node& n, const std::string& x,
                                            std::string_view result) {
  std::vector<std::int64_t> axes;
  switch (n.op->as<view_kind>()) {
    case view_kind::reshape:
      return write_reshape(to, n, x, result);
    case view_kind::permute:
      for (int i = 0; i < n.rank; ++i) axes.push_back(permuted_axis(n, i));
      return to.add("Transpose", {x}, attributes().set("perm", axes), result);
    case view_kind::expand:
      return to.add("Expand", {x, to.shape(extents_of(n))}, result);
    case view_kind::slice:
      return write_slice(to, x, slice_of(n), n.shape[slice_of(n).axis], result);
    case view_kind::windows:
      return write_windows(to, n, x, result);
    case view_kind::iteration:
    case view_kind::last:
      break;  // written with their loops
  }
  return {};
}

TAPELESS_COLD inline std::string write_convolution_part(value_writer& to, const node& n, const names& x,
                                                        std::string_view result) {
  switch (n.op->as<convolution_part>()) {
    case convolution_part::y:
      return write_convolution(to, n, x, result);
    case convolution_part::x:
      return write_transposed_convolution(to, n, x, result);
    case convolution_part::weight:
      break;  // is expanded
  }
  return {};
}

TAPELESS_COLD inline std::string write_pooling(value_writer& to, const node& n, const std::string& x,
                                               std::string_view result) {
  switch (n.op->as<pooling_kind>()) {
    case pooling_kind::largest:
      return write_max_pool(to, pooling_of(n).windows, x, result);
    case pooling_kind::mean:
      return write_average_pool(to, pooling_of(n), x, result);
    case pooling_kind::tied:
    case pooling_kind::shared:
    case pooling_kind::spread:
      break;  // are expanded
  }
  return {};
}

/// Writes a node as itself; x are its operands. Post-condition: the name of its value, `result` if there is
/// one.
TAPELESS_COLD inline std::string write_node(value_writer& to, const node& n, const names& x,
                                            std::string_view result) {
  switch (n.op->kind) {
    case family::constant:
      return to.number(n.number, n.type);
    case family::size: {
      const std::string extent = to.add("Squeeze", {to.extent(extent_of(n))});
      return to.cast(extent, n.type, result);
    }
    case family::iota:
      return write_iota(to, n, result);
    case family::pointwise:
      return write_pointwise(to, n, x, result);
    case family::reduction:
      return write_reduction(to, n, x[0], false, result);
    case family::product:
      return to.add("MatMul", x, result);
    case family::convolution:
      return write_convolution_part(to, n, x, result);
    case family::pooling:
      return write_pooling(to, n, x[0], result);
    case family::view:
      return write_view(to, n, x[0], result);
    case family::pad:
      return write_pad(to, n, x[0], result);
    case family::concat:
      return to.add("Concat", x, attributes().set("axis", axis_of(n)), result);
    case family::overlap:
      return write_overlap(to, n, x[0], result);
    case family::gather:
      if (n.op->is(gather_kind::flip)) return write_flip(to, n, x[0], result);
      return to.add("GatherElements", x, attributes().set("axis", axis_of(n)), result);
    case family::scatter:
      return bring_to_places(to, n, axis_of(n), n.op->as<scatter_kind>(), x[1], x[0], result);
    case family::prefix_scan:
      return write_prefix_scan(to, n, x, result);
    case family::fourier:
      return write_fourier(to, n, x[0], result);
    case family::sort:
      return write_sort(to, n, x[0], result);
    case family::input:
    case family::parameter:
      return std::string(n.label->view());
    case family::state:
    case family::hyperparameter:
    case family::matrix_function:
    case family::attention:
    case family::alias:
    case family::carry:
    case family::stacked:
      break;  // refused, or written with what they belong to
  }
  return {};
}

/// number x, where the number is not 1.
TAPELESS_COLD inline std::string scaled(value_writer& to, const std::string& x, double number, element type) {
  return number == 1 ? x : to.add("Mul", {x, to.number(number, type)});
}

/// Where the mask is false nothing takes part; of what has no element, all results are 0.
TAPELESS_COLD inline std::string write_masked_softmax(value_writer& to, const node& n, const form& f,
                                                      const names& x, std::string_view result) {
  const std::string nothing = to.number(-std::numeric_limits<double>::infinity(), n.type);
  const std::string seen = to.add("Where", {x[0], scaled(to, x[1], f.number, n.type), nothing});
  const attributes along = attributes().set("axis", f.axis);
  if (!f.flags[0]) return to.add("Softmax", {seen}, along, result);
  return to.add("Where", {x[0], to.add("Softmax", {seen}, along), to.number(0, n.type)}, result);
}

TAPELESS_COLD inline std::string write_layer_norm(value_writer& to, const node& n, const form& f, names x,
                                                  std::string_view result) {
  if (x.size() == 1)
    x.push_back(to.add(
        "Expand", {to.number(1, n.type), to.shape(extents_of(n).subspan(static_cast<std::size_t>(f.axis)))}));
  return to.add("LayerNormalization", x, attributes().set("axis", f.axis).set("epsilon", f.number), result);
}

/// Writes node n by its form; x are the form's inputs.
TAPELESS_COLD inline std::string write_form(value_writer& to, const node& n, const form& f, const names& x,
                                            std::string_view result) {
  const node of = f.of < 0 ? n : to.at(f.of);
  switch (f.kind) {
    case form_kind::node:
      return write_node(to, n, x, result);
    case form_kind::same:
      return x[0];
    case form_kind::gemm:
      return to.add("Gemm", x,
                    attributes().set("transA", f.flags[0] ? 1 : 0).set("transB", f.flags[1] ? 1 : 0), result);
    case form_kind::matmul:
      return to.add("MatMul", x, result);
    case form_kind::biased:
      return write_convolution_part(to, of, x, result);
    case form_kind::softmax:
      return to.add("Softmax", {scaled(to, x[0], f.number, n.type)}, attributes().set("axis", f.axis),
                    result);
    case form_kind::masked_softmax:
      return write_masked_softmax(to, n, f, x, result);
    case form_kind::log_softmax:
      return to.add("LogSoftmax", x, attributes().set("axis", f.axis), result);
    case form_kind::layer_norm:
      return write_layer_norm(to, n, f, x, result);
    case form_kind::batch_norm:
      return to.add("BatchNormalization", x, attributes().set("epsilon", f.number), result);
    case form_kind::determinant:
      return to.add("Det", x, result);
    case form_kind::reduction:
      return write_reduction(to, of, x[0], true, result);
    case form_kind::mean:
      return write_reduction(to, of, x[0], f.flags[0], result, true);
    case form_kind::max_pool:
      return write_max_pool(to, f.windows.windows, x[0], result);
    case form_kind::average_pool:
      return write_average_pool(to, f.windows, x[0], result);
    case form_kind::rows: {
      const std::string index = f.flags[0] ? to.add("Reshape", {x[1], to.integer(-1)}) : x[1];
      return to.add("Gather", {x[0], index}, attributes().set("axis", f.axis), result);
    }
  }
  return {};
}

}  // namespace tapeless::onnx
