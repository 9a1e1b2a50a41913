// SPDX-License-Identifier: BSL-1.0
// Convolutions one product after the other, as cuDNN's descriptors describe them.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <tapeless/run/element_types.hpp>

#include "products.hpp"

enum cudnnStatus_t {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_BAD_PARAM = 2000,
  CUDNN_STATUS_NOT_SUPPORTED = 3000,
  CUDNN_STATUS_INTERNAL_ERROR = 4000,
  CUDNN_STATUS_EXECUTION_FAILED = 5000
};
enum cudnnDataType_t {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_DOUBLE = 1,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_BFLOAT16 = 9
};
enum cudnnConvolutionMode_t { CUDNN_CONVOLUTION = 0, CUDNN_CROSS_CORRELATION = 1 };
enum cudnnBackendHeurMode_t { CUDNN_HEUR_MODE_FALLBACK = 2, CUDNN_HEUR_MODE_A = 3 };
enum cudnnBackendNumericalNote_t {
  CUDNN_NUMERICAL_NOTE_TENSOR_CORE = 0,
  CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS = 1,
  CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION = 2,
  CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC = 4,
  CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6 = 7,
  CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13 = 8,
  CUDNN_NUMERICAL_NOTE_TYPE_COUNT = 10
};
enum cudnnBackendDescriptorType_t {
  CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR = 1,
  CUDNN_BACKEND_ENGINE_DESCRIPTOR = 2,
  CUDNN_BACKEND_ENGINECFG_DESCRIPTOR = 3,
  CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR = 4,
  CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR = 5,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR = 10,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR = 11,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR = 12,
  CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR = 15,
  CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR = 16,
  CUDNN_BACKEND_TENSOR_DESCRIPTOR = 17
};
enum cudnnBackendAttributeType_t {
  CUDNN_TYPE_HANDLE = 0,
  CUDNN_TYPE_DATA_TYPE = 1,
  CUDNN_TYPE_INT64 = 3,
  CUDNN_TYPE_FLOAT = 4,
  CUDNN_TYPE_DOUBLE = 5,
  CUDNN_TYPE_VOID_PTR = 6,
  CUDNN_TYPE_CONVOLUTION_MODE = 7,
  CUDNN_TYPE_HEUR_MODE = 8,
  CUDNN_TYPE_NUMERICAL_NOTE = 10,
  CUDNN_TYPE_BACKEND_DESCRIPTOR = 15
};
enum cudnnBackendAttributeName_t {
  CUDNN_ATTR_CONVOLUTION_COMP_TYPE = 100,
  CUDNN_ATTR_CONVOLUTION_CONV_MODE = 101,
  CUDNN_ATTR_CONVOLUTION_DILATIONS = 102,
  CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES = 103,
  CUDNN_ATTR_CONVOLUTION_POST_PADDINGS = 104,
  CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS = 105,
  CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS = 106,
  CUDNN_ATTR_ENGINEHEUR_MODE = 200,
  CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH = 201,
  CUDNN_ATTR_ENGINEHEUR_RESULTS = 202,
  CUDNN_ATTR_ENGINECFG_ENGINE = 300,
  CUDNN_ATTR_EXECUTION_PLAN_HANDLE = 400,
  CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG = 401,
  CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE = 402,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA = 700,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA = 701,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC = 702,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W = 703,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X = 704,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y = 705,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA = 706,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA = 707,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC = 708,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W = 709,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX = 710,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY = 711,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA = 712,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA = 713,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC = 714,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW = 715,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X = 716,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY = 717,
  CUDNN_ATTR_OPERATIONGRAPH_HANDLE = 800,
  CUDNN_ATTR_OPERATIONGRAPH_OPS = 801,
  CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT = 900,
  CUDNN_ATTR_TENSOR_DATA_TYPE = 901,
  CUDNN_ATTR_TENSOR_DIMENSIONS = 902,
  CUDNN_ATTR_TENSOR_STRIDES = 903,
  CUDNN_ATTR_TENSOR_UNIQUE_ID = 906,
  CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS = 1000,
  CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS = 1001,
  CUDNN_ATTR_VARIANT_PACK_WORKSPACE = 1003,
  CUDNN_ATTR_ENGINE_NUMERICAL_NOTE = 1303
};

