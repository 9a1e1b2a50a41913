// SPDX-License-Identifier: BSL-1.0
// Gradients of tables in which a step looks rows up: which rows these are, and the gradients of them alone.
#pragma once

#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/div.hpp>
#include <tapeless/ops/pointwise/mul.hpp>
#include <tapeless/ops/pointwise/neg.hpp>
#include <tapeless/ops/pointwise/sub.hpp>
#include <tapeless/ops/shape/concat.hpp>
#include <tapeless/ops/shape/slice.hpp>
#include <tapeless/optim/base/chosen_rows.hpp>

namespace tapeless::detail {

/// The numbers of the rows that a sum by places is made of, as a vector; none where it is not by whole rows.
constexpr value rows_brought(value sum) {
  value index = sum.operand(1);
  if (axis_of(sum.get()) != 0) return {};
  const shape_list shape = shape_of(index);
  const shape_list vector{1, {shape.extents[0]}};
  if (index.is(view_kind::expand)) index = index.operand(0);
  for (int i = 1; i < shape.rank; ++i)
    if (index.get().shape[i] != 1 || shape.extents[i] != sum.get().shape[i]) return {};
  return index.get().shape[0] == shape.extents[0] ? reshape(index, vector) : value{};
}

/// A gradient that is linear in sums of rows that a step names, in those of lookups in a table: zero in all
/// other rows.
class gradient_by_rows {
 public:
  constexpr explicit gradient_by_rows(value gradient) : g_(*gradient.builder), gradient_(gradient) {
    if (gradient.rank() == 0 || !collect(gradient)) return;
    value all[most_lookups];
    for (int k = 0; k < sums_.size(); ++k) all[k] = cast(rows_brought(at(k)), index_type());
    const value index = sums_.size() == 1 ? all[0] : concat(all, sums_.size(), 0);
    rows_ = chosen_rows(index, gradient.get().shape[0]);
  }
  /// None where the gradient is not made of rows.
  constexpr const chosen_rows& rows() const { return rows_; }

  /// The gradient of each row where it is named first, and zeros where it is named again.
  constexpr value of_rows() const { return of_rows(gradient_); }

 private:
  static constexpr int most_lookups = max_operands;
  graph& g_;
  value gradient_;
  list<int> sums_;
  chosen_rows rows_;

  constexpr value at(int k) const { return {&g_, sums_[k]}; }
  static constexpr bool is_sum(value v) { return v.is(scatter_kind::add); }
  static constexpr bool is_one_number(value v) {
    if (v.is(view_kind::expand)) v = v.operand(0);
    for (int i = 0; i < v.rank(); ++i)
      if (v.get().shape[i] != 1) return false;
    return true;
  }

  // Whether v is made of sums of rows; these are noted.
  constexpr bool collect(value v) {
    if (is_sum(v)) {
      if (!rows_brought(v).exists()) return false;
      for (int known : sums_)
        if (known == v.id) return true;
      if (sums_.size() == most_lookups) return false;
      sums_.push(v.id);
      return true;
    }
    const value a = v.get().operand_count > 0 ? v.operand(0) : v;
    const value b = v.get().operand_count > 1 ? v.operand(1) : v;
    if (v.is(operation_of<cast_operation>) || v.is(operation_of<neg_operation>)) return collect(a);
    if (v.is(operation_of<add_operation>) || v.is(operation_of<sub_operation>))
      return collect(a) && collect(b);
    if (v.is(operation_of<mul_operation>) && is_one_number(a)) return collect(b);
    if (v.is(operation_of<mul_operation>) || v.is(operation_of<div_operation>))
      return is_one_number(b) && collect(a);
    return false;
  }
  constexpr element index_type() const {
    for (int k = 0; k < sums_.size(); ++k)
      if (rows_brought(at(k)).type() != rows_brought(at(0)).type()) return element::i64;
    return rows_brought(at(0)).type();
  }

  constexpr value of_rows(value v) const {
    const shape_list shape = with_first_extent(shape_of(v), rows_.count());
    if (is_sum(v)) return sum_of_rows(v, shape);
    node n = v.get();
    set_shape(n, shape);
    for (int k = 0; k < n.operand_count; ++k) {
      const value operand = v.operand(k);
      const bool expanded = operand.is(view_kind::expand);
      n.operands[k] = !is_one_number(operand) ? of_rows(operand).id
                      : expanded              ? expand(operand.operand(0), shape).id
                                              : operand.id;
    }
    return v.insert(n);
  }
  constexpr value sum_of_rows(value sum, const shape_list& shape) const {
    std::int64_t begin = 0;
    for (int k = 0; sums_[k] != sum.id; ++k) begin = g_.extents.add(begin, at(k).operand(0).get().shape[0]);
    const value source = sum.operand(0);
    const value first = slice(rows_.first(), 0, begin, 1, source.get().shape[0]);
    return scatter_add(for_whole_rows(first, shape_of(source)), source, 0, shape);
  }
};

}  // namespace tapeless::detail
