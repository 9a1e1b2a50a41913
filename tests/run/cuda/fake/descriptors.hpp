// SPDX-License-Identifier: BSL-1.0
// The descriptors of cuDNN's graph interface: attributes by name, and what the operations among them compute.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <tapeless/run/common/element_types.hpp>

#include "calls.hpp"
#include "cudnn_names.hpp"
#include "engines.hpp"

namespace fake_cuda {

using extents_of_4 = std::array<std::int64_t, 4>;
using numbers_of_2 = std::array<std::int64_t, 2>;

struct tensor {
  std::int64_t id = 0, alignment = 0;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  extents_of_4 extents = {}, strides = {};
  bool is_virtual = false;  // the library's own: an operation of the same graph writes it
  bool is_number = false;   // that the host gives by its value

  std::int64_t at(std::int64_t a, std::int64_t b, std::int64_t i, std::int64_t j) const {
    return a * strides[0] + b * strides[1] + i * strides[2] + j * strides[3];
  }
  std::int64_t count() const { return extents[0] * extents[1] * extents[2] * extents[3]; }
  /// Elements from the first to the last, with those between that are not the tensor's.
  std::int64_t span() const { return at(extents[0] - 1, extents[1] - 1, extents[2] - 1, extents[3] - 1) + 1; }
  std::int64_t bytes() const { return span() * (is_of_16_bits() ? 2 : type == CUDNN_DATA_DOUBLE ? 8 : 4); }
  bool is_of_16_bits() const { return type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16; }
  bool is_contiguous() const {
    return strides ==
           extents_of_4{extents[1] * extents[2] * extents[3], extents[2] * extents[3], extents[3], 1};
  }
  bool operator==(const tensor&) const = default;
};

/// One of the operations of a graph.
struct tensor_operation {
  cudnnBackendDescriptorType_t type;
  int mode = 0;           // of a pointwise operation or a reduction
  std::int64_t axis = 0;  // whose indices are generated
  std::vector<tensor> reads = {};
  tensor writes = {};
};

/// What an operation computes, or a graph of them.
struct problem {
  const char* name;
  std::vector<tensor> operands;
  std::function<void(std::byte* const* data, bool in_tf32)> run;  // data: one for each operand
  std::int64_t kept = 0;  // elements that an engine keeps in its workspace
};

/// Calls f with an element of a floating type, and with a number as which these are added up.
template <class F>
void with_element(cudnnDataType_t type, F f) {
  switch (type) {
    case CUDNN_DATA_FLOAT:
      return f(float(), float());
    case CUDNN_DATA_DOUBLE:
      return f(double(), double());
    case CUDNN_DATA_HALF:
      return f(tapeless::f16(), float());
    case CUDNN_DATA_BFLOAT16:
      return f(tapeless::bf16(), float());
    case CUDNN_DATA_INT32:
    case CUDNN_DATA_BOOLEAN:
      return;  // of virtual tensors only
  }
}

struct descriptor {
  cudnnBackendDescriptorType_t type;
  std::map<int, std::vector<std::byte>> attributes = {};
  bool is_finished = false;
  bool misses_something = false;  // that was refused
  engine computed_by = {};
  std::optional<problem> computes = {};  // of a copy: others may be gone that it was made of
  std::optional<tensor_operation> operates = {};

  static std::size_t size_of(cudnnBackendAttributeType_t type) {
    return type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_DOUBLE || type == CUDNN_TYPE_VOID_PTR ||
                   type == CUDNN_TYPE_HANDLE || type == CUDNN_TYPE_BACKEND_DESCRIPTOR
               ? 8
           : type == CUDNN_TYPE_BOOLEAN ? 1
                                        : 4;
  }

  cudnnStatus_t set(int name, cudnnBackendAttributeType_t of, std::int64_t count, const void* items) {
    if (!can_be_set(of, count, items)) {
      misses_something = true;
      return CUDNN_STATUS_BAD_PARAM;
    }
    const auto* begin = static_cast<const std::byte*>(items);
    attributes[name].assign(begin, begin + static_cast<std::size_t>(count) * size_of(of));
    return CUDNN_STATUS_SUCCESS;
  }

  /// What was set, which must be some of T.
  template <class T>
  std::vector<T> all(int name) const {
    const auto found = attributes.find(name);
    if (found == attributes.end() || found->second.size() % sizeof(T) != 0)
      stop("cuDNN has no attribute " + std::to_string(name) + " of such a size");
    std::vector<T> items(found->second.size() / sizeof(T));
    if (!items.empty()) std::memcpy(items.data(), found->second.data(), found->second.size());
    return items;
  }
  /// What was set, which must be one of T.
  template <class T>
  T one(int name) const {
    const std::vector<T> items = all<T>(name);
    if (items.size() != 1) stop("cuDNN has more or less than one attribute " + std::to_string(name));
    return items[0];
  }
  bool has(int name) const { return attributes.contains(name); }
  const descriptor& other(int name) const { return *one<const descriptor*>(name); }

  /// A tensor's; none where there can be no such tensor.
  std::optional<tensor> as_tensor() const {
    const auto is = [&](int name) { return has(name) && one<std::uint8_t>(name) != 0; };
    const tensor t{one<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID),
                   one<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT),
                   one<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE),
                   one<extents_of_4>(CUDNN_ATTR_TENSOR_DIMENSIONS),
                   one<extents_of_4>(CUDNN_ATTR_TENSOR_STRIDES),
                   is(CUDNN_ATTR_TENSOR_IS_VIRTUAL),
                   is(CUDNN_ATTR_TENSOR_IS_BY_VALUE)};
    for (std::size_t d = 0; d < 4; ++d)
      if (t.extents[d] < 1 || t.strides[d] < 1) return {};
    if (t.is_number && (t.is_virtual || t.count() != 1 || t.type != CUDNN_DATA_FLOAT)) return {};
    const bool is_floating = t.type != CUDNN_DATA_INT32 && t.type != CUDNN_DATA_BOOLEAN;
    return is_floating || t.is_virtual ? std::optional(t) : std::nullopt;
  }

 private:
  // Nothing can when all has been said, and no other descriptor that is not finished.
  bool can_be_set(cudnnBackendAttributeType_t of, std::int64_t count, const void* items) const {
    if (is_finished || count < 0) return false;
    if (of != CUDNN_TYPE_BACKEND_DESCRIPTOR) return true;
    const auto* others = static_cast<const descriptor* const*>(items);
    return std::all_of(others, others + count, [](const descriptor* d) { return d->is_finished; });
  }
};

}  // namespace fake_cuda
