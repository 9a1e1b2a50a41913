// SPDX-License-Identifier: BSL-1.0
// whitening_filters<2>(images): the weights of a convolution that whitens patches of images.
#pragma once

#include <tapeless/data/column.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "pixels.hpp"

namespace speedrun {

/// The covariance of all Kernel x Kernel patches of the first images, normalized as the network sees them.
template <int Kernel>
Eigen::MatrixXd patch_covariance(const tapeless::data::column& images, std::int64_t count) {
  constexpr int size = 3 * Kernel * Kernel, side = 32, places = side - Kernel + 1;
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(size, size), patches(places * places, size);
  for (std::int64_t image = 0; image < count; ++image) {
    const std::span<const std::uint8_t> pixels = images.sample<std::uint8_t>(image);
    for (int k = 0; k < size; ++k) {
      const int channel = k / (Kernel * Kernel), row = k / Kernel % Kernel, column = k % Kernel;
      const auto color = static_cast<std::size_t>(channel);
      for (int place = 0; place < places * places; ++place) {
        const int at = (channel * side + row + place / places) * side + column + place % places;
        patches(place, k) =
            (pixels[static_cast<std::size_t>(at)] - mean_color[color]) / color_deviation[color];
      }
    }
    sum += patches.transpose().lazyProduct(patches);  // of so few columns faster than a blocked product
  }
  return sum / static_cast<double>(count * places * places);
}

/// Weights [6 Kernel^2, 3, Kernel, Kernel] of a convolution: the eigenvectors v of the covariance of the
/// first images' patches, each as v / sqrt(eigenvalue + epsilon), and then their negatives, so that a
/// nonlinearity behind them loses nothing (Page, 2019; Jordan, 2024).
template <int Kernel>
std::vector<float> whitening_filters(const tapeless::data::column& images, std::int64_t first = 5000,
                                     double epsilon = 5e-4) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> found(
      patch_covariance<Kernel>(images, std::min(first, images.count)));
  std::vector<float> weights;
  for (const double sign : {1.0, -1.0})
    for (Eigen::Index i = found.eigenvalues().size(); i-- > 0;)
      for (const double element : found.eigenvectors().col(i))
        weights.push_back(static_cast<float>(sign * element / std::sqrt(found.eigenvalues()[i] + epsilon)));
  return weights;
}

}  // namespace speedrun
