// SPDX-License-Identifier: BSL-1.0
// Named tensors in a file of whatever format the program reads.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/io/sharded_safetensors.hpp>
#include <tapeless/io/tensor_file.hpp>

namespace tapeless::io {

namespace detail {

template <class File>
std::shared_ptr<const tensor_file> read_as(const std::string& path) {
  return std::make_shared<File>(File::read(path));
}

/// A format that only programs read which include its header.
struct tensor_format {
  std::string_view beginnings;  ///< the first four bytes of its files: one or another of these
  std::string_view name, header;
  std::shared_ptr<const tensor_file> (*read)(const std::string& path);

  bool begins_with(std::string_view bytes) const {
    for (std::size_t i = 0; i < beginnings.size(); i += 4)
      if (beginnings.substr(i, 4) == bytes) return true;
    return false;
  }
};
inline tensor_format npz_format{"PK\3\4PK\5\6", "a ZIP file, as those of NumPy (.npz) are",
                                "tapeless/numpy.hpp", nullptr};
inline tensor_format gguf_format{"GGUF", "a GGUF file", "tapeless/gguf.hpp", nullptr};

/// From here on files of that format are read. For the initial value of a variable.
template <class File>
bool set_reader(tensor_format& format) {
  format.read = &read_as<File>;
  return true;
}

TAPELESS_COLD inline std::string beginning_of(const std::string& path) {
  std::string bytes(4, '\0');
  bytes.resize(file_reader(path).read({reinterpret_cast<std::byte*>(bytes.data()), bytes.size()}));
  return bytes;
}

}  // namespace detail

/// All tensors of a safetensors file, or of several that an index (model.safetensors.index.json) names; where
/// tapeless/numpy.hpp or tapeless/gguf.hpp is included, also of an NPZ or GGUF file. How the file begins says
/// which it is. Throws what the format's own reader throws, and an error that names the header where it is
/// not included. A template, so that programs which load nothing compile no reader.
template <class File = safetensors, class Shards = sharded_safetensors>
TAPELESS_WARM std::shared_ptr<const tensor_file> read_tensors(const std::string& path) {
  const std::string beginning = detail::beginning_of(path);
  for (const detail::tensor_format* f : {&detail::npz_format, &detail::gguf_format}) {
    if (!f->begins_with(beginning)) continue;
    if (f->read == nullptr)
      throw_error(
          {path, " is ", f->name, ", which only programs read that include <", f->header,
           ">; without it, a file of weights is a safetensors file, of safetensors.torch.save_file and "
           "not of torch.save, say"});
    return f->read(path);
  }
  if (beginning == "\x93NUM")
    throw_error({path,
                 ": it is a single array of NumPy's (.npy), without a name, which tl::io::read_npy reads; "
                 "weights have names: numpy.savez(path, **{\"fc.weight\": w}) writes them"});
  if (detail::begins_as_json(beginning)) return detail::read_as<Shards>(path);
  return detail::read_as<File>(path);
}

}  // namespace tapeless::io
