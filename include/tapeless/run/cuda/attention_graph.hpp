// SPDX-License-Identifier: BSL-1.0
// Attention and its gradients as cuDNN's graph interface describes them: the operations one by one, of which
// cuDNN knows that they are one kernel (Dao, 2023). Without TAPELESS_HAS_CUDNN this header is empty.
#pragma once

#ifdef TAPELESS_HAS_CUDNN

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include <tapeless/plan/families/planned_attention.hpp>
#include <tapeless/run/cuda/cudnn_plan.hpp>

namespace tapeless::cuda_kernels {

/// The tensors of an attention that are in memory, by number, from 1 on; the first ones are single numbers.
enum class attention_tensor : std::int64_t {
  scale = 1,
  one,
  excluded,  // what stands in place of the scores that a query does not attend to
  query,
  key,
  values,
  result,
  logarithms,  // [batch, heads, queries, 1] of float, contiguous
  gradient,    // by the result
  of_query,
  of_key,
  of_values,
};

/// Extents and strides of [batch, heads, rows, columns].
struct attention_matrix {
  std::array<std::int64_t, 4> extents = {}, strides = {};

  constexpr attention_matrix transposed() const {
    attention_matrix t = *this;
    std::swap(t.extents[2], t.extents[3]);
    std::swap(t.strides[2], t.strides[3]);
    return t;
  }
};
constexpr attention_matrix contiguous_matrix(std::int64_t batch, std::int64_t heads, std::int64_t rows,
                                             std::int64_t columns) {
  return {{batch, heads, rows, columns}, {heads * rows * columns, rows * columns, columns, 1}};
}

/// An operand of an attention. Axes of extent 1 have whatever strides they would have in an array.
inline attention_matrix matrix_of(const attention_arguments& a, const strided_operand& o, std::int64_t rows,
                                  std::int64_t columns) {
  attention_matrix m{{1, 1, rows, columns}, {}};
  for (int d = 0; d < a.rank; ++d) m.extents[static_cast<std::size_t>(2 - a.rank + d)] = a.extents[d];
  for (int d = 0; d < a.rank + 2; ++d) m.strides[static_cast<std::size_t>(2 - a.rank + d)] = o.strides[d];
  std::int64_t next = 1;
  for (std::size_t d = 4; d-- > 0; next = m.strides[d] * m.extents[d])
    if (m.extents[d] == 1) m.strides[d] = next;
  return m;
}

/// Puts operations together, each of which is added behind those whose results it takes.
class attention_graph {
 public:
  attention_graph(const attention_arguments& a, element type)
      : type_(cudnn_type_of(type)), causal_(a.scores.causal) {
    const attention_matrix q = matrix_of(a, a.query, a.queries, a.width);
    batch_ = q.extents[0], heads_ = q.extents[1], queries_ = a.queries, keys_ = a.keys;
    query_ = q, key_ = matrix_of(a, a.key, a.keys, a.width);
    values_ = matrix_of(a, a.values, a.keys, a.value_width);
  }

  /// p v and the logarithms, where p is the softmax of scale q k^T.
  cudnn_operation result(const attention_matrix& y) {
    const int v = tensor(attention_tensor::values, type_, values_);
    int s = scores(number(attention_tensor::scale));
    if (causal_) s = attended(s);
    const int largest = reduced(CUDNN_REDUCE_TENSOR_MAX, s);
    const int e = pointwise(CUDNN_POINTWISE_EXP, pointwise(CUDNN_POINTWISE_SUB, s, largest));
    const int sum = reduced(CUDNN_REDUCE_TENSOR_ADD, e);
    const int logarithm = pointwise(CUDNN_POINTWISE_LOG, sum, -1, by_query());
    pointwise_to(logarithms(), CUDNN_POINTWISE_ADD, largest, logarithm);
    const int p = pointwise_to(between(type_), CUDNN_POINTWISE_DIV, e, sum);
    product(p, v, tensor(attention_tensor::result, type_, y));
    return std::move(operation_);
  }

