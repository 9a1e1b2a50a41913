// SPDX-License-Identifier: BSL-1.0
// From descriptors of operations to a plan that is executed, with the library's engines.
#pragma once

#include <algorithm>

#include "convolutions.hpp"
#include "operation_graphs.hpp"

namespace fake_cuda {

struct cudnn {
  int device;
  stream* on = nullptr;
};

/// Whether a descriptor's attributes fit together; what it computes is known from then on.
inline cudnnStatus_t check_attributes(descriptor& d) {
  switch (d.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
      return d.as_tensor() ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
    case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
      return check_windows(d);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
      return set_convolution(d, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
      return set_convolution(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
      return set_convolution(d, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA);
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR:
      return set_tensor_operation(d);
    case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
      d.one<cudnn*>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE);
      return set_graph(d);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR: {
      d.one<cudnn*>(CUDNN_ATTR_EXECUTION_PLAN_HANDLE);
      const descriptor& configuration = d.other(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
      d.computed_by = configuration.computed_by;
      d.computes = configuration.computes;
      d.computed_by.workspace += d.computes->kept * d.computed_by.bytes_kept;
      return d.computed_by.is_supported ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_NOT_SUPPORTED;
    }
    default:
      return CUDNN_STATUS_SUCCESS;
  }
}

inline cudnnStatus_t finish(descriptor& d) {
  if (d.is_finished || d.misses_something) return CUDNN_STATUS_BAD_PARAM;
  const cudnnStatus_t status = check_attributes(d);
  d.is_finished = status == CUDNN_STATUS_SUCCESS;
  return status;
}

/// Fills configurations, of which there are `asked`, with the engines that take the operation, and returns
/// how many these are. Where none is asked for it is how many there may be.
inline std::int64_t list_configurations(const descriptor& heuristics, std::int64_t asked,
                                        descriptor* const* configurations) {
  const auto mode = heuristics.one<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE);
  const problem& p = *heuristics.other(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).computes;
  std::int64_t found = 0;
  for (const engine& e : engines) {
    if (e.is_fallback != (mode == CUDNN_HEUR_MODE_FALLBACK)) continue;
    if (asked > 0 && (!e.is_given || found == asked)) continue;
    if (asked > 0)
      *configurations[found] = {
          .type = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, .is_finished = true, .computed_by = e, .computes = p};
    ++found;
  }
  return found;
}

inline cudnnStatus_t get(const descriptor& d, cudnnBackendAttributeName_t name, std::int64_t asked,
                         std::int64_t* count, void* items) {
  if (!d.is_finished) return CUDNN_STATUS_NOT_INITIALIZED;
  switch (name) {
    case CUDNN_ATTR_ENGINEHEUR_RESULTS:
      *count = list_configurations(d, asked, static_cast<descriptor* const*>(items));
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_ATTR_ENGINECFG_ENGINE:
      **static_cast<descriptor* const*>(items) = {
          .type = CUDNN_BACKEND_ENGINE_DESCRIPTOR, .is_finished = true, .computed_by = d.computed_by};
      *count = 1;
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
      *count = static_cast<std::int64_t>(d.computed_by.notes.size());
      if (*count > asked) return CUDNN_STATUS_BAD_PARAM;
      std::ranges::copy(d.computed_by.notes, static_cast<cudnnBackendNumericalNote_t*>(items));
      return CUDNN_STATUS_SUCCESS;
    case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
      *static_cast<std::int64_t*>(items) = d.computed_by.workspace;
      *count = 1;
      return CUDNN_STATUS_SUCCESS;
    default:
      return CUDNN_STATUS_BAD_PARAM;
  }
}

/// Where an operand is; that of a number is on the host.
inline std::byte* operand_of(machine& m, const stream& s, const descriptor& pack, const tensor& t) {
  const auto ids = pack.all<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto data = pack.all<std::byte*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  if (ids.size() != data.size()) stop("cuDNN is given more or less operands than their numbers");
  const auto found = std::ranges::find(ids, t.id);
  std::byte* const p = found == ids.end() ? nullptr : data[static_cast<std::size_t>(found - ids.begin())];
  if (p == nullptr) stop("cuDNN misses an operand");
  const block* b = block_of(m, p, static_cast<std::size_t>(t.bytes()), "cuDNN");
  if (t.is_number) {
    if (b != nullptr && b->device != pinned) stop("cuDNN is given a number that is not on the host");
    return p;
  }
  if (b == nullptr || b->device != s.device) stop("cuDNN is given memory of somebody else");
  if (reinterpret_cast<std::uintptr_t>(p) % static_cast<std::uintptr_t>(t.alignment) != 0)
    stop("cuDNN is given memory that is aligned less than was said");
  return p;
}

inline cudnnStatus_t execute(machine& m, const cudnn& handle, const descriptor& plan,
                             const descriptor& pack) {
  if (!plan.is_finished || !pack.is_finished) return CUDNN_STATUS_BAD_PARAM;
  const stream& s = m.stream_of(handle.on);
  const problem& p = *plan.computes;
  std::vector<std::byte*> data;
  std::vector<float> numbers;  // one for each operand; they are read before the call returns
  for (const tensor& t : p.operands) {
    data.push_back(operand_of(m, s, pack, t));
    numbers.push_back(0);
    if (t.is_number) std::memcpy(&numbers.back(), data.back(), sizeof(float));
  }
  auto* const workspace = pack.one<std::byte*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  const auto bytes = static_cast<std::size_t>(plan.computed_by.workspace);
  if (bytes > 0 && block_of(m, workspace, bytes, "cuDNN") == nullptr)
    stop("cuDNN's workspace is memory of the host");
  const bool in_tf32 = std::ranges::count(plan.computed_by.notes, CUDNN_NUMERICAL_NOTE_TENSOR_CORE) != 0;
  const auto work = [data, numbers, workspace, bytes, in_tf32, p] {
    if (bytes > 0) std::memset(workspace, 0xff, bytes);
    auto places = data;
    auto given = numbers;
    for (std::size_t i = 0; i < places.size(); ++i)
      if (p.operands[i].is_number) places[i] = reinterpret_cast<std::byte*>(&given[i]);
    p.run(places.data(), in_tf32);
    return 0;
  };
  return enqueue(m, p.name, handle.on, work) == cudaSuccess ? CUDNN_STATUS_SUCCESS
                                                            : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // namespace fake_cuda
