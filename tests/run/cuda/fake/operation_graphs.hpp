// SPDX-License-Identifier: BSL-1.0
// Graphs of cuDNN's operations, one operation after the other.
#pragma once

#include <cmath>
#include <limits>

#include "descriptors.hpp"

namespace fake_cuda {

template <class F>
void for_each_place(const extents_of_4& extents, F f) {
  std::array<std::int64_t, 4> p;
  for (p[0] = 0; p[0] < extents[0]; ++p[0])
    for (p[1] = 0; p[1] < extents[1]; ++p[1])
      for (p[2] = 0; p[2] < extents[2]; ++p[2])
        for (p[3] = 0; p[3] < extents[3]; ++p[3]) f(p);
}

/// A tensor's elements: in memory, or here. They are rounded to its type, and what was never written here is
/// not a number.
class tensor_values {
 public:
  tensor_values(const tensor& t, std::byte* data)
      : of_(t),
        data_(data),
        own_(data == nullptr ? static_cast<std::size_t>(t.span()) : 0,
             std::numeric_limits<double>::quiet_NaN()) {}

  const tensor& of() const { return of_; }
  /// An axis of extent 1 has the same element everywhere.
  std::int64_t offset_of(const extents_of_4& p) const {
    const auto along = [&](std::size_t d) { return of_.extents[d] == 1 ? 0 : p[d]; };
    return of_.at(along(0), along(1), along(2), along(3));
  }
  double at(const extents_of_4& p) const {
    const auto offset = static_cast<std::size_t>(offset_of(p));
    if (data_ == nullptr) return own_[offset];
    double x = 0;
    with_element(of_.type, [&]<class T>(T element, auto) {
      std::memcpy(&element, data_ + offset * sizeof(T), sizeof(T));
      x = static_cast<double>(element);
    });
    return x;
  }
  void set(const extents_of_4& p, double x) { set_at(offset_of(p), x); }
  void set_at(std::int64_t offset, double x) {
    const auto o = static_cast<std::size_t>(offset);
    if (data_ == nullptr) own_[o] = x;
    with_element(of_.type, [&]<class T, class Sum>(T, Sum) {
      const T element = static_cast<T>(static_cast<Sum>(x));
      if (data_ == nullptr)
        own_[o] = static_cast<double>(element);
      else
        std::memcpy(data_ + o * sizeof(T), &element, sizeof(T));
    });
  }

 private:
  tensor of_;
  std::byte* data_;
  std::vector<double> own_;
};

/// Of the first operand, a second one, and a condition.
inline double pointwise(const tensor_operation& o, const std::array<double, 3>& x, const extents_of_4& at) {
  switch (static_cast<cudnnPointwiseMode_t>(o.mode)) {
    case CUDNN_POINTWISE_ADD:
      return x[0] + x[1];
    case CUDNN_POINTWISE_MUL:
      return x[0] * x[1];
    case CUDNN_POINTWISE_DIV:
      return x[0] / x[1];
    case CUDNN_POINTWISE_SUB:
      return x[0] - x[1];
    case CUDNN_POINTWISE_EXP:
      return std::exp(x[0]);
    case CUDNN_POINTWISE_LOG:
      return std::log(x[0]);
    case CUDNN_POINTWISE_IDENTITY:
      return x[0];
    case CUDNN_POINTWISE_CMP_GE:
      return x[0] >= x[1] ? 1 : 0;
    case CUDNN_POINTWISE_GEN_INDEX:
      return static_cast<double>(at[static_cast<std::size_t>(o.axis)]);
    case CUDNN_POINTWISE_BINARY_SELECT:
      return x[2] != 0 ? x[0] : x[1];
  }
  stop("cuDNN has no such pointwise operation");
}

inline std::size_t operands_of_pointwise(int mode) {
  switch (static_cast<cudnnPointwiseMode_t>(mode)) {
    case CUDNN_POINTWISE_EXP:
    case CUDNN_POINTWISE_LOG:
    case CUDNN_POINTWISE_IDENTITY:
    case CUDNN_POINTWISE_GEN_INDEX:
      return 1;
    case CUDNN_POINTWISE_ADD:
    case CUDNN_POINTWISE_MUL:
    case CUDNN_POINTWISE_DIV:
    case CUDNN_POINTWISE_SUB:
    case CUDNN_POINTWISE_CMP_GE:
      return 2;
    case CUDNN_POINTWISE_BINARY_SELECT:
      return 3;
  }
  return 0;
}

inline void run_operation(const tensor_operation& o, const std::vector<const tensor_values*>& x,
                          tensor_values& y) {
  switch (o.type) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
      return for_each_place(y.of().extents, [&](const extents_of_4& p) {
        std::array<double, 3> read{};
        for (std::size_t i = 0; i < x.size(); ++i) read[i] = x[i]->at(p);
        y.set(p, pointwise(o, read, p));
      });
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: {
      const bool adds = o.mode == CUDNN_REDUCE_TENSOR_ADD;
      for_each_place(y.of().extents, [&](const extents_of_4& p) {
        y.set(p, adds ? 0 : -std::numeric_limits<double>::infinity());
      });
      return for_each_place(x[0]->of().extents, [&](const extents_of_4& p) {
        y.set(p, adds ? y.at(p) + x[0]->at(p) : std::max(y.at(p), x[0]->at(p)));
      });
    }
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      return for_each_place(y.of().extents, [&](const extents_of_4& p) {
        double sum = 0;
        for (std::int64_t k = 0; k < x[0]->of().extents[3]; ++k)
          sum += x[0]->at({p[0], p[1], p[2], k}) * x[1]->at({p[0], p[1], k, p[3]});
        y.set(p, sum);
      });
    default:  // reshape: the same memory
      return for_each_place(x[0]->of().extents,
                            [&](const extents_of_4& p) { y.set_at(x[0]->offset_of(p), x[0]->at(p)); });
  }
}

