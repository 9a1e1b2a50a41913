// SPDX-License-Identifier: BSL-1.0
// One operation as cuDNN runs it: the engine that is chosen for it. Without TAPELESS_HAS_CUDNN this header is
// empty.
#pragma once

#ifdef TAPELESS_HAS_CUDNN

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tapeless/run/cuda/cudnn.hpp>

namespace tapeless::cuda_kernels {

inline cudnnDataType_t cudnn_type_of(element type) {
  return type == element::f64    ? CUDNN_DATA_DOUBLE
         : type == element::f16  ? CUDNN_DATA_HALF
         : type == element::bf16 ? CUDNN_DATA_BFLOAT16
                                 : CUDNN_DATA_FLOAT;
}

/// What an operation adds up numbers of such a type in.
inline cudnnDataType_t cudnn_sums_of(element type) {
  return type == element::f64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
}

inline constexpr std::int64_t cudnn_alignment = 16;  // bytes

/// Of contiguous elements.
inline backend_descriptor cudnn_tensor(std::int64_t id, element type,
                                       const std::array<std::int64_t, 4>& extents) {
  std::array<std::int64_t, 4> strides{};
  std::int64_t stride = 1;
  for (std::size_t d = 4; d-- > 0; stride *= extents[d]) strides[d] = stride;
  backend_descriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
  t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, cudnn_type_of(type));
  t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(extents));
  t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(strides));
  t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
  t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, cudnn_alignment);
  t.finish();
  return t;
}

/// One number for each of an image's axes.
inline void set_by_axis(backend_descriptor& d, cudnnBackendAttributeName_t name,
                        const std::int64_t (&numbers)[2]) {
  d.set(name, CUDNN_TYPE_INT64, std::span<const std::int64_t>(numbers));
}

/// One operation, or several that are one kernel, among the descriptors that they are made of.
struct cudnn_operation {
  std::vector<backend_descriptor> descriptors;
  std::vector<cudnnBackendDescriptor_t> operations;

  bool empty() const { return operations.empty(); }
};

/// Of one operation, behind its parts.
template <class... Descriptors>
cudnn_operation cudnn_operation_of(Descriptors... parts_and_operation) {
  cudnn_operation o;
  (o.descriptors.push_back(std::move(parts_and_operation)), ...);
  o.operations = {o.descriptors.back().get()};
  return o;
}

/// The device of a handle, which descriptors are told when they are made.
struct cudnn_device {
  cudnnHandle_t handle;

  void tell_graph(backend_descriptor& d) const {
    d.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
  }
  void tell_heuristics(backend_descriptor&) const {}  // they know the graph
  void tell_plan(backend_descriptor& d) const {
    d.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle);
  }
};

/// What an engine may do.
struct cudnn_limits {
  bool allows_tf32 = false;
  std::int64_t workspace_bytes = 0;
};

class cudnn_plan {
 public:
  cudnn_plan() = default;

  /// Looks for the first of cuDNN's engines, from the fastest by its own guess on, that computes in a fixed
  /// order and as exactly as was asked for. Post-condition: is_ready() tells whether there is one.
  template <class Device>
  cudnn_plan(const cudnn_operation& operation, element type, const cudnn_limits& limits, const Device& device,
             const activity& during)
      : type_(type), limits_(limits) {
    if (operation.empty()) return;
    for (const backend_descriptor& d : operation.descriptors)
      if (!is_taken(d, during)) return;
    backend_descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    device.tell_graph(graph);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
              std::span<const cudnnBackendDescriptor_t>(operation.operations));
    graph.finish();
    if (!is_taken(graph, during)) return;
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
      if (find_engine(graph, mode, device)) return;
  }

  bool is_ready() const { return static_cast<bool>(plan_); }
  std::int64_t workspace_bytes() const { return workspace_bytes_; }

  /// operands[i] is that of the tensor with number ids[i]: where it is, or of a number where that is here.
  /// Precondition: the addresses of the others are multiples of cudnn_alignment.
  void run(std::span<const std::int64_t> ids, std::span<void* const> operands, void* workspace,
           cudnnHandle_t handle, const activity& during) const {
    backend_descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, ids);
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, operands);
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    pack.finish();
    check(pack.status(), "cudnnBackendFinalize", during);
    check(cudnnBackendExecute(handle, plan_.get(), pack.get()), "cudnnBackendExecute", during);
  }

 private:
  element type_ = element::f32;
  cudnn_limits limits_;
  backend_descriptor engine_configuration_, plan_;
  std::int64_t workspace_bytes_ = 0;

  // False where cuDNN says that it has nothing for such descriptors; what else goes wrong is an error.
  static bool is_taken(const backend_descriptor& d, const activity& during) {
    const int category = static_cast<int>(CUDNN_STATUS_CATEGORY(d.status()));
    if (category == CUDNN_STATUS_BAD_PARAM || category == CUDNN_STATUS_NOT_SUPPORTED) return false;
    check(d.status(), "cudnnBackendFinalize", during);
    return true;
  }

  template <class Device>
  bool find_engine(const backend_descriptor& graph, cudnnBackendHeurMode_t mode, const Device& device) {
    backend_descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    device.tell_heuristics(heuristics);
    if (!heuristics.finish()) return false;
    for (backend_descriptor& configuration : configurations_of(heuristics))
      if (is_wanted(configuration) && make_plan(configuration, device)) return true;
    return false;
  }

  // cuDNN counts candidates first, of which it then gives those that take the operation.
  static std::vector<backend_descriptor> configurations_of(const backend_descriptor& heuristics) {
    const auto read = [&](std::span<cudnnBackendDescriptor_t> to) {
      return static_cast<std::size_t>(
          heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR, to));
    };
    const std::size_t candidates = read({});
    std::vector<backend_descriptor> configurations;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::size_t i = 0; i < candidates; ++i)
      raw.push_back(configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).get());
    const std::size_t given = read(raw);
    while (configurations.size() > given) configurations.pop_back();
    return configurations;
  }

  bool is_wanted(const backend_descriptor& configuration) const {
    const backend_descriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    cudnnBackendDescriptor_t raw = engine.get();
    configuration.read(CUDNN_ATTR_ENGINECFG_ENGINE, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                       std::span<cudnnBackendDescriptor_t>(&raw, 1));
    std::array<cudnnBackendNumericalNote_t, CUDNN_NUMERICAL_NOTE_TYPE_COUNT> notes{};
    const std::int64_t count = engine.read(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                                           std::span<cudnnBackendNumericalNote_t>(notes));
    for (std::int64_t i = 0; i < count; ++i)
      if (!is_wanted(notes[static_cast<std::size_t>(i)])) return false;
    return true;
  }
  bool is_wanted(cudnnBackendNumericalNote_t note) const {
    switch (note) {
      case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
      case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
      case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
        return false;
      case CUDNN_NUMERICAL_NOTE_FFT:  // of float: transforms lose digits that sums of products keep
      case CUDNN_NUMERICAL_NOTE_WINOGRAD:
      case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:  // of float: TF32
        return type_ != element::f32 || limits_.allows_tf32;
      default:
        return true;
    }
  }

  template <class Device>
  bool make_plan(backend_descriptor& configuration, const Device& device) {
    backend_descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    device.tell_plan(plan);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
    if (!plan.finish()) return false;
    std::int64_t bytes = 0;
    plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, std::span<std::int64_t>(&bytes, 1));
    if (bytes > limits_.workspace_bytes) return false;
    engine_configuration_ = std::move(configuration);
    plan_ = std::move(plan);
    workspace_bytes_ = bytes;
    return true;
  }
};

}  // namespace tapeless::cuda_kernels

#endif