  /// The gradients of q, k and v, where g is that of y = p v: those of v are p^T g; with ds = p (g v^T - sums
  /// of g y) scale, those of q are ds k and those of k ds^T q. Its engines for this keep ds, of 16 bits.
  /// Those that do not, where the gradients of q are a sum in float first, add it up by atomics, so that its
  /// bits differ from run to run.
  cudnn_operation gradients(const attention_matrix& g, const attention_matrix& y,
                            const attention_matrix& of_query, const attention_matrix& of_key,
                            const attention_matrix& of_values) {
    const int gradient = tensor(attention_tensor::gradient, type_, g);
    const int scale = number(attention_tensor::scale);
    const int products = pointwise_to(tensor(CUDNN_DATA_FLOAT, whole(y.extents[3])), CUDNN_POINTWISE_MUL,
                                      gradient, tensor(attention_tensor::result, type_, y));
    // times 1: without it cuDNN takes a kernel that keeps all weights
    const int sums = pointwise(CUDNN_POINTWISE_MUL, reduced(CUDNN_REDUCE_TENSOR_ADD, products),
                               number(attention_tensor::one), by_query());
    int s = pointwise(CUDNN_POINTWISE_SUB, scores(scale), logarithms());
    if (causal_) s = attended(s);
    const int p = pointwise(CUDNN_POINTWISE_EXP, s);
    product(transposed(p), gradient, tensor(attention_tensor::of_values, type_, of_values));
    const int of_p = product(gradient, tensor(attention_tensor::values, type_, values_.transposed()),
                             between(CUDNN_DATA_FLOAT));
    const int centered = pointwise(CUDNN_POINTWISE_SUB, of_p, sums);
    const int of_s = pointwise(CUDNN_POINTWISE_MUL, pointwise(CUDNN_POINTWISE_MUL, centered, p), scale);
    product(transposed(of_s), q_, tensor(attention_tensor::of_key, type_, of_key));
    product(of_s, reshaped(k_, key_), tensor(attention_tensor::of_query, type_, of_query));
    return std::move(operation_);
  }

 private:
  cudnnDataType_t type_;
  bool causal_;
  std::int64_t batch_ = 1, heads_ = 1, queries_ = 0, keys_ = 0;
  attention_matrix query_, key_, values_;
  cudnn_operation operation_;
  int q_ = -1, k_ = -1, logarithms_ = -1;
  std::int64_t next_virtual_ = 100;  // number, of those that are not in memory

  attention_matrix whole(std::int64_t columns) const {
    return contiguous_matrix(batch_, heads_, queries_, columns);
  }
  attention_matrix by_query() const { return whole(1); }

  // Each function adds a descriptor, and returns its number among all of them.

  int add(backend_descriptor d) {
    d.finish();
    operation_.descriptors.push_back(std::move(d));
    return static_cast<int>(operation_.descriptors.size()) - 1;
  }
  int add_operation(backend_descriptor d) {
    const int o = add(std::move(d));
    operation_.operations.push_back(operation_.descriptors[static_cast<std::size_t>(o)].get());
    return o;
  }
  const backend_descriptor& at(int d) const { return operation_.descriptors[static_cast<std::size_t>(d)]; }

