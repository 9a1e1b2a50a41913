// SPDX-License-Identifier: BSL-1.0
// The network: a whitening convolution, three blocks, and a linear head.
#pragma once

#include <tapeless/tapeless.hpp>

#include <cstdint>

#include "pixels.hpp"
#include "random_crop.hpp"
#include "random_flip.hpp"
#include "test_time_flip.hpp"
#include "whitening.hpp"

namespace speedrun {

namespace tl = tapeless;
using namespace tl::literals;

/// Batch normalization whose scale stays 1, and GELU.
template <tl::name Name, int Channels>
constexpr auto norm_gelu(tl::expression auto x) {
  return tl::gelu(tl::batch_norm<Name, tl::batch_norm_options{.momentum = 0.4, .affine = false}>(x) +
                  tl::param<Name + ".bias", float, Channels, 1, 1>);
}

/// [N, C, H, W] -> [N, Channels, H/2, W/2]
template <tl::name Name, int Channels>
constexpr auto block(tl::expression auto x) {
  constexpr tl::conv same{.kernel = 3, .padding = 1, .bias = false};
  auto half = tl::max_pool2d<tl::pool{.kernel = 2}>(tl::conv2d<Name + ".conv1", Channels, same>(x));
  auto a = norm_gelu<Name + ".norm1", Channels>(half);
  return norm_gelu<Name + ".norm2", Channels>(tl::conv2d<Name + ".conv2", Channels, same>(a));
}

template <int Width>
struct network {
  constexpr auto operator()() const {
    constexpr auto batch = tl::dyn<"batch">;
    auto image = tl::input<"image", std::uint8_t, batch, 3, 32, 32>;
    auto label = tl::input<"label", std::int32_t, batch>;

    auto x = normalized(with_mirror_images(random_crop<2>(random_flip(image))));
    auto a = tl::gelu(whitening<"whitening", 2>(x));
    auto b = block<"block3", 4 * Width>(block<"block2", 4 * Width>(block<"block1", Width>(a)));
    auto features = tl::flatten(tl::max_pool2d<tl::pool{.kernel = 3}>(b));
    auto logits = mean_with_mirror_images(tl::linear<"head", 10, false>(features) / 9_c);
    return tl::outputs(tl::cross_entropy<tl::loss{.label_smoothing = 0.2}>(logits, label),
                       tl::named<"logits">(logits));
  }
};

}  // namespace speedrun
