// SPDX-License-Identifier: BSL-1.0
// Some rows of parameters and of their states.
#pragma once

#include <tapeless/ops/indexing/replace_rows.hpp>
#include <tapeless/ops/pointwise/equal.hpp>
#include <tapeless/ops/pointwise/where.hpp>

namespace tapeless {

/// The lowest number of what an index brings to each place.
struct first_place_operation {
  static constexpr operation op{"first_place", scatter_kind::smallest};
};

/// Rows of tables of one shape in their first axis, by their numbers, of which one may be named several
/// times.
class chosen_rows {
 public:
  constexpr chosen_rows() = default;
  /// Of tables with so many rows; the numbers are a vector.
  constexpr chosen_rows(value index, std::int64_t rows) : index_(index) {
    graph& g = *index.builder;
    const shape_list vector = shape_of(index);
    const value own = make_iota(g, vector, 0, element::i32);
    node n = detail::unary_node(first_place_operation::op, own, {1, {rows}});
    n.operands[n.operand_count++] = index.id;
    set_axis(n, 0);
    first_ = gather(index.insert(n), 0, index);
    places_ = where(first_ == own, index, make_constant(g, -1, index.type()));
  }
  /// All rows, in their order, of tables with so many.
  static constexpr chosen_rows all(std::int64_t rows) {
    chosen_rows whole;
    whole.all_ = rows;
    return whole;
  }
  constexpr bool exists() const { return index_.exists() || all_ > 0; }

  /// How many, each as often as it is named.
  constexpr std::int64_t count() const { return all_ > 0 ? all_ : index_.get().shape[0]; }
  /// For each of them, where in this list it is named first.
  constexpr value first() const { return first_; }
  /// The table's rows.
  constexpr value of(value table) const { return all_ > 0 ? table : rows_of(table, index_); }
  /// The table with these rows; of one that is named several times the first counts.
  constexpr value put(value table, value rows) const {
    return all_ > 0 ? rows : replace_rows(table, places_, rows);
  }

 private:
  value index_, first_, places_;
  std::int64_t all_ = 0;
};

}  // namespace tapeless
