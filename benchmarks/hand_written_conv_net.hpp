// SPDX-License-Identifier: BSL-1.0
// What a careful engineer writes by hand with Eigen for a small network of convolutions: 28 x 28 images; 8
// channels of 3 x 3, ReLU, the largest of 2 x 2; 16 channels, the same; 10 classes; Adam. A convolution is a
// product by the image's patches, and a sample's backward pass follows its forward pass, so that what it
// needs is still in the cache.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace by_hand {

class conv_net {
 public:
  explicit conv_net(int batch) : batch_(batch), features_(batch, inputs), logits_(batch, classes) {
    for (auto* all : {&parameters_, &gradients_, &mu_, &nu_}) all->assign(count, 0.0f);
  }

  /// The weights [8, 1, 3, 3], [16, 8, 3, 3] and [10, 784], each before its bias.
  void set(const std::array<std::span<const float>, 6>& parameters) {
    float* to = parameters_.data();
    for (const auto& p : parameters) to = std::copy(p.begin(), p.end(), to);
  }

  float step(std::span<const float> images, std::span<const std::int32_t> labels) {
    std::fill(gradients_.begin(), gradients_.end(), 0.0f);
    float loss = 0;
    for (int i = 0; i < batch_; ++i)
      loss += sample(images.data() + static_cast<std::ptrdiff_t>(i) * 784,
                     labels[static_cast<std::size_t>(i)], i);
    gradient<classes, inputs>(at_dense).noalias() = logits_.transpose() * features_;
    gradient<1, classes>(at_dense + classes * inputs) = logits_.colwise().sum();
    update();
    return loss / static_cast<float>(batch_);
  }

 private:
  static constexpr int side1 = 28, side2 = 14, side3 = 7, channels1 = 8, channels2 = 16, classes = 10;
  static constexpr int patch1 = 9, patch2 = 9 * channels1, inputs = channels2 * side3 * side3;
  static constexpr int at_second = channels1 * patch1 + channels1;
  static constexpr int at_dense = at_second + channels2 * patch2 + channels2;
  static constexpr int count = at_dense + classes * inputs + classes;

  template <int Rows, int Columns>
  using matrix = Eigen::Matrix<float, Rows, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
  using many_rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

  int batch_, steps_ = 0;
  std::vector<float> parameters_, gradients_, mu_, nu_;
  // of one sample: patches, results, and what was largest
  matrix<patch1, side1 * side1> patches1_;
  matrix<channels1, side1 * side1> result1_, gradient1_;
  matrix<channels1, side2 * side2> pooled1_, pooled_gradient1_;
  matrix<patch2, side2 * side2> patches2_, patches_gradient2_;
  matrix<channels2, side2 * side2> result2_, gradient2_;
  std::array<int, channels1 * side2 * side2> largest1_;
  std::array<int, inputs> largest2_;
  many_rows features_, logits_;

  template <int Rows, int Columns>
  Eigen::Map<const matrix<Rows, Columns>> value(int place) const {
    return Eigen::Map<const matrix<Rows, Columns>>(parameters_.data() + place);
  }
  template <int Rows, int Columns>
  Eigen::Map<matrix<Rows, Columns>> gradient(int place) {
    return Eigen::Map<matrix<Rows, Columns>>(gradients_.data() + place);
  }