namespace fake_cuda {

struct cudnn {
  int device;
  stream* on = nullptr;
};

/// One of the ways in which a convolution is computed. Those whose notes say that they are inexact are.
struct engine {
  std::vector<cudnnBackendNumericalNote_t> notes = {};
  std::int64_t workspace = 0;
  bool is_supported = true;
  bool is_fallback = false;
};
/// From the fastest one on.
inline std::vector<engine> engines = {
    {.notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE, CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}},
    {.notes = {CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS, CUDNN_NUMERICAL_NOTE_TENSOR_CORE}},
    {.is_supported = false},
    {.workspace = std::int64_t{1} << 40},
    {.notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}, .workspace = 512},
    {.workspace = 2048},
    {.is_fallback = true}};

using extents_of_4 = std::array<std::int64_t, 4>;
using numbers_of_2 = std::array<std::int64_t, 2>;

/// A tensor whose elements are side by side.
struct tensor {
  std::int64_t id = 0, alignment = 0;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  extents_of_4 extents = {};

  std::int64_t at(std::int64_t a, std::int64_t b, std::int64_t i, std::int64_t j) const {
    return ((a * extents[1] + b) * extents[2] + i) * extents[3] + j;
  }
  std::int64_t count() const { return extents[0] * extents[1] * extents[2] * extents[3]; }
  std::int64_t bytes() const {
    return count() * (type == CUDNN_DATA_DOUBLE ? 8 : type == CUDNN_DATA_FLOAT ? 4 : 2);
  }
};

/// What is computed of what.
struct convolution_problem {
  cudnnBackendDescriptorType_t computes;
  tensor x = {}, weight = {}, y = {};
  numbers_of_2 stride = {}, dilation = {}, padding = {};
  cudnnDataType_t added_in = CUDNN_DATA_FLOAT;

  const tensor& target() const {
    return computes == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR         ? y
           : computes == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR ? x
                                                                                      : weight;
  }
  /// Whether the extents follow from each other.
  bool fits() const {
    for (std::size_t s = 0; s < 2; ++s) {
      const std::int64_t span = dilation[s] * (weight.extents[2 + s] - 1) + 1;
      if (y.extents[2 + s] != (x.extents[2 + s] + 2 * padding[s] - span) / stride[s] + 1) return false;
    }
    return x.extents[0] == y.extents[0] && weight.extents[0] == y.extents[1] &&
           x.extents[1] % weight.extents[1] == 0 && x.type == weight.type && x.type == y.type &&
           added_in == (x.type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
  }

  template <class T, class Sum>
  void run(std::byte* x_data, std::byte* weight_data, std::byte* y_data, bool in_tf32) const {
    T* const xs = reinterpret_cast<T*>(x_data);
    T* const weights = reinterpret_cast<T*>(weight_data);
    T* const ys = reinterpret_cast<T*>(y_data);
    T* const targets = &target() == &x ? xs : &target() == &y ? ys : weights;
    std::vector<Sum> sums(static_cast<std::size_t>(target().count()));
    const auto read = [&](T element) {
      if constexpr (std::is_same_v<T, float>)
        return in_tf32 ? as_tf32(element) : element;
      else
        return static_cast<Sum>(element);
    };
    for_each_product([&](std::int64_t a, std::int64_t b, std::int64_t c) {
      if (targets == ys) sums[static_cast<std::size_t>(c)] += read(xs[a]) * read(weights[b]);
      if (targets == xs) sums[static_cast<std::size_t>(a)] += read(weights[b]) * read(ys[c]);
      if (targets == weights) sums[static_cast<std::size_t>(b)] += read(xs[a]) * read(ys[c]);
    });
    for (std::size_t i = 0; i < sums.size(); ++i) targets[i] = static_cast<T>(sums[i]);
  }

 private:
  /// Calls f with the places of x's element, the weight's and y's.
  template <class F>
  void for_each_product(F f) const {
    const auto &image = x.extents, &kernel = weight.extents, &result = y.extents;
    const std::int64_t out = kernel[0] / (image[1] / kernel[1]);  // of a group
    for (std::int64_t n = 0; n < result[0]; ++n)
      for (std::int64_t o = 0; o < result[1]; ++o)
        for (std::int64_t i = 0; i < kernel[1]; ++i)
          for (std::int64_t k = 0; k < kernel[2] * kernel[3]; ++k)
            for (std::int64_t p = 0; p < result[2] * result[3]; ++p) {
              const std::int64_t row = p / result[3] * stride[0] + k / kernel[3] * dilation[0] - padding[0];
              const std::int64_t column =
                  p % result[3] * stride[1] + k % kernel[3] * dilation[1] - padding[1];
              if (row < 0 || row >= image[2] || column < 0 || column >= image[3]) continue;
              f(x.at(n, o / out * kernel[1] + i, row, column), weight.at(o, i, 0, k), y.at(n, o, 0, p));
            }
  }
};

/// A descriptor of the graph interface.
struct descriptor {
  cudnnBackendDescriptorType_t type;
  std::map<int, std::vector<std::byte>> attributes = {};
  bool is_finished = false;
  std::size_t engine = 0;
  std::optional<convolution_problem> problem = {};  // others may be gone that it was made of

