// SPDX-License-Identifier: BSL-1.0
// Some rows of a table, by their numbers, and the table with others in their place: what updates of a few
// rows are made of.
#pragma once

#include <tapeless/ops/indexing/gather.hpp>
#include <tapeless/ops/shape/expand.hpp>
#include <tapeless/ops/shape/reshape.hpp>

namespace tapeless {

/// It stands in updates alone, of which there is no derivative.
struct replace_rows_operation {
  static constexpr operation op{"replace_rows", scatter_kind::replace};
};

namespace detail {

/// A vector of integers, each of them for a whole row of this shape.
constexpr value for_whole_rows(value index, const shape_list& rows) {
  shape_list column = rows;
  for (int i = 1; i < column.rank; ++i) column.extents[i] = 1;
  return expand(reshape(index, column), rows);
}

constexpr shape_list with_first_extent(shape_list shape, std::int64_t extent) {
  shape.extents[0] = extent;
  return shape;
}

}  // namespace detail

/// y[i] = table[index[i]]: [n, ..], integers [k] -> [k, ..].
constexpr value rows_of(value table, value index) {
  const shape_list rows = detail::with_first_extent(shape_of(table), index.get().shape[0]);
  return gather(table, 0, detail::for_whole_rows(index, rows));
}

/// The table with other rows: y = table; y[places[i]] = rows[i], nothing where places[i] is below 0.
/// [n, ..], integers [k], [k, ..] -> [n, ..]. Where it is the table's next value, no other row is touched.
/// Precondition: the table is a parameter or a state; no two rows have one place.
constexpr value replace_rows(value table, value places, value rows) {
  node n = detail::unary_node(replace_rows_operation::op, rows, shape_of(table));
  n.operands[n.operand_count++] = detail::for_whole_rows(places, shape_of(rows)).id;
  n.operands[n.operand_count++] = table.id;
  set_axis(n, 0);
  return rows.insert(n);
}

}  // namespace tapeless
