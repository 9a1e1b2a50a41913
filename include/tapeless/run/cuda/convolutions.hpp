// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes by cuDNN, where TAPELESS_HAS_CUDNN says that the program is linked with
// it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tapeless/run/calls.hpp>
#include <tapeless/run/cuda/cudnn.hpp>
#include <tapeless/run/cuda/resources.hpp>

namespace tapeless::cuda_kernels {

#ifdef TAPELESS_HAS_CUDNN

/// One convolution as cuDNN runs it.
class convolution {
 public:
  /// Looks for the first of cuDNN's engines, from the fastest by its own guess on, that computes in a fixed
  /// order and as exactly as was asked for. Post-condition: is_ready() tells whether there is one.
  void prepare(const convolution_call& call, element type, const resources& shared, cudnnHandle_t handle,
               const activity& during) {
    plan_ = {};
    workspace_bytes_ = 0;
    if (call.batch == 0 || call.in == 0 || call.out == 0) return;
    type_ = type;
    allows_tf32_ = shared.products() == float_products::tf32;
    const backend_descriptor x = tensor(x_id, {call.batch, call.in, call.image[0], call.image[1]});
    const backend_descriptor weight =
        tensor(weight_id, {call.out, call.in / call.groups, call.kernel[0], call.kernel[1]});
    const backend_descriptor y = tensor(y_id, {call.batch, call.out, call.positions[0], call.positions[1]});
    const backend_descriptor windows = windows_of(call);
    const backend_descriptor operation = operation_of(call.computes, x, weight, y, windows);
    backend_descriptor graph(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, handle);
    graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
    for (const backend_descriptor* d : {&x, &weight, &y, &windows, &operation})
      if (!is_taken(*d, during)) return;
    graph.finish();
    if (!is_taken(graph, during)) return;
    for (const cudnnBackendHeurMode_t mode : {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK})
      if (find_plan(graph, mode, handle)) return;
  }

  bool is_ready() const { return static_cast<bool>(plan_); }
  std::int64_t workspace_bytes() const { return workspace_bytes_; }

