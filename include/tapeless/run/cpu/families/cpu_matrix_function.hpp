// SPDX-License-Identifier: BSL-1.0
// The kernel family of functions of whole matrices: one matrix of the batch after the other. Instantiations
// differ in element types only.
#pragma once

#include <tapeless/run/common/element_types.hpp>
#include <tapeless/run/common/matrix_function.hpp>
#include <tapeless/run/cpu/families/cpu_axis_loop.hpp>

namespace tapeless::cpu_kernels {

template <class T, matrix_kind Kind>
struct matrix_function_kernel {
  static void run(const matrix_function_arguments& arguments) {
    const int rank = arguments.rank;
    auto a = first_matrix(reinterpret_cast<const T*>(arguments.source.data), arguments.source, rank);
    auto b = first_matrix(reinterpret_cast<const T*>(arguments.index.data), arguments.index, rank);
    auto y = first_matrix(reinterpret_cast<T*>(arguments.target.data), arguments.target, rank);
    const auto run_line = [&](std::int64_t count, int last) {
      for (std::int64_t k = 0; k < count; ++k) {
        run_matrix_function<Kind, T>(a, b, y, arguments.rows, arguments.columns, arguments.target_columns,
                                     arguments.part);
        if (last < 0) return;
        a.data += arguments.source.strides[last];
        if (b.data != nullptr) b.data += arguments.index.strides[last];
        y.data += arguments.target.strides[last];
      }
    };
    if (rank == 0) return run_line(1, -1);
    const auto first_a = a;
    const auto first_b = b;
    const auto first_y = y;
    detail::for_each_run(arguments, [&](std::int64_t s, std::int64_t i, std::int64_t t) {
      a.data = first_a.data + s;
      if (b.data != nullptr) b.data = first_b.data + i;
      y.data = first_y.data + t;
      run_line(arguments.extents[rank - 1], rank - 1);
    });
  }
};

template <matrix_function_key Key>
constexpr auto kernel_for() {
  return &matrix_function_kernel<storage_of<Key.type>, Key.computes>::run;
}

}  // namespace tapeless::cpu_kernels
