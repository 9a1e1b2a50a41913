// SPDX-License-Identifier: BSL-1.0
// save(net, path), load(net, path): the parameters of a trainer or function as a safetensors file.
#pragma once

#include <concepts>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/io/tensor_formats.hpp>
#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/program/save_options.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

/// Passed to save so that the float copies are written where the model is stored in 16 bits.
struct masters_t {
  explicit constexpr masters_t(int) {}  // not by {}, which stands for options
};
inline constexpr masters_t masters{0};

/// Writes the parameters, under the names that the model gives them and in PyTorch's layouts; under mixed
/// precision in 16 bits, or, save(net, path, masters), as the float copies. Options choose a part of them,
/// see save_options. The file is replaced as a whole or not at all. Throws an error where it cannot be
/// written, and one that lists the parameters where a pattern fits none of them.
template <detail::no_stub Net>
TAPELESS_WARM void save(Net&& net, const std::string& path, const save_options& options = {}) {
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_files(net)) return;
  io::write_safetensors(path, detail::named_tensors(net, false, options));
}
template <detail::no_stub Net>
TAPELESS_WARM void save(Net&& net, const std::string& path, masters_t, const save_options& options = {}) {
  static_assert(detail::has_masters<Net>,
                "tapeless: save(net, path, masters): this trainer keeps no float copies");
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_masters(net)) return;
  io::write_safetensors(path, detail::named_tensors(net, true, options));
}

/// Reads the parameters back; under mixed precision from a file in 16 bits or in float, which the float
/// copies then start from. Options say what to do with other names, types and numbers of tensors, see
/// load_options; without any, tensors that the model does not know are no error. Throws one error that lists
/// all that is missing, unexpected and of another type or shape, and changes nothing then. Where
/// tapeless/numpy.hpp or tapeless/gguf.hpp is included, the file may be an NPZ or GGUF file. Of a model in
/// several files `path` is the index, model.safetensors.index.json; the files are in its folder.
template <detail::no_stub Net>
TAPELESS_WARM void load(Net& net, const std::string& path, const load_options& options = {}) {
  detail::take_tensors(net, io::read_tensors(path)->entries(), options, {path, "the file"});
}

// Arguments the other way around.
template <class Net>
  requires(!std::convertible_to<Net&, std::string>)
void save(const std::string&, Net&) {
  static_assert(std::is_void_v<Net>, "tapeless: save takes the trainer first: save(net, path)");
}
template <class Net>
  requires(!std::convertible_to<Net&, std::string>)
void load(const std::string&, Net&, const load_options& = {}) {
  static_assert(std::is_void_v<Net>, "tapeless: load takes the trainer first: load(net, path)");
}

// Without a path.
template <detail::no_stub Net>
void save(Net&) {
  static_assert(std::is_void_v<Net>,
                "tapeless: save takes the trainer and a path: save(net, \"net.safetensors\")");
}
template <detail::no_stub Net>
void load(Net&) {
  static_assert(std::is_void_v<Net>,
                "tapeless: load takes the trainer and a path: load(net, \"net.safetensors\")");
}

// Of a trainer whose model's error has been reported.
inline void save(error_stub&, const std::string&, const save_options& = {}) {}
inline void load(error_stub&, const std::string&, const load_options& = {}) {}

}  // namespace tapeless
