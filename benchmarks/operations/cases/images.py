# SPDX-License-Identifier: BSL-1.0
"""Pools, resampling and convolutions. The function case is in case.py."""
from case import case

case("max_pool2d", "tl::max_pool2d<tl::pool{.kernel = 2}>(x)", "F.max_pool2d(x, 2)", x="normal 32 64 28 28")
case("max_pool2d_3s2", "tl::max_pool2d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x)",
     "F.max_pool2d(x, 3, 2, 1)", x="normal 32 64 28 28")
case("max_pool2d_3s1", "tl::max_pool2d<tl::pool{.kernel = 3, .stride = 1, .padding = 1}>(x)",
     "F.max_pool2d(x, 3, 1, 1)", x="normal 32 64 28 28")
case("max_pool2d_dil", "tl::max_pool2d<tl::pool{.kernel = 2, .stride = 1, .dilation = 2}>(x)",
     "F.max_pool2d(x, 2, 1, 0, 2)", x="normal 32 64 28 28")
case("avg_pool2d", "tl::avg_pool2d<tl::pool{.kernel = 2}>(x)", "F.avg_pool2d(x, 2)", x="normal 32 64 28 28")
case("avg_pool2d_3s1", "tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 1, .padding = 1}>(x)",
     "F.avg_pool2d(x, 3, 1, 1)", x="normal 32 64 28 28")
case("avg_pool2d_nopad",
     "tl::avg_pool2d<tl::pool{.kernel = 3, .stride = 1, .padding = 1, .count_include_pad = false}>(x)",
     "F.avg_pool2d(x, 3, 1, 1, count_include_pad=False)", x="normal 32 64 28 28")
case("lp_pool2d", "tl::lp_pool2d<tl::pool{.kernel = 2}>(x)", "F.lp_pool2d(x, 2, 2)", x="normal 32 64 28 28")
case("adaptive_avg", "tl::adaptive_avg_pool2d<7, 7>(x)", "F.adaptive_avg_pool2d(x, 7)", x="normal 32 64 28 28")
case("adaptive_avg5", "tl::adaptive_avg_pool2d<5, 5>(x)", "F.adaptive_avg_pool2d(x, 5)", x="normal 32 64 28 28")
case("adaptive_max5", "tl::adaptive_max_pool2d<5, 5>(x)", "F.adaptive_max_pool2d(x, 5)", x="normal 32 64 28 28")
case("global_avg", "tl::global_avg_pool2d(x)", "F.adaptive_avg_pool2d(x, 1)", x="normal 32 64 28 28")
case("max_pool1d", "tl::max_pool1d<tl::pool{.kernel = 3, .stride = 2}>(x)", "F.max_pool1d(x, 3, 2)",
     x="normal 32 64 512")
case("avg_pool1d", "tl::avg_pool1d<tl::pool{.kernel = 3, .stride = 2}>(x)", "F.avg_pool1d(x, 3, 2)",
     x="normal 32 64 512")
case("max_pool3d", "tl::max_pool3d<tl::pool{.kernel = 2}>(x)", "F.max_pool3d(x, 2)", x="normal 4 16 16 32 32")
case("avg_pool3d", "tl::avg_pool3d<tl::pool{.kernel = 2}>(x)", "F.avg_pool3d(x, 2)", x="normal 4 16 16 32 32")
case("max_pool3d_3", "tl::max_pool3d<tl::pool{.kernel = 3, .stride = 2, .padding = 1}>(x)",
     "F.max_pool3d(x, 3, 2, 1)", x="normal 4 16 16 32 32")
case("up_nearest", "tl::interpolate<tl::resize{.scale_factor = 2, .mode = tl::interpolation::nearest}>(x)",
     "F.interpolate(x, scale_factor=2, mode='nearest')", x="normal 16 16 56 56")
case("up_bilinear", "tl::interpolate<tl::resize{.scale_factor = 2, .mode = tl::interpolation::bilinear}>(x)",
     "F.interpolate(x, scale_factor=2, mode='bilinear')", x="normal 16 16 56 56")
case("up_bicubic", "tl::interpolate<tl::resize{.scale_factor = 2, .mode = tl::interpolation::bicubic}>(x)",
     "F.interpolate(x, scale_factor=2, mode='bicubic')", x="normal 16 16 56 56")
case("down_bilinear", "tl::interpolate<tl::resize{.size = {20, 20}, .mode = tl::interpolation::bilinear}>(x)",
     "F.interpolate(x, size=(20, 20), mode='bilinear')", x="normal 32 64 28 28")
case("down_area", "tl::interpolate<tl::resize{.size = {20, 20}, .mode = tl::interpolation::area}>(x)",
     "F.interpolate(x, size=(20, 20), mode='area')", x="normal 32 64 28 28")
case("grid_bilinear", "tl::grid_sample<tl::sampling{.mode = tl::interpolation::bilinear}>(x, g)",
     "F.grid_sample(x, g, mode='bilinear', align_corners=False)", x="normal 16 16 28 28", g="signed 16 28 28 2")
case("grid_nearest", "tl::grid_sample<tl::sampling{.mode = tl::interpolation::nearest}>(x, g)",
     "F.grid_sample(x, g, mode='nearest', align_corners=False)", x="normal 16 16 28 28", g="signed 16 28 28 2",
     by="x")
case("grid_bicubic", "tl::grid_sample<tl::sampling{.mode = tl::interpolation::bicubic}>(x, g)",
     "F.grid_sample(x, g, mode='bicubic', align_corners=False)", x="normal 16 16 28 28", g="signed 16 28 28 2",
     by="x")
case("unfold", "tl::unfold<tl::conv{.kernel = 3, .padding = 1}>(x)", "F.unfold(x, 3, padding=1)",
     x="normal 8 16 28 28")
