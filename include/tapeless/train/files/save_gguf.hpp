// SPDX-License-Identifier: BSL-1.0
// save_gguf(net, path), load_gguf(net, path): the parameters of a trainer or function as a GGUF file.
#pragma once

#include <string>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/gguf.hpp>
#include <tapeless/io/tensor_formats.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/program/save_options.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

namespace detail {

inline const bool gguf_files_are_read = io::detail::set_reader<io::gguf>(io::detail::gguf_format);

}  // namespace detail

/// Writes the parameters as a GGUF file, under the names that the model gives them and in PyTorch's layouts,
/// with values under keys: save_gguf(net, path, {{"general.name", "digits"}}). With `masters` the float
/// copies are written, as in save, whose options it takes behind the values. The file is replaced as a whole
/// or not at all. Throws an error where it cannot be written: see io::write_gguf; and as save does of
/// options.
template <detail::no_stub Net>
TAPELESS_WARM void save_gguf(Net&& net, const std::string& path, io::gguf_metadata metadata = {},
                             const save_options& options = {}) {
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_files(net)) return;
  io::write_gguf(path, detail::named_tensors(net, false, options), std::move(metadata));
}
template <detail::no_stub Net>
TAPELESS_WARM void save_gguf(Net&& net, const std::string& path, masters_t, io::gguf_metadata metadata = {},
                             const save_options& options = {}) {
  static_assert(detail::has_masters<Net>,
                "tapeless: save_gguf(net, path, masters): this trainer keeps no float copies");
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_masters(net)) return;
  io::write_gguf(path, detail::named_tensors(net, true, options), std::move(metadata));
}

/// Reads the parameters back, or those of a GGUF file from elsewhere, whose quantized tensors become float:
/// see io::gguf. Options and errors are those of load.
template <detail::no_stub Net>
TAPELESS_WARM void load_gguf(Net& net, const std::string& path, const load_options& options = {}) {
  const io::gguf file = io::gguf::read(path);
  detail::take_tensors(net, file.entries(), options, {path, "the file"});
}

// Of a trainer whose model's error has been reported.
inline void save_gguf(error_stub&, const std::string&, const io::gguf_metadata& = {},
                      const save_options& = {}) {}
inline void load_gguf(error_stub&, const std::string&, const load_options& = {}) {}

}  // namespace tapeless