/// Whether an operation's extents follow from each other.
inline bool fits(const tensor_operation& o) {
  const extents_of_4 &y = o.writes.extents, &x = o.reads[0].extents;
  const auto spreads_to = [](const extents_of_4& from, const extents_of_4& to) {
    for (std::size_t d = 0; d < 4; ++d)
      if (from[d] != to[d] && from[d] != 1) return false;
    return true;
  };
  switch (o.type) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: {
      extents_of_4 all = x;
      for (const tensor& t : o.reads) {
        if (!spreads_to(t.extents, y)) return false;
        for (std::size_t d = 0; d < 4; ++d) all[d] = std::max(all[d], t.extents[d]);
      }
      return all == y && (o.reads.size() < 3 || o.reads[2].type == CUDNN_DATA_BOOLEAN) && o.axis < 4;
    }
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
      return spreads_to(y, x);
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR: {
      const extents_of_4& b = o.reads[1].extents;
      return x[3] == b[2] && y[2] == x[2] && y[3] == b[3] && y[0] == std::max(x[0], b[0]) &&
             y[1] == std::max(x[1], b[1]) && spreads_to({x[0], x[1], 1, 1}, y) &&
             spreads_to({b[0], b[1], 1, 1}, y);
    }
    default:
      return o.writes.count() == o.reads[0].count() && o.writes.span() == o.reads[0].span();
  }
}