  /// The 3 x 3 surroundings of each pixel, zeros outside of the image.
  template <int Channels, int Side>
  static void patches(const float* x, float* to) {
    for (int c = 0; c < Channels; ++c)
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j, to += Side * Side)
          for (int row = 0; row < Side; ++row) {
            float* out = to + row * Side;
            if (row + i < 0 || row + i >= Side) {
              std::memset(out, 0, Side * sizeof(float));
              continue;
            }
            const float* from = x + (c * Side + row + i) * Side;
            if (j < 0) out[0] = 0;
            std::memcpy(out + (j < 0 ? 1 : 0), from + (j > 0 ? 1 : 0),
                        (Side - (j != 0 ? 1 : 0)) * sizeof(float));
            if (j > 0) out[Side - 1] = 0;
          }
  }
  /// The transpose: adds each patch to its place in the image.
  template <int Channels, int Side>
  static void add_patches(const float* from, float* x) {
    std::memset(x, 0, Channels * Side * Side * sizeof(float));
    for (int c = 0; c < Channels; ++c)
      for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j, from += Side * Side)
          for (int row = std::max(0, -i); row < std::min(Side, Side - i); ++row) {
            float* to = x + (c * Side + row + i) * Side + (j > 0 ? 1 : 0);
            const float* in = from + row * Side + (j < 0 ? 1 : 0);
            for (int k = 0; k < Side - (j != 0 ? 1 : 0); ++k) to[k] += in[k];
          }
  }

  /// The largest of 2 x 2 where it is above 0: relu and pooling at once. The place is -1 where relu cuts.
  template <int Channels, int Side>
  static void pool(const float* x, float* to, int* place) {
    for (int c = 0; c < Channels; ++c)
      for (int i = 0; i < Side / 2; ++i)
        for (int j = 0; j < Side / 2; ++j, ++to, ++place) {
          const int first = (c * Side + 2 * i) * Side + 2 * j;
          int best = first;
          for (int other : {first + 1, first + Side, first + Side + 1})
            if (x[other] > x[best]) best = other;
          *to = x[best] > 0 ? x[best] : 0;
          *place = x[best] > 0 ? best : -1;
        }
  }
  template <std::size_t Count>
  static void unpool(const float* from, const std::array<int, Count>& places, float* to) {
    for (std::size_t i = 0; i < Count; ++i)
      if (places[i] >= 0) to[places[i]] = from[i];
  }

  /// Forward and backward; what concerns the dense layer's weight is left for one product of all samples.
  float sample(const float* image, std::int32_t label, int number) {
    const auto weight1 = value<channels1, patch1>(0);
    const auto weight2 = value<channels2, patch2>(at_second);
    const auto dense = value<classes, inputs>(at_dense);
    patches<1, side1>(image, patches1_.data());
    result1_.noalias() = weight1 * patches1_;
    result1_.colwise() += value<channels1, 1>(channels1 * patch1);
    pool<channels1, side1>(result1_.data(), pooled1_.data(), largest1_.data());
    patches<channels1, side2>(pooled1_.data(), patches2_.data());
    result2_.noalias() = weight2 * patches2_;
    result2_.colwise() += value<channels2, 1>(at_second + channels2 * patch2);
    float* features = features_.row(number).data();
    pool<channels2, side2>(result2_.data(), features, largest2_.data());

    matrix<classes, 1> logits;
    logits.noalias() = dense * Eigen::Map<const matrix<inputs, 1>>(features);
    logits += value<classes, 1>(at_dense + classes * inputs);
    logits.array() -= logits.maxCoeff();
    const float of_label = logits[label];
    logits = logits.array().exp();
    const float sum = logits.sum(), share = 1 / static_cast<float>(batch_);
    logits *= share / sum;
    logits[label] -= share;
    logits_.row(number) = logits.transpose();

    matrix<inputs, 1> feature_gradient;
    feature_gradient.noalias() = dense.transpose() * logits;
    gradient2_.setZero();
    unpool(feature_gradient.data(), largest2_, gradient2_.data());
    gradient<channels2, patch2>(at_second).noalias() += gradient2_ * patches2_.transpose();
    gradient<channels2, 1>(at_second + channels2 * patch2).noalias() += gradient2_.rowwise().sum();
    patches_gradient2_.noalias() = weight2.transpose() * gradient2_;
    add_patches<channels1, side2>(patches_gradient2_.data(), pooled_gradient1_.data());
    gradient1_.setZero();
    unpool(pooled_gradient1_.data(), largest1_, gradient1_.data());
    gradient<channels1, patch1>(0).noalias() += gradient1_ * patches1_.transpose();
    gradient<channels1, 1>(channels1 * patch1).noalias() += gradient1_.rowwise().sum();
    return std::log(sum) - of_label;
  }

  void update() {
    const auto step = static_cast<float>(++steps_);
    const float mean_correction = 1 / (1 - std::pow(0.9f, step)),
                correction = 1 / (1 - std::pow(0.999f, step));
    float *p = parameters_.data(), *m = mu_.data(), *v = nu_.data();
    const float* g = gradients_.data();
    for (int i = 0; i < count; ++i) {
      m[i] = 0.9f * m[i] + 0.1f * g[i];
      v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
      p[i] -= 1e-3f * (m[i] * mean_correction) / (std::sqrt(v[i] * correction) + 1e-8f);
    }
  }
};

}  // namespace by_hand