  static std::size_t size_of(cudnnBackendAttributeType_t type) {
    return type == CUDNN_TYPE_INT64 || type == CUDNN_TYPE_DOUBLE || type == CUDNN_TYPE_VOID_PTR ||
                   type == CUDNN_TYPE_HANDLE || type == CUDNN_TYPE_BACKEND_DESCRIPTOR
               ? 8
               : 4;
  }

  /// Nothing is set when all has been said, and no other descriptor that is not finished.
  cudnnStatus_t set(int name, cudnnBackendAttributeType_t of, std::int64_t count, const void* items) {
    if (is_finished || count < 0) return CUDNN_STATUS_BAD_PARAM;
    if (of == CUDNN_TYPE_BACKEND_DESCRIPTOR)
      for (std::int64_t i = 0; i < count; ++i)
        if (!static_cast<descriptor* const*>(items)[i]->is_finished) return CUDNN_STATUS_BAD_PARAM;
    const auto* begin = static_cast<const std::byte*>(items);
    attributes[name].assign(begin, begin + static_cast<std::size_t>(count) * size_of(of));
    return CUDNN_STATUS_SUCCESS;
  }

  /// What was set, which must be of T.
  template <class T>
  T one(int name) const {
    const auto found = attributes.find(name);
    if (found == attributes.end() || found->second.size() != sizeof(T))
      stop("cuDNN has no attribute " + std::to_string(name) + " of such a size");
    T item;
    std::memcpy(&item, found->second.data(), sizeof item);
    return item;
  }
  const descriptor& other(int name) const { return *one<const descriptor*>(name); }

  cudnnStatus_t get(int name, std::int64_t asked, std::int64_t* count, void* items) const {
    switch (name) {
      case CUDNN_ATTR_ENGINEHEUR_RESULTS:
        *count = list_configurations(asked, static_cast<descriptor* const*>(items));
        return CUDNN_STATUS_SUCCESS;
      case CUDNN_ATTR_ENGINECFG_ENGINE:
        **static_cast<descriptor* const*>(items) = {
            .type = CUDNN_BACKEND_ENGINE_DESCRIPTOR, .is_finished = true, .engine = engine};
        *count = 1;
        return CUDNN_STATUS_SUCCESS;
      case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
        *count = static_cast<std::int64_t>(engines.at(engine).notes.size());
        if (*count > asked) return CUDNN_STATUS_BAD_PARAM;
        std::ranges::copy(engines.at(engine).notes, static_cast<cudnnBackendNumericalNote_t*>(items));
        return CUDNN_STATUS_SUCCESS;
      case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
        *static_cast<std::int64_t*>(items) = engines.at(engine).workspace;
        *count = 1;
        return is_finished ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
      default:
        return CUDNN_STATUS_BAD_PARAM;
    }
  }

  cudnnStatus_t finish() {
    if (is_finished) return CUDNN_STATUS_BAD_PARAM;
    const cudnnStatus_t status = checked();
    is_finished = status == CUDNN_STATUS_SUCCESS;
    return status;
  }

