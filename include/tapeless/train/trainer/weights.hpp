// SPDX-License-Identifier: BSL-1.0
// weights(net), weights(path): trained weights, for a function.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

/// Weights in a file, which a function reads when it is made.
struct weights_in_file {
  std::string path;
  load_options options = {};
};
/// A file of weights: function f{model, weights("net.safetensors")}; where tapeless/numpy.hpp or
/// tapeless/gguf.hpp is included, also an NPZ or GGUF file, known by how it begins. Options are those of
/// load.
inline weights_in_file weights(std::string path, load_options options = {}) {
  return {std::move(path), std::move(options)};
}

/// Weights of a trainer, which a function shares.
template <class Net>
struct weights_of_trainer {
  std::shared_ptr<typename Net::own_weights> shared;
};
/// A trainer's own weights: function f{model, weights(net)}. Nothing is copied: the function computes with
/// what they are when it is called, wherever the trainer has been moved, and keeps them when it is gone.
template <class Net>
  requires requires(Net& net) { net.shared_weights(); }
weights_of_trainer<Net> weights(Net& net) {
  return {net.shared_weights()};
}

// Of a trainer whose model's error has been reported.
struct erroneous_weights {};
inline erroneous_weights weights(error_stub&) { return {}; }

namespace detail {

/// Whether it stands where a policy may stand, and is none.
template <class T>
inline constexpr bool are_weights =
    std::is_same_v<T, weights_in_file> || std::is_same_v<T, erroneous_weights>;
template <class Net>
inline constexpr bool are_weights<weights_of_trainer<Net>> = true;

}  // namespace detail

}  // namespace tapeless