case("fold", "tl::fold<tl::conv{.kernel = 3, .padding = 1}, 28, 28>(x)", "F.fold(x, (28, 28), 3, padding=1)",
     x="normal 8 144 784")
case("max_unpool",
     "tl::max_unpool2d<tl::pool{.kernel = 2}>(std::get<0>(tl::max_pool2d_with_indices<tl::pool{.kernel = 2}>(x)), std::get<1>(tl::max_pool2d_with_indices<tl::pool{.kernel = 2}>(x)))",
     "F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2)", x="normal 32 64 28 28")
case("conv2d_3", "tl::conv2d<tl::conv{.padding = 1}>(x, w)", "F.conv2d(x, w, None, padding=1)",
     x="normal 16 64 28 28", w="normal 64 64 3 3")
case("conv2d_1", "tl::conv2d<tl::conv{.padding = 0}>(x, w)", "F.conv2d(x, w, None, padding=0)",
     x="normal 16 64 28 28", w="normal 64 64 1 1")
case("conv2d_5", "tl::conv2d<tl::conv{.padding = 2}>(x, w)", "F.conv2d(x, w, None, padding=2)",
     x="normal 16 16 28 28", w="normal 32 16 5 5")
case("conv2d_7s2", "tl::conv2d<tl::conv{.stride = 2, .padding = 3}>(x, w)",
     "F.conv2d(x, w, None, stride=2, padding=3)", x="normal 8 3 112 112", w="normal 32 3 7 7")
case("conv2d_3s2", "tl::conv2d<tl::conv{.stride = 2, .padding = 1}>(x, w)",
     "F.conv2d(x, w, None, stride=2, padding=1)", x="normal 16 64 28 28", w="normal 64 64 3 3")
case("conv2d_dil", "tl::conv2d<tl::conv{.padding = 2, .dilation = 2}>(x, w)",
     "F.conv2d(x, w, None, padding=2, dilation=2)", x="normal 16 64 28 28", w="normal 64 64 3 3")
case("conv2d_g4", "tl::conv2d<tl::conv{.padding = 1, .groups = 4}>(x, w)",
     "F.conv2d(x, w, None, padding=1, groups=4)", x="normal 16 64 28 28", w="normal 64 16 3 3")
case("conv2d_dw", "tl::conv2d<tl::conv{.padding = 1, .groups = 64}>(x, w)",
     "F.conv2d(x, w, None, padding=1, groups=64)", x="normal 16 64 28 28", w="normal 64 1 3 3")
case("conv2d_dw5s2", "tl::conv2d<tl::conv{.stride = 2, .padding = 2, .groups = 64}>(x, w)",
     "F.conv2d(x, w, None, stride=2, padding=2, groups=64)", x="normal 16 64 28 28", w="normal 64 1 5 5")
case("conv2d_3_1ch", "tl::conv2d<tl::conv{.padding = 1}>(x, w)", "F.conv2d(x, w, None, padding=1)",
     x="normal 32 1 28 28", w="normal 8 1 3 3")
case("conv1d_3", "tl::conv1d<tl::conv{.padding = 1}>(x, w)", "F.conv1d(x, w, None, padding=1)", x="normal 32 64 256",
     w="normal 64 64 3")
case("conv1d_9d4", "tl::conv1d<tl::conv{.padding = 16, .dilation = 4}>(x, w)",
     "F.conv1d(x, w, None, padding=16, dilation=4)", x="normal 8 32 1024", w="normal 32 32 9")
case("conv1d_dw", "tl::conv1d<tl::conv{.padding = 2, .groups = 64}>(x, w)",
     "F.conv1d(x, w, None, padding=2, groups=64)", x="normal 32 64 256", w="normal 64 1 5")
case("conv3d_3", "tl::conv3d<tl::conv{.padding = 1}>(x, w)", "F.conv3d(x, w, None, padding=1)",
     x="normal 2 16 16 16 16", w="normal 16 16 3 3 3")
case("conv3d_s2", "tl::conv3d<tl::conv{.stride = 2, .padding = 1}>(x, w)",
     "F.conv3d(x, w, None, stride=2, padding=1)", x="normal 2 16 16 32 32", w="normal 32 16 3 3 3")
case("conv3d_dw", "tl::conv3d<tl::conv{.padding = 1, .groups = 16}>(x, w)",
     "F.conv3d(x, w, None, padding=1, groups=16)", x="normal 2 16 16 16 16", w="normal 16 1 3 3 3")
case("convT2d_4s2", "tl::conv_transpose2d<tl::conv{.stride = 2, .padding = 1}>(x, w)",
     "F.conv_transpose2d(x, w, None, stride=2, padding=1)", x="normal 16 64 14 14", w="normal 64 32 4 4")
case("convT2d_3", "tl::conv_transpose2d<tl::conv{.padding = 1}>(x, w)", "F.conv_transpose2d(x, w, None, padding=1)",
     x="normal 16 64 14 14", w="normal 64 32 3 3")
case("convT2d_2s2", "tl::conv_transpose2d<tl::conv{.stride = 2}>(x, w)", "F.conv_transpose2d(x, w, None, stride=2)",
     x="normal 16 64 14 14", w="normal 64 32 2 2")
case("convT1d_4s2", "tl::conv_transpose1d<tl::conv{.stride = 2, .padding = 1}>(x, w)",
     "F.conv_transpose1d(x, w, None, stride=2, padding=1)", x="normal 16 64 128", w="normal 64 32 4")
case("convT3d_2s2", "tl::conv_transpose3d<tl::conv{.stride = 2}>(x, w)", "F.conv_transpose3d(x, w, None, stride=2)",
     x="normal 2 16 8 8 8", w="normal 16 16 2 2 2")