/// What a descriptor of an operation of a graph computes is known from then on.
inline cudnnStatus_t set_tensor_operation(descriptor& d) {
  tensor_operation o{.type = d.type};
  const auto read = [&](int name) { o.reads.push_back(*d.other(name).as_tensor()); };
  switch (d.type) {
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR: {
      const descriptor& how = d.other(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
      how.one<cudnnDataType_t>(CUDNN_ATTR_POINTWISE_MATH_PREC);
      o.mode = how.one<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
      if (o.mode == CUDNN_POINTWISE_GEN_INDEX) o.axis = how.one<std::int64_t>(CUDNN_ATTR_POINTWISE_AXIS);
      for (const int name : {CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                             CUDNN_ATTR_OPERATION_POINTWISE_TDESC})
        if (d.has(name)) read(name);
      if (o.reads.size() != operands_of_pointwise(o.mode)) return CUDNN_STATUS_BAD_PARAM;
      o.writes = *d.other(CUDNN_ATTR_OPERATION_POINTWISE_YDESC).as_tensor();
      break;
    }
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR: {
      const descriptor& how = d.other(CUDNN_ATTR_OPERATION_REDUCTION_DESC);
      how.one<cudnnDataType_t>(CUDNN_ATTR_REDUCTION_COMP_TYPE);
      o.mode = how.one<cudnnReduceTensorOp_t>(CUDNN_ATTR_REDUCTION_OPERATOR);
      read(CUDNN_ATTR_OPERATION_REDUCTION_XDESC);
      o.writes = *d.other(CUDNN_ATTR_OPERATION_REDUCTION_YDESC).as_tensor();
      break;
    }
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
      d.other(CUDNN_ATTR_OPERATION_MATMUL_DESC).one<cudnnDataType_t>(CUDNN_ATTR_MATMUL_COMP_TYPE);
      read(CUDNN_ATTR_OPERATION_MATMUL_ADESC);
      read(CUDNN_ATTR_OPERATION_MATMUL_BDESC);
      o.writes = *d.other(CUDNN_ATTR_OPERATION_MATMUL_CDESC).as_tensor();
      break;
    default:
      read(CUDNN_ATTR_OPERATION_RESHAPE_XDESC);
      o.writes = *d.other(CUDNN_ATTR_OPERATION_RESHAPE_YDESC).as_tensor();
  }
  if (!fits(o)) return CUDNN_STATUS_BAD_PARAM;
  d.operates = std::move(o);
  return CUDNN_STATUS_SUCCESS;
}

using tensors_by_id = std::map<std::int64_t, tensor>;

/// All tensors; none where one is read before it is written, written twice, or two have one number.
inline std::optional<tensors_by_id> tensors_of(const std::vector<tensor_operation>& operations) {
  tensors_by_id all;
  std::vector<std::int64_t> written;
  const auto is_taken = [&](const tensor& t) { return all.emplace(t.id, t).first->second == t; };
  for (const tensor_operation& o : operations) {
    for (const tensor& t : o.reads)
      if (!is_taken(t) || (t.is_virtual && std::ranges::count(written, t.id) == 0)) return {};
    if (o.writes.is_number || all.contains(o.writes.id) || !is_taken(o.writes)) return {};
    written.push_back(o.writes.id);
  }
  return all;
}

/// Elements of what two products read that is nowhere in memory, be it reshaped or not.
inline std::int64_t count_kept(const std::vector<tensor_operation>& operations, const tensors_by_id& all) {
  std::map<std::int64_t, int> products;
  for (const tensor_operation& o : operations)
    if (o.type == CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR ||
        o.type == CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR)
      for (const tensor& t : o.reads) ++products[t.id];
  std::int64_t count = 0;
  for (const auto& [id, t] : all) count += t.is_virtual && products[id] > 1 ? t.count() : 0;
  return count;
}

/// The true library computes wrong numbers of rows of 16 bits that do not begin at multiples of 16 bytes.
inline void check_rows(const tensor& t) {
  if (!t.is_of_16_bits()) return;
  int ones = 0;
  for (const std::int64_t stride : t.strides) {
    ones += stride == 1 ? 1 : 0;
    if (stride != 1 && stride % 8 != 0)
      stop("cuDNN is given rows that do not begin at multiples of 16 bytes");
  }
  if (ones != 1) stop("cuDNN is given rows whose elements are not side by side");
}

/// A graph of several operations, or of one that may stand alone.
inline cudnnStatus_t set_graph(descriptor& d) {
  const auto descriptors = d.all<const descriptor*>(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  if (descriptors.size() == 1 && descriptors[0]->computes) {
    d.computes = descriptors[0]->computes;
    return CUDNN_STATUS_SUCCESS;
  }
  std::vector<tensor_operation> operations;
  for (const descriptor* o : descriptors) {
    if (!o->operates) return CUDNN_STATUS_NOT_SUPPORTED;
    operations.push_back(*o->operates);
  }
  const auto all = tensors_of(operations);
  if (!all || operations.empty()) return CUDNN_STATUS_BAD_PARAM;
  problem p{"a graph of operations", {}, {}, count_kept(operations, *all)};
  for (const auto& [id, t] : *all)
    if (!t.is_virtual) p.operands.push_back(t);
  p.run = [operations, all, operands = p.operands](std::byte* const* data, bool) {
    std::map<std::int64_t, tensor_values> values;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      check_rows(operands[i]);
      values.emplace(operands[i].id, tensor_values(operands[i], data[i]));
    }
    for (const tensor_operation& o : operations) {
      std::vector<const tensor_values*> read;
      for (const tensor& t : o.reads) read.push_back(&values.at(t.id));
      run_operation(o, read, values.try_emplace(o.writes.id, o.writes, nullptr).first->second);
    }
  };
  d.computes = std::move(p);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace fake_cuda
