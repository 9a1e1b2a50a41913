// SPDX-License-Identifier: BSL-1.0
// Pools as cuDNN's graph interface describes them. Without TAPELESS_HAS_CUDNN this header is empty.
//
// The gradient of a largest element is not among them: where several are equal, cuDNN's goes to one of them,
// ours to all.
#pragma once

#ifdef TAPELESS_HAS_CUDNN

#include <array>
#include <cstdint>

#include <tapeless/plan/families/planned_pooling.hpp>
#include <tapeless/run/cuda/cudnn_plan.hpp>

namespace tapeless::cuda_kernels {

/// Which of an image's elements are put together, and how.
inline backend_descriptor resampling_of(const pooling_arguments& arguments) {
  const bool is_max = arguments.computes == pooling_kind::largest;
  backend_descriptor r(CUDNN_BACKEND_RESAMPLE_DESCRIPTOR);
  r.set(CUDNN_ATTR_RESAMPLE_MODE, CUDNN_TYPE_RESAMPLE_MODE,
        is_max                     ? CUDNN_RESAMPLE_MAXPOOL
        : arguments.counts_padding ? CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING
                                   : CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING);
  r.set(CUDNN_ATTR_RESAMPLE_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
  r.set(CUDNN_ATTR_RESAMPLE_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t{2});
  r.set(CUDNN_ATTR_RESAMPLE_PADDING_MODE, CUDNN_TYPE_PADDING_MODE,
        is_max ? CUDNN_NEG_INF_PAD : CUDNN_ZERO_PAD);
  if (is_max) r.set(CUDNN_ATTR_RESAMPLE_NAN_PROPAGATION, CUDNN_TYPE_NAN_PROPOGATION, CUDNN_PROPAGATE_NAN);
  set_by_axis(r, CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, arguments.kernel);
  set_by_axis(r, CUDNN_ATTR_RESAMPLE_STRIDES, arguments.stride);
  set_by_axis(r, CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, arguments.padding);
  set_by_axis(r, CUDNN_ATTR_RESAMPLE_POST_PADDINGS, arguments.padding);
  r.finish();
  return r;
}

/// The image and what is at the windows' positions have the numbers 1 and 2. Pools of double are ours: cuDNN
/// documents sums in float only.
inline cudnn_operation operation_of(const pooling_arguments& arguments, element type) {
  bool is_gradient = false;
  switch (arguments.computes) {
    case pooling_kind::largest:
    case pooling_kind::mean:
      break;
    case pooling_kind::spread:
      is_gradient = true;
      break;
    case pooling_kind::tied:
    case pooling_kind::shared:
      return {};
  }
  if (type == element::f64 || arguments.batch == 0 || arguments.channels == 0) return {};
  backend_descriptor image =
      cudnn_tensor(1, type, {arguments.batch, arguments.channels, arguments.image[0], arguments.image[1]});
  backend_descriptor positions = cudnn_tensor(
      2, type, {arguments.batch, arguments.channels, arguments.positions[0], arguments.positions[1]});
  backend_descriptor windows = resampling_of(arguments);
  backend_descriptor o(is_gradient ? CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR
                                   : CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR);
  if (is_gradient) {
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC, image);
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC, positions);
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC, windows);
  } else {
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC, image);
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC, positions);
    o.set(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC, windows);
  }
  o.finish();
  return cudnn_operation_of(std::move(image), std::move(positions), std::move(windows), std::move(o));
}

inline std::array<void*, 2> operands_of(const pooling_arguments& arguments) {
  return gives_image(arguments.computes) ? std::array<void*, 2>{arguments.target, arguments.source[0]}
                                         : std::array<void*, 2>{arguments.source[0], arguments.target};
}

}  // namespace tapeless::cuda_kernels

#endif