  /// A tensor's; none where its elements do not lie side by side.
  std::optional<tensor> as_tensor() const {
    tensor t{
        one<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID), one<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT),
        one<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE), one<extents_of_4>(CUDNN_ATTR_TENSOR_DIMENSIONS)};
    const auto strides = one<extents_of_4>(CUDNN_ATTR_TENSOR_STRIDES);
    std::int64_t stride = 1;
    for (std::size_t d = 4; d-- > 0; stride *= t.extents[d])
      if (strides[d] != stride || t.extents[d] < 1) return {};
    return t;
  }

 private:
  std::int64_t list_configurations(std::int64_t asked, descriptor* const* items) const {
    const bool fallback = one<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE) == CUDNN_HEUR_MODE_FALLBACK;
    std::int64_t found = 0;
    for (std::size_t e = 0; e < engines.size(); ++e) {
      if (engines[e].is_fallback != fallback) continue;
      if (found < asked)
        *items[found] = {.type = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR,
                         .is_finished = true,
                         .engine = e,
                         .problem = other(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).problem};
      ++found;
    }
    return found;
  }

  cudnnStatus_t checked() {
    switch (type) {
      case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
        return as_tensor() ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
      case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
        return one<std::int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS) == 2 &&
                       one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS) ==
                           one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS) &&
                       one<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE) ==
                           CUDNN_CROSS_CORRELATION
                   ? CUDNN_STATUS_SUCCESS
                   : CUDNN_STATUS_NOT_SUPPORTED;
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
        return set_problem(700);
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
        return set_problem(706);
      case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
        return set_problem(712);
      case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
        one<cudnn*>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE);
        problem = other(CUDNN_ATTR_OPERATIONGRAPH_OPS).problem;
        return CUDNN_STATUS_SUCCESS;
      case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
        one<cudnn*>(CUDNN_ATTR_EXECUTION_PLAN_HANDLE);
        engine = other(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).engine;
        problem = other(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).problem;
        return engines.at(engine).is_supported ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
      default:
        return CUDNN_STATUS_SUCCESS;
    }
  }

  // The attributes of an operation begin at `first`; those of all three are in one order, but for alpha and
  // beta.
  cudnnStatus_t set_problem(int first) {
    const int windows = first == 712 ? 714 : first + 2;
    const auto operand = [&](int name) { return *other(name).as_tensor(); };
    convolution_problem p{.computes = type};
    if (first == 700) p.weight = operand(703), p.x = operand(704), p.y = operand(705);
    if (first == 706) p.weight = operand(709), p.x = operand(710), p.y = operand(711);
    if (first == 712) p.weight = operand(715), p.x = operand(716), p.y = operand(717);
    const descriptor& w = other(windows);
    p.stride = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES);
    p.dilation = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_DILATIONS);
    p.padding = w.one<numbers_of_2>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS);
    p.added_in = w.one<cudnnDataType_t>(CUDNN_ATTR_CONVOLUTION_COMP_TYPE);
    const bool doubles = p.added_in == CUDNN_DATA_DOUBLE;
    const int alpha = first;
    if (doubles ? one<double>(alpha) != 1 || one<double>(alpha + 1) != 0
                : one<float>(alpha) != 1 || one<float>(alpha + 1) != 0)
      return CUDNN_STATUS_NOT_SUPPORTED;
    problem = p;
    return p.fits() ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
  }
};

inline std::byte* operand_of(machine& m, const stream& s, const descriptor& pack, const tensor& t) {
  const auto ids = pack.one<std::array<std::int64_t, 3>>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto data = pack.one<std::array<std::byte*, 3>>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  for (std::size_t i = 0; i < 3; ++i) {
    if (ids[i] != t.id) continue;
    const block* b = block_of(m, data[i], static_cast<std::size_t>(t.bytes()), "cuDNN");
    if (b == nullptr || b->device != s.device) stop("cuDNN is given memory of somebody else");
    if (reinterpret_cast<std::uintptr_t>(data[i]) % static_cast<std::uintptr_t>(t.alignment) != 0)
      stop("cuDNN is given memory that is aligned less than was said");
    return data[i];
  }
  stop("cuDNN misses an operand");
}

inline cudnnStatus_t execute(machine& m, const cudnn& handle, const descriptor& plan,
                             const descriptor& pack) {
  if (!plan.is_finished || !pack.is_finished) return CUDNN_STATUS_BAD_PARAM;
  const stream& s = m.stream_of(handle.on);
  const convolution_problem p = *plan.problem;
  const engine e = engines.at(plan.engine);
  std::byte *x = operand_of(m, s, pack, p.x), *weight = operand_of(m, s, pack, p.weight),
            *y = operand_of(m, s, pack, p.y);
  auto* const workspace = pack.one<std::byte*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  const auto bytes = static_cast<std::size_t>(e.workspace);
  if (bytes > 0 && block_of(m, workspace, bytes, "cuDNN") == nullptr)
    stop("cuDNN's workspace is memory of the host");
  const bool tf32 = std::ranges::count(e.notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE) != 0;
  return enqueue(m, "a convolution", handle.on,
                 [=] {
                   if (bytes > 0) std::memset(workspace, 0xff, bytes);
                   if (p.x.type == CUDNN_DATA_FLOAT) p.run<float, float>(x, weight, y, tf32);
                   if (p.x.type == CUDNN_DATA_DOUBLE) p.run<double, double>(x, weight, y, tf32);
                   if (p.x.type == CUDNN_DATA_HALF) p.run<tapeless::f16, float>(x, weight, y, tf32);
                   if (p.x.type == CUDNN_DATA_BFLOAT16) p.run<tapeless::bf16, float>(x, weight, y, tf32);
                   return 0;
                 }) == cudaSuccess
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace fake_cuda
