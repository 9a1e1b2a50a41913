// SPDX-License-Identifier: BSL-1.0
// The kernel family of functions of whole matrices: each is computed by one thread. Instantiations differ in
// element types only.
#pragma once

#include <algorithm>

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/matrix_function.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>

namespace tapeless::cpu_kernels {

/// How many threads a batch of matrices takes.
inline int threads_of(const matrix_function_arguments& arguments, const thread_team& team) {
  const std::int64_t matrices = iterations_of(arguments);
  const double products = static_cast<double>(arguments.rows * arguments.columns) *
                          static_cast<double>(std::max<std::int64_t>(arguments.target_columns, 1));
  const int threads = team.threads_for(static_cast<double>(matrices) * products / 4);
  return static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(matrices, 1)));
}

template <class T, matrix_kind Kind>
struct matrix_function_kernel {
  static void run(const matrix_function_arguments& arguments, const thread_team& team) {
    const int parts = threads_of(arguments, team);
    const std::int64_t matrices = iterations_of(arguments);
    team.run(parts, [&](int part) {
      const range_part own = part_of(matrices, parts, part, 1);
      for (std::int64_t i = own.begin; i < own.begin + own.size; ++i) run_one(arguments, i);
    });
  }

 private:
  static void run_one(const matrix_function_arguments& arguments, std::int64_t number) {
    const int rank = arguments.rank;
    auto a = first_matrix(reinterpret_cast<const T*>(arguments.source.data), arguments.source, rank);
    auto b = first_matrix(reinterpret_cast<const T*>(arguments.index.data), arguments.index, rank);
    auto y = first_matrix(reinterpret_cast<T*>(arguments.target.data), arguments.target, rank);
    for (int d = rank - 1; d >= 0; --d) {
      const std::int64_t position = number % arguments.extents[d];
      number /= arguments.extents[d];
      a.data += position * arguments.source.strides[d];
      if (b.data != nullptr) b.data += position * arguments.index.strides[d];
      y.data += position * arguments.target.strides[d];
    }
    matrix_kernels::matrix_work<T, Kind>::run(a, b, y, arguments.rows, arguments.columns,
                                              arguments.target_columns, arguments.part);
  }
};

template <matrix_function_key Key>
constexpr auto kernel_for() {
  return &matrix_function_kernel<storage_of<Key.type>, Key.computes>::run;
}

}  // namespace tapeless::cpu_kernels
