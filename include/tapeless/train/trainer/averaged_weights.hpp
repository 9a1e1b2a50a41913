// SPDX-License-Identifier: BSL-1.0
// Other values in the place of a trainer's parameters, for a while.
#pragma once

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless {

namespace detail {

/// Whether averages are in the place of the trainer's parameters.
template <class Net>
bool averages_stand_in(const Net& net) {
  if constexpr (requires { net.averages_stand_in(); }) return net.averages_stand_in();
  return false;
}

/// Throws an error where averages are in the place of the trainer's parameters.
template <class Net>
void require_own_weights(const Net& net) {
  if constexpr (requires { net.require_own_weights(); }) net.require_own_weights();
}

}  // namespace detail

/// As long as it lives, parameters have other values; then they are again what they were, as soon as no
/// function reads them in another thread. It shares the trainer's weights, and may outlive the trainer.
template <class Weights>
class weights_in_use {
 public:
  /// `replace` gives the parameters their other values; if it throws, they are again what they were.
  template <class Replace>
  weights_in_use(std::shared_ptr<Weights> weights, array_view<const parameter_description> parameters,
                 Replace replace)
      : weights_in_use(std::move(weights), parameters) {
    replace();
  }
  ~weights_in_use() {
    const auto changing = weights_->guard.change_after_reading();
    const std::byte* from = kept_.data();
    const auto data = weights_->parameters.memory().pointers_to_overwrite();
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto bytes = static_cast<std::size_t>(parameters_[i].bytes());
      std::memcpy(data[i], from, bytes);
      from += bytes;
    }
    weights_->are_averages = false;
  }
  weights_in_use(const weights_in_use&) = delete;
  weights_in_use& operator=(const weights_in_use&) = delete;

 private:
  std::shared_ptr<Weights> weights_;
  array_view<const parameter_description> parameters_;
  std::vector<std::byte> kept_;

  weights_in_use(std::shared_ptr<Weights> weights, array_view<const parameter_description> parameters)
      : weights_(std::move(weights)), parameters_(parameters) {
    if (weights_->are_averages) throw_error("averaged_weights() stand in for the parameters already");
    const auto data = weights_->parameters.memory().pointers();
    for (std::size_t i = 0; i < data.size(); ++i)
      kept_.insert(kept_.end(), data[i], data[i] + parameters[i].bytes());
    weights_->are_averages = true;
  }
};

}  // namespace tapeless
