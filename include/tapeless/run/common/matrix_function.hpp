// SPDX-License-Identifier: BSL-1.0
// Where the matrices of a matrix function's operands are.
#pragma once

#include <tapeless/matrices/matrix.hpp>
#include <tapeless/plan/families/planned_matrix_function.hpp>

namespace tapeless {

/// The matrices of an operand: where the first one is, and how its rows and columns go on.
template <class T>
constexpr matrix_kernels::matrix<T> first_matrix(T* data, const strided_operand& o, int batch_rank) {
  return {data, o.strides[batch_rank], o.strides[batch_rank + 1]};
}

}  // namespace tapeless
