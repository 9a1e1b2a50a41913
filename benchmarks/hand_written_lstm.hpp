// SPDX-License-Identifier: BSL-1.0
// What a careful engineer writes by hand with Eigen for an LSTM: 32 units over 20 steps of 8 inputs, a linear
// output of the last h, squared error, Adam. All extents are known, a sample is a column, and the products by
// the inputs and of the weights' gradients are one each for all steps.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <span>

namespace by_hand {

template <int Batch>
class lstm {
 public:
  /// Weights are [128, 8], [128, 32] and [1, 32], row by row. The two biases only ever count as their sum,
  /// whose steps are twice as long.
  void set(std::span<const float> input_weight, std::span<const float> hidden_weight,
           std::span<const float> input_bias, std::span<const float> hidden_bias,
           std::span<const float> output_weight, std::span<const float> output_bias) {
    using rows_in = Eigen::Matrix<float, gates, in, Eigen::RowMajor>;
    using rows_hidden = Eigen::Matrix<float, gates, hidden, Eigen::RowMajor>;
    input_weight_ = Eigen::Map<const rows_in>(input_weight.data());
    hidden_weight_ = Eigen::Map<const rows_hidden>(hidden_weight.data());
    bias_ = Eigen::Map<const columns<gates, 1>>(input_bias.data()) +
            Eigen::Map<const columns<gates, 1>>(hidden_bias.data());
    output_weight_ = Eigen::Map<const columns<1, hidden>>(output_weight.data());
    parameters_[count - 1] = output_bias[0];
  }

  /// x [20, Batch, 8] and targets [Batch]. The loss is the mean square of the deviations.
  float step(std::span<const float> inputs, std::span<const float> targets) {
    const Eigen::Map<const columns<in, Batch * time>> x(inputs.data());
    const Eigen::Map<const columns<1, Batch>> y(targets.data());
    forward(x);
    const auto last = h_.template middleCols<Batch>(time * Batch);
    columns<1, Batch> e;
    e.noalias() = output_weight_ * last;
    e.array() += parameters_[count - 1];
    e -= y;
    const float loss = e.squaredNorm() / Batch;
    e *= 2.0f / Batch;
    output_weight_gradient_.noalias() = e * last.transpose();
    gradients_[count - 1] = e.sum();
    dh_.noalias() = output_weight_.transpose() * e;
    backward();
    input_weight_gradient_.noalias() = d_ * x.transpose();
    hidden_weight_gradient_.noalias() = d_ * h_.template leftCols<Batch * time>().transpose();
    bias_gradient_ = d_.rowwise().sum();
    update();
    return loss;
  }

 private:
  static constexpr int in = 8, hidden = 32, gates = 4 * hidden, time = 20;
  static constexpr int biases = gates * (in + hidden), count = biases + gates + hidden + 1;

  template <int Rows, int Columns>
  using columns =
      Eigen::Matrix<float, Rows, Columns, (Rows == 1 && Columns != 1) ? Eigen::RowMajor : Eigen::ColMajor>;

  alignas(64) float parameters_[count] = {}, gradients_[count] = {}, mu_[count] = {}, nu_[count] = {};
  Eigen::Map<columns<gates, in>> input_weight_{parameters_}, input_weight_gradient_{gradients_};
  Eigen::Map<columns<gates, hidden>> hidden_weight_{parameters_ + gates * in},
      hidden_weight_gradient_{gradients_ + gates * in};
  Eigen::Map<columns<gates, 1>> bias_{parameters_ + biases}, bias_gradient_{gradients_ + biases};
  Eigen::Map<columns<1, hidden>> output_weight_{parameters_ + biases + gates},
      output_weight_gradient_{gradients_ + biases + gates};
  int steps_ = 0;

  // of all steps, one after the other; h and c begin with zeros
  columns<gates, Batch * time> a_, d_;
  columns<hidden, Batch*(time + 1)> h_ = columns<hidden, Batch*(time + 1)>::Zero(), c_ = h_;
  columns<hidden, Batch * time> tanh_c_;
  columns<hidden, Batch> dh_, dc_;

  // The order of the gates is i, f, g, o.
  template <class X>
  void forward(const X& x) {
    a_.noalias() = input_weight_ * x;
    a_.colwise() += bias_;
    for (int t = 0; t < time; ++t) {
      auto a = a_.template middleCols<Batch>(t * Batch);
      a.noalias() += hidden_weight_ * h_.template middleCols<Batch>(t * Batch);
      auto first = a.template topRows<2 * hidden>();
      auto third = a.template middleRows<hidden>(2 * hidden);
      auto last = a.template bottomRows<hidden>();
      first = (1.0f + (0.5f * first).array().tanh()) * 0.5f;
      third = third.array().tanh();
      last = (1.0f + (0.5f * last).array().tanh()) * 0.5f;
      const auto c0 = c_.template middleCols<Batch>(t * Batch);
      auto c1 = c_.template middleCols<Batch>((t + 1) * Batch);
      auto tanh_c = tanh_c_.template middleCols<Batch>(t * Batch);
      c1 = a.template middleRows<hidden>(hidden).cwiseProduct(c0) +
           a.template topRows<hidden>().cwiseProduct(third);
      tanh_c = c1.array().tanh();
      h_.template middleCols<Batch>((t + 1) * Batch) = last.cwiseProduct(tanh_c);
    }
  }

  void backward() {
    dc_.setZero();
    for (int t = time - 1; t >= 0; --t) {
      const auto a = a_.template middleCols<Batch>(t * Batch);
      auto d = d_.template middleCols<Batch>(t * Batch);
      const auto i = a.template topRows<hidden>().array(), f = a.template middleRows<hidden>(hidden).array(),
                 g = a.template middleRows<hidden>(2 * hidden).array(),
                 o = a.template bottomRows<hidden>().array();
      const auto c0 = c_.template middleCols<Batch>(t * Batch).array();
      const auto tanh_c = tanh_c_.template middleCols<Batch>(t * Batch).array();
      dc_.array() += dh_.array() * o * (1.0f - tanh_c.square());
      d.template topRows<hidden>() = (dc_.array() * g * i * (1.0f - i)).matrix();
      d.template middleRows<hidden>(hidden) = (dc_.array() * c0 * f * (1.0f - f)).matrix();
      d.template middleRows<hidden>(2 * hidden) = (dc_.array() * i * (1.0f - g.square())).matrix();
      d.template bottomRows<hidden>() = (dh_.array() * tanh_c * o * (1.0f - o)).matrix();
      dc_.array() *= f;
      dh_.noalias() = hidden_weight_.transpose() * d;
    }
  }

  void update() {
    const auto step = static_cast<float>(++steps_);
    const float mean_correction = 1 / (1 - std::pow(0.9f, step)),
                correction = 1 / (1 - std::pow(0.999f, step));
    update(0, biases, 1e-3f, mean_correction, correction);
    update(biases, biases + gates, 2e-3f, mean_correction, correction);
    update(biases + gates, count, 1e-3f, mean_correction, correction);
  }
  void update(int begin, int end, float rate, float mean_correction, float correction) {
    for (int i = begin; i < end; ++i) {
      mu_[i] = 0.9f * mu_[i] + 0.1f * gradients_[i];
      nu_[i] = 0.999f * nu_[i] + 0.001f * gradients_[i] * gradients_[i];
      parameters_[i] -= rate * (mu_[i] * mean_correction) / (std::sqrt(nu_[i] * correction) + 1e-8f);
    }
  }
};

}  // namespace by_hand
