// SPDX-License-Identifier: BSL-1.0
// All convolutions, pools and their like.
#pragma once

#include <tapeless/ops/spatial/adaptive_pool.hpp>
#include <tapeless/ops/spatial/avg_pool.hpp>
#include <tapeless/ops/spatial/conv1d.hpp>
#include <tapeless/ops/spatial/conv2d.hpp>
#include <tapeless/ops/spatial/conv3d.hpp>
#include <tapeless/ops/spatial/conv_options.hpp>
#include <tapeless/ops/spatial/conv_transpose1d.hpp>
#include <tapeless/ops/spatial/conv_transpose2d.hpp>
#include <tapeless/ops/spatial/conv_transpose3d.hpp>
#include <tapeless/ops/spatial/convolution.hpp>
#include <tapeless/ops/spatial/convolve.hpp>
#include <tapeless/ops/spatial/convolve_volumes.hpp>
#include <tapeless/ops/spatial/global_pool.hpp>
#include <tapeless/ops/spatial/interpolate.hpp>
#include <tapeless/ops/spatial/interpolation_weights.hpp>
#include <tapeless/ops/spatial/lp_pool.hpp>
#include <tapeless/ops/spatial/max_pool.hpp>
#include <tapeless/ops/spatial/max_windows.hpp>
#include <tapeless/ops/spatial/mean_windows.hpp>
#include <tapeless/ops/spatial/pad_with.hpp>
#include <tapeless/ops/spatial/padding_mode.hpp>
#include <tapeless/ops/spatial/pool3d.hpp>
#include <tapeless/ops/spatial/pool_node.hpp>
#include <tapeless/ops/spatial/pool_options.hpp>
#include <tapeless/ops/spatial/pool_windows.hpp>
#include <tapeless/ops/spatial/resize_options.hpp>
#include <tapeless/ops/spatial/spatial_extents.hpp>
#include <tapeless/ops/spatial/spatial_windows.hpp>
#include <tapeless/ops/spatial/unfold.hpp>
#include <tapeless/ops/spatial/upsample.hpp>
#include <tapeless/ops/spatial/windows.hpp>
