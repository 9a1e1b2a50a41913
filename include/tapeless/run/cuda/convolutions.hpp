// SPDX-License-Identifier: BSL-1.0
// Convolutions and their transposes as cuDNN's graph interface describes them. Without TAPELESS_HAS_CUDNN
// this header is empty.
#pragma once

#ifdef TAPELESS_HAS_CUDNN

#include <array>
#include <cstdint>

#include <tapeless/plan/families/planned_convolution.hpp>
#include <tapeless/run/cuda/cudnn_plan.hpp>

namespace tapeless::cuda_kernels {

/// cuDNN's names for a convolution: its descriptor, and the attributes of what it is linear in.
struct convolution_names {
  cudnnBackendDescriptorType_t type;
  cudnnBackendAttributeName_t windows, x, weight, y, alpha, beta;
};
constexpr convolution_names names_of(convolution_part computes) {
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

/// x, weight and y have the numbers 1, 2 and 3.
inline cudnn_operation operation_of(const convolution_arguments& arguments, element type) {
  if (arguments.batch == 0 || arguments.in == 0 || arguments.out == 0) return {};
  backend_descriptor windows(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
  windows.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
  windows.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, cudnn_sums_of(type));
  windows.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
  set_by_axis(windows, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, arguments.padding);
  set_by_axis(windows, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, arguments.padding);
  set_by_axis(windows, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, arguments.stride);
  set_by_axis(windows, CUDNN_ATTR_CONVOLUTION_DILATIONS, arguments.dilation);
  windows.finish();

  backend_descriptor x =
      cudnn_tensor(1, type, {arguments.batch, arguments.in, arguments.image[0], arguments.image[1]});
  backend_descriptor weight = cudnn_tensor(
      2, type, {arguments.out, arguments.in / arguments.groups, arguments.kernel[0], arguments.kernel[1]});
  backend_descriptor y =
      cudnn_tensor(3, type, {arguments.batch, arguments.out, arguments.positions[0], arguments.positions[1]});

  const convolution_names n = names_of(arguments.computes);
  backend_descriptor o(n.type);
  o.set(n.windows, windows);
  o.set(n.x, x);
  o.set(n.weight, weight);
  o.set(n.y, y);
  if (type == element::f64) {
    o.set(n.alpha, CUDNN_TYPE_DOUBLE, 1.0);
    o.set(n.beta, CUDNN_TYPE_DOUBLE, 0.0);
  } else {
    o.set(n.alpha, CUDNN_TYPE_FLOAT, 1.0f);
    o.set(n.beta, CUDNN_TYPE_FLOAT, 0.0f);
  }
  o.finish();
  return cudnn_operation_of(std::move(windows), std::move(x), std::move(weight), std::move(y), std::move(o));
}

inline std::array<void*, 3> operands_of(const convolution_arguments& arguments) {
  return {arguments.x, arguments.weight, arguments.y};
}

}  // namespace tapeless::cuda_kernels

#endif
