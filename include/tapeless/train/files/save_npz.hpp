// SPDX-License-Identifier: BSL-1.0
// save_npz(net, path), load_npz(net, path): the parameters of a trainer or function as arrays of NumPy's.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/npz.hpp>
#include <tapeless/io/tensor_formats.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/program/load_options.hpp>
#include <tapeless/train/program/save_options.hpp>
#include <tapeless/train/program/tensor_conversion.hpp>
#include <tapeless/train/trainer/error_stub.hpp>
#include <tapeless/train/trainer/named_tensors.hpp>
#include <tapeless/train/trainer/one_of_several.hpp>

namespace tapeless {

namespace detail {

inline const bool npz_files_are_read = io::detail::set_reader<io::npz>(io::detail::npz_format);

/// Writes tensors as an NPZ file, those of bf16, which NumPy does not know, as float: the same numbers.
TAPELESS_COLD inline void write_npz_of_parameters(const std::string& path,
                                                  std::vector<io::tensor_entry> all) {
  std::vector<std::vector<float>> converted;
  for (io::tensor_entry& tensor : all) {
    if (tensor.type != element::bf16) continue;
    std::vector<float>& to = converted.emplace_back(tensor.bytes.size() / size_of(element::bf16));
    convert_elements(element::bf16, tensor.bytes.data(), element::f32,
                     reinterpret_cast<std::byte*>(to.data()), static_cast<std::int64_t>(to.size()));
    tensor.type = element::f32;
    tensor.bytes = std::as_bytes(std::span(to));
  }
  io::write_npz(path, all);
}

}  // namespace detail

/// Writes the parameters as an NPZ file, under the names that the model gives them and in PyTorch's layouts:
/// numpy.load(path)["fc1.weight"]. Parameters of bf16 are written as float; with `masters` the float copies
/// are, as in save, whose options and errors it has, too. The file is replaced as a whole or not at all.
template <detail::no_stub Net>
TAPELESS_WARM void save_npz(Net&& net, const std::string& path, const save_options& options = {}) {
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_files(net)) return;
  detail::write_npz_of_parameters(path, detail::named_tensors(net, false, options));
}
template <detail::no_stub Net>
TAPELESS_WARM void save_npz(Net&& net, const std::string& path, masters_t, const save_options& options = {}) {
  static_assert(detail::has_masters<Net>,
                "tapeless: save_npz(net, path, masters): this trainer keeps no float copies");
  detail::check_patterns(options, net.parameter_descriptions(), path);
  if (!detail::writes_masters(net)) return;
  detail::write_npz_of_parameters(path, detail::named_tensors(net, true, options));
}

/// Reads the parameters back, or those of an NPZ file from elsewhere: numpy.savez(path, **{"fc1.weight": w}).
/// Options and errors are those of load; with .convert = true, float becomes bf16 again.
template <detail::no_stub Net>
TAPELESS_WARM void load_npz(Net& net, const std::string& path, const load_options& options = {}) {
  const io::npz file = io::npz::read(path);
  detail::take_tensors(net, file.entries(), options, {path, "the file"});
}

// Of a trainer whose model's error has been reported.
inline void save_npz(error_stub&, const std::string&, const save_options& = {}) {}
inline void load_npz(error_stub&, const std::string&, const load_options& = {}) {}

}  // namespace tapeless