  int tensor(std::int64_t id, cudnnDataType_t type, const attention_matrix& m, bool is_virtual,
             bool is_number) {
    backend_descriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, type);
    t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(m.extents));
    t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(m.strides));
    t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, cudnn_alignment);
    t.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, is_virtual);
    t.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, is_number);
    return add(std::move(t));
  }
  int tensor(attention_tensor t, cudnnDataType_t type, const attention_matrix& m) {
    return tensor(static_cast<std::int64_t>(t), type, m, false, false);
  }
  int tensor(cudnnDataType_t type, const attention_matrix& m) {
    return tensor(next_virtual_++, type, m, true, false);
  }
  int number(attention_tensor t) {
    return tensor(static_cast<std::int64_t>(t), CUDNN_DATA_FLOAT, contiguous_matrix(1, 1, 1, 1), false, true);
  }
  int between(cudnnDataType_t type) {
    return tensor(type, contiguous_matrix(batch_, heads_, queries_, keys_));
  }
  int logarithms() {
    if (logarithms_ < 0) logarithms_ = tensor(attention_tensor::logarithms, CUDNN_DATA_FLOAT, by_query());
    return logarithms_;
  }

  int pointwise_to(int y, cudnnPointwiseMode_t mode, int x, int other = -1, int condition = -1,
                   cudnnDataType_t computes = CUDNN_DATA_FLOAT, std::int64_t axis = -1) {
    backend_descriptor how(CUDNN_BACKEND_POINTWISE_DESCRIPTOR);
    how.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    how.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, computes);
    if (axis >= 0) how.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, axis);
    const int h = add(std::move(how));
    backend_descriptor o(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR);
    o.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, at(h));
    o.set(CUDNN_ATTR_OPERATION_POINTWISE_XDESC, at(x));
    if (other >= 0) o.set(CUDNN_ATTR_OPERATION_POINTWISE_BDESC, at(other));
    if (condition >= 0) o.set(CUDNN_ATTR_OPERATION_POINTWISE_TDESC, at(condition));
    o.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, at(y));
    add_operation(std::move(o));
    return y;
  }
  // Of scores, in float, where nothing else is said.
  int pointwise(cudnnPointwiseMode_t mode, int x, int other = -1) {
    return pointwise_to(between(CUDNN_DATA_FLOAT), mode, x, other);
  }
  int pointwise(cudnnPointwiseMode_t mode, int x, int other, const attention_matrix& shape) {
    return pointwise_to(tensor(CUDNN_DATA_FLOAT, shape), mode, x, other);
  }
  int reduced(cudnnReduceTensorOp_t by, int x) {
    backend_descriptor how(CUDNN_BACKEND_REDUCTION_DESCRIPTOR);
    how.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, by);
    how.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    const int h = add(std::move(how)), y = tensor(CUDNN_DATA_FLOAT, by_query());
    backend_descriptor o(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR);
    o.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, at(h));
    o.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, at(x));
    o.set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, at(y));
    add_operation(std::move(o));
    return y;
  }
  int product(int a, int b, int c) {
    backend_descriptor how(CUDNN_BACKEND_MATMUL_DESCRIPTOR);
    how.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    const int h = add(std::move(how));
    backend_descriptor o(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR);
    o.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, at(h));
    o.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, at(a));
    o.set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, at(b));
    o.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, at(c));
    add_operation(std::move(o));
    return c;
  }
  int reshaped(int x, const attention_matrix& m) {
    const int y = tensor(type_, m);
    backend_descriptor o(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR);
    o.set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, at(x));
    o.set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, at(y));
    add_operation(std::move(o));
    return y;
  }
  // The transpose of what is between queries and keys.
  int transposed(int x) {
    return reshaped(x, contiguous_matrix(batch_, heads_, queries_, keys_).transposed());
  }

  int scores(int scale) {
    q_ = tensor(attention_tensor::query, type_, query_);
    k_ = tensor(attention_tensor::key, type_, key_.transposed());
    return pointwise(CUDNN_POINTWISE_MUL, product(q_, k_, between(CUDNN_DATA_FLOAT)), scale);
  }
  // What is of keys whose index is not above the query's.
  int attended(int s) {
    const auto index = [&](std::int64_t axis) {
      return pointwise_to(between(CUDNN_DATA_INT32), CUDNN_POINTWISE_GEN_INDEX, s, -1, -1, CUDNN_DATA_FLOAT,
                          axis);
    };
    const int query = index(2), key = index(3);
    const int is_attended =
        pointwise_to(between(CUDNN_DATA_BOOLEAN), CUDNN_POINTWISE_CMP_GE, query, key, -1, CUDNN_DATA_BOOLEAN);
    return pointwise_to(between(CUDNN_DATA_FLOAT), CUDNN_POINTWISE_BINARY_SELECT, s,
                        number(attention_tensor::excluded), is_attended);
  }
};

}  // namespace tapeless::cuda_kernels

#endif