  /// Precondition: the operands' addresses are multiples of `alignment`.
  void run(const convolution_call& call, void* workspace, cudnnHandle_t handle,
           const activity& during) const {
    const std::array<std::int64_t, 3> ids{x_id, weight_id, y_id};
    const std::array<void*, 3> operands{call.x, call.weight, call.y};
    backend_descriptor pack(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(ids));
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, std::span<void* const>(operands));
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, workspace);
    pack.finish();
    check(pack.status(), "cudnnBackendFinalize", during);
    check(cudnnBackendExecute(handle, plan_.get(), pack.get()), "cudnnBackendExecute", during);
  }

  static constexpr std::int64_t alignment = 16;  // bytes

 private:
  static constexpr std::int64_t x_id = 1, weight_id = 2, y_id = 3;
  static constexpr std::int64_t most_workspace_bytes = std::int64_t{1} << 28;

  element type_ = element::f32;
  bool allows_tf32_ = false;
  backend_descriptor engine_configuration_, plan_;
  std::int64_t workspace_bytes_ = 0;

  cudnnDataType_t data_type() const {
    return type_ == element::f64    ? CUDNN_DATA_DOUBLE
           : type_ == element::f16  ? CUDNN_DATA_HALF
           : type_ == element::bf16 ? CUDNN_DATA_BFLOAT16
                                    : CUDNN_DATA_FLOAT;
  }

  // False where cuDNN says that it has nothing for such descriptors; what else goes wrong is an error.
  static bool is_taken(const backend_descriptor& d, const activity& during) {
    const int category = static_cast<int>(CUDNN_STATUS_CATEGORY(d.status()));
    if (category == CUDNN_STATUS_BAD_PARAM || category == CUDNN_STATUS_NOT_SUPPORTED) return false;
    check(d.status(), "cudnnBackendFinalize", during);
    return true;
  }

  // Elements side by side.
  backend_descriptor tensor(std::int64_t id, const std::array<std::int64_t, 4>& extents) const {
    std::array<std::int64_t, 4> strides{};
    std::int64_t stride = 1;
    for (std::size_t d = 4; d-- > 0; stride *= extents[d]) strides[d] = stride;
    backend_descriptor t(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
    t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, data_type());
    t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, std::span<const std::int64_t>(extents));
    t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, std::span<const std::int64_t>(strides));
    t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, alignment);
    t.finish();
    return t;
  }

  backend_descriptor windows_of(const convolution_call& call) const {
    backend_descriptor w(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
    w.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
    w.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE,
          type_ == element::f64 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
    w.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
    const auto set = [&w](cudnnBackendAttributeName_t name, const std::int64_t(&numbers)[2]) {
      w.set(name, CUDNN_TYPE_INT64, std::span<const std::int64_t>(numbers));
    };
    set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, call.padding);
    set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, call.padding);
    set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, call.stride);
    set(CUDNN_ATTR_CONVOLUTION_DILATIONS, call.dilation);
    w.finish();
    return w;
  }

  /// cuDNN's names for an operation: its descriptor, and the attributes of what it is linear in.
  struct names {
    cudnnBackendDescriptorType_t type;
    cudnnBackendAttributeName_t windows, x, weight, y, alpha, beta;
  };
  static constexpr names names_of(convolution_part computes) {
    switch (computes) {
      case convolution_part::x:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA};
      case convolution_part::weight:
        return {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA};
      case convolution_part::y:
        break;
    }
    return {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
            CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA};
  }

  backend_descriptor operation_of(convolution_part computes, const backend_descriptor& x,
                                  const backend_descriptor& weight, const backend_descriptor& y,
                                  const backend_descriptor& windows) const {
    const names n = names_of(computes);
    backend_descriptor o(n.type);
    o.set(n.windows, windows);
    o.set(n.x, x);
    o.set(n.weight, weight);
    o.set(n.y, y);
    if (type_ == element::f64) {
      o.set(n.alpha, CUDNN_TYPE_DOUBLE, 1.0);
      o.set(n.beta, CUDNN_TYPE_DOUBLE, 0.0);
    } else {
      o.set(n.alpha, CUDNN_TYPE_FLOAT, 1.0f);
      o.set(n.beta, CUDNN_TYPE_FLOAT, 0.0f);
    }
    o.finish();
    return o;
  }

  bool find_plan(const backend_descriptor& graph, cudnnBackendHeurMode_t mode, cudnnHandle_t handle) {
    backend_descriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
    if (!heuristics.finish()) return false;
    const std::int64_t count = heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                                               std::span<cudnnBackendDescriptor_t>());
    std::vector<backend_descriptor> configurations;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t i = 0; i < count; ++i)
      raw.push_back(configurations.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR).get());
    heuristics.read(CUDNN_ATTR_ENGINEHEUR_RESULTS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
                    std::span<cudnnBackendDescriptor_t>(raw));
    for (backend_descriptor& configuration : configurations)
      if (is_wanted(configuration) && make_plan(configuration, handle)) return true;
    return false;
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
      case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:  // of float: TF32
        return type_ != element::f32 || allows_tf32_;
      default:
        return true;
    }
  }

  bool make_plan(backend_descriptor& configuration, cudnnHandle_t handle) {
    backend_descriptor plan(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, handle);
    plan.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, configuration);
    if (!plan.finish()) return false;
    std::int64_t bytes = 0;
    plan.read(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, std::span<std::int64_t>(&bytes, 1));
    if (bytes > most_workspace_bytes) return false;
    engine_configuration_ = std::move(configuration);
    plan_ = std::move(plan);
    workspace_bytes_ = bytes;
    return true;
  }
};

/// All convolutions of a program, with the memory that they share.
class convolutions {
 public:
  void prepare(std::size_t i, const convolution_call& call, element type, resources& shared,
               const activity& during) {
    if (all_.size() <= i) all_.resize(i + 1);
    all_[i].prepare(call, type, shared, shared.cudnn(), during);
    if (all_[i].workspace_bytes() <= workspace_bytes_) return;
    workspace_ = {};
    workspace_bytes_ = all_[i].workspace_bytes();
    workspace_ = device_memory(workspace_bytes_, "the workspace of convolutions");
  }
  /// False where cuDNN has nothing for it.
  bool run(std::size_t i, const convolution_call& call, resources& shared, const activity& during) const {
    const auto bits = [](const std::byte* p) { return reinterpret_cast<std::uintptr_t>(p); };
    if (!all_[i].is_ready() ||
        (bits(call.x) | bits(call.weight) | bits(call.y)) % convolution::alignment != 0)
      return false;
    all_[i].run(call, workspace_.get(), shared.cudnn(), during);
    return true;
  }

 private:
  std::vector<convolution> all_;
  device_pointer workspace_;
  std::int64_t workspace_bytes_ = 0;
};

#else

/// Of a program that is not linked with cuDNN.
class convolutions {
 public:
  void prepare(std::size_t, const convolution_call&, element, const resources&, const activity&) {}
  bool run(std::size_t, const convolution_call&, const resources&, const activity&) const { return false; }
};

#endif

}  // namespace tapeless::cuda_kernels
