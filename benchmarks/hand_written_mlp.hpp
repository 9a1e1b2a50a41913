// SPDX-License-Identifier: BSL-1.0
// What a good engineer writes by hand with Eigen: fully connected layers, softmax cross-entropy and AdamW.
// All memory is allocated once; every product goes straight to where its result is needed; what Eigen fuses
// is fused. It includes nothing of the library, which is measured against it.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace by_hand {

using Eigen::Dynamic;

/// Contiguous rows; what has one row or one column for certain is a vector, for which Eigen has better
/// products.
template <int Rows, int Columns>
using matrix =
    Eigen::Matrix<float, Rows, Columns, (Columns == 1 && Rows != 1) ? Eigen::ColMajor : Eigen::RowMajor>;

struct adamw_options {
  float learning_rate = 1e-3f, beta1 = 0.9f, beta2 = 0.999f, epsilon = 1e-8f, weight_decay = 1e-2f;
};

/// The factors of one step, the same for all parameters.
struct adamw_step {
  adamw_step(const adamw_options& o, int step)
      : options(o),
        mean_correction(1 / (1 - std::pow(o.beta1, static_cast<float>(step)))),
        root_correction(1 / std::sqrt(1 - std::pow(o.beta2, static_cast<float>(step)))) {}
  adamw_options options;
  float mean_correction, root_correction;
};

/// A parameter with its gradient and moments.
template <int Rows, int Columns>
struct parameter {
  matrix<Rows, Columns> value, gradient, mu, nu;

  parameter(Eigen::Index rows, Eigen::Index columns) {
    for (auto* m : {&value, &gradient, &mu, &nu}) m->setZero(rows, columns);
  }

  /// In pieces that stay in the first-level cache from one expression to the next.
  void update(const adamw_step& s) {
    constexpr Eigen::Index piece = 1024;
    const adamw_options& o = s.options;
    for (Eigen::Index i = 0; i < value.size(); i += piece) {
      const Eigen::Index count = std::min(piece, value.size() - i);
      const auto at = [&](auto& m) { return Eigen::Map<Eigen::ArrayXf>(m.data() + i, count); };
      auto p = at(value), g = at(gradient), m = at(mu), v = at(nu);
      m = o.beta1 * m + (1 - o.beta1) * g;
      v = o.beta2 * v + (1 - o.beta2) * g.square();
      p -= o.learning_rate *
           (m * s.mean_correction / (v.sqrt() * s.root_correction + o.epsilon) + o.weight_decay * p);
    }
  }
};

/// output = input weight^T + bias, where Batch, In and Out are extents or Dynamic.
template <int Batch, int In, int Out>
struct layer {
  parameter<Out, In> weight;
  parameter<1, Out> bias;
  matrix<Batch, Out> output, output_gradient;

  layer(Eigen::Index batch, Eigen::Index in, Eigen::Index out)
      : weight(out, in), bias(1, out), output(batch, out), output_gradient(batch, out) {}

  template <class Input>
  void forward(const Input& input) {
    output.noalias() = input * weight.value.transpose();
  }
  void add_bias() { output.rowwise() += bias.value.row(0); }
  void add_bias_and_relu() { output = (output.rowwise() + bias.value.row(0)).cwiseMax(0.0f); }

  /// The gradient of relu's argument from that of its result.
  void relu_backward() {
    output_gradient.array() = (output.array() > 0).select(output_gradient.array(), 0.0f);
  }
  template <class Input>
  void parameters_backward(const Input& input) {
    weight.gradient.noalias() = output_gradient.transpose() * input;
    bias.gradient.noalias() = output_gradient.colwise().sum();
  }
  template <class Gradient>
  void input_backward(Gradient& input_gradient) const {
    input_gradient.noalias() = output_gradient * weight.value;
  }

  void update(const adamw_step& s) {
    weight.update(s);
    bias.update(s);
  }
};

