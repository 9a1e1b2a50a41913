// SPDX-License-Identifier: BSL-1.0
// weights(net), weights(path), weights(bytes): trained weights, for a function.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/weights_in_memory.hpp>

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

/// Weights of a trainer, or of another function, which a function shares.
template <class Net>
struct weights_to_share {
  decltype(std::declval<Net&>().shared_weights()) shared;
};
// Of a trainer whose model's error has been reported.
struct erroneous_weights {};

/// The own weights of a trainer, or of another function: function f{model, weights(net)}. Nothing is copied:
/// the function computes with what they are when it is called, wherever their owner has been moved, and keeps
/// them when that is gone.
template <class Net>
  requires(!std::convertible_to<Net, std::string> && !detail::range_of_bytes<Net>)
auto weights(Net&& net) {
  using owner = std::remove_reference_t<Net>;
  if constexpr (requires { net.shared_weights(); }) {
    return weights_to_share<owner>{net.shared_weights()};
  } else {
    static_assert(std::is_base_of_v<error_stub, owner>,
                  "tapeless: tl::weights takes the path of a file, its bytes (std::byte), or a trainer or "
                  "function with weights of its own that is not const: tl::weights(\"net.safetensors\"), "
                  "tl::weights(bytes), tl::weights(net)");
    return erroneous_weights{};
  }
}

/// Refuses options: what is shared has the owner's names and shapes.
template <class Net>
  requires(!std::convertible_to<Net, std::string> && !detail::range_of_bytes<Net>)
erroneous_weights weights(Net&&, const load_options&) {
  static_assert(std::is_base_of_v<error_stub, std::remove_reference_t<Net>>,
                "tapeless: tl::weights(net) shares memory and takes no options, which are those of a file: "
                "tl::function f{model}; tl::copy_parameters(net, f, options) copies under other names");
  return {};
}

namespace detail {

/// Whether it stands where a policy may stand, and is none.
template <class T>
inline constexpr bool are_weights =
    std::is_same_v<T, weights_in_file> || std::is_same_v<T, weights_in_memory> ||
    std::is_same_v<T, erroneous_weights>;
template <class Net>
inline constexpr bool are_weights<weights_to_share<Net>> = true;

/// Whether it is what weights() takes.
template <class T>
concept has_weights =
    std::convertible_to<T, std::string> || range_of_bytes<T> || requires(T& net) { net.shared_weights(); };

}  // namespace detail

}  // namespace tapeless
