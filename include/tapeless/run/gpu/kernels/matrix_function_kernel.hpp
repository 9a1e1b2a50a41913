// SPDX-License-Identifier: BSL-1.0
// Functions of whole matrices: a thread for each matrix of the batch. That is for many small ones.
#pragma once

#include <tapeless/matrices/plain_loops.hpp>
#include <tapeless/run/common/matrix_function.hpp>
#include <tapeless/run/gpu/kernels/axis_loop_space.hpp>

namespace tapeless::thrust_kernels {

template <class T, matrix_kind Kind>
struct matrix_function_item {
  axis_loop_space batch;
  matrix_kernels::matrix<const T> a, b;
  matrix_kernels::matrix<T> y;
  std::int64_t rows, columns, target_columns;
  triangle part;

  constexpr void operator()(std::uint32_t item) const {
    const axis_loop_space::place at = batch.place_of(item);
    const auto moved = [](auto m, std::int64_t by) {
      if (m.data != nullptr) m.data += by;
      return m;
    };
    matrix_kernels::run_plain_loops<Kind, T>(moved(a, at.source), moved(b, at.index), moved(y, at.target),
                                             rows, columns, target_columns, part);
  }
};

template <class T, matrix_kind Kind, class Executor>
void run_matrix_functions(const matrix_function_arguments& arguments, Executor& executor) {
  const int rank = arguments.rank;
  const axis_loop_space batch = detail::space_of(arguments, -1);
  if (batch.space.count == 0) return;
  executor.for_each(
      batch.space.count,
      matrix_function_item<T, Kind>{
          batch, first_matrix(detail::elements<const T>(arguments.source), arguments.source, rank),
          first_matrix(detail::elements<const T>(arguments.index), arguments.index, rank),
          first_matrix(detail::elements<T>(arguments.target), arguments.target, rank), arguments.rows,
          arguments.columns, arguments.target_columns, arguments.part});
}

template <matrix_function_key Key, class Executor>
constexpr auto kernel_for() {
  return &run_matrix_functions<storage_of<Key.type>, Key.computes, Executor>;
}

}  // namespace tapeless::thrust_kernels