/// The mean cross-entropy of the logits, and in `gradient` its derivative by them.
template <class Logits>
float cross_entropy(const Logits& logits, std::span<const std::int32_t> labels, Logits& gradient) {
  const Eigen::Index rows = logits.rows();
  const float share = 1 / static_cast<float>(rows);
  float loss = 0;
  for (Eigen::Index i = 0; i < rows; ++i) {
    const float largest = logits.row(i).maxCoeff();
    gradient.row(i).array() = logits.row(i).array() - largest;
    loss -= gradient(i, labels[static_cast<std::size_t>(i)]);
  }
  gradient.array() = gradient.array().exp();
  for (Eigen::Index i = 0; i < rows; ++i) {
    const float sum = gradient.row(i).sum();
    loss += std::log(sum);
    gradient.row(i) *= share / sum;
    gradient(i, labels[static_cast<std::size_t>(i)]) -= share;
  }
  return loss * share;
}

/// 784-500-10, or any other classifier with one hidden layer.
template <int Batch>
class classifier {
 public:
  static constexpr int in = 784, hidden = 500, classes = 10;
  layer<Batch, Dynamic, Dynamic> fc1;
  layer<Batch, Dynamic, classes> fc2;

  classifier(Eigen::Index batch, const adamw_options& o)
      : fc1(batch, in, hidden), fc2(batch, hidden, classes), options_(o) {}

  float step(std::span<const float> images, std::span<const std::int32_t> labels) {
    const Eigen::Map<const matrix<Batch, Dynamic>> x(images.data(), fc1.output.rows(), in);
    fc1.forward(x);
    fc1.add_bias_and_relu();
    fc2.forward(fc1.output);
    fc2.add_bias();
    const float loss = cross_entropy(fc2.output, labels, fc2.output_gradient);
    fc2.parameters_backward(fc1.output);
    fc2.input_backward(fc1.output_gradient);
    fc1.relu_backward();
    fc1.parameters_backward(x);
    const adamw_step s(options_, ++steps_);
    fc1.update(s);
    fc2.update(s);
    return loss;
  }

 private:
  adamw_options options_;
  int steps_ = 0;
};

/// 4-64-64-2 with all extents but the batch's known to Eigen: what a control loop learns with.
template <int Batch>
class controller {
 public:
  static constexpr int in = 4, hidden = 64, out = 2;
  layer<Batch, in, hidden> fc1;
  layer<Batch, hidden, hidden> fc2;
  layer<Batch, hidden, out> fc3;

  controller(Eigen::Index batch, const adamw_options& o)
      : fc1(batch, in, hidden), fc2(batch, hidden, hidden), fc3(batch, hidden, out), options_(o) {}

  /// The loss is the mean square of the deviations.
  float step(std::span<const float> states, std::span<const float> targets) {
    const Eigen::Index batch = fc1.output.rows();
    const Eigen::Map<const matrix<Batch, in>> x(states.data(), batch, in);
    const Eigen::Map<const matrix<Batch, out>> y(targets.data(), batch, out);
    fc1.forward(x);
    fc1.add_bias_and_relu();
    fc2.forward(fc1.output);
    fc2.add_bias_and_relu();
    fc3.forward(fc2.output);
    fc3.add_bias();
    const float share = 1 / static_cast<float>(y.size());
    fc3.output_gradient = fc3.output - y;
    const float loss = fc3.output_gradient.squaredNorm() * share;
    fc3.output_gradient *= 2 * share;
    fc3.parameters_backward(fc2.output);
    fc3.input_backward(fc2.output_gradient);
    fc2.relu_backward();
    fc2.parameters_backward(fc1.output);
    fc2.input_backward(fc1.output_gradient);
    fc1.relu_backward();
    fc1.parameters_backward(x);
    const adamw_step s(options_, ++steps_);
    fc1.update(s);
    fc2.update(s);
    fc3.update(s);
    return loss;
  }

 private:
  adamw_options options_;
  int steps_ = 0;
};

}  // namespace by_hand
