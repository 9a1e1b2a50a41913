// SPDX-License-Identifier: BSL-1.0
// NPZ, NumPy's format for arrays with names: numpy.savez, numpy.savez_compressed and numpy.load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/io/aligned_bytes.hpp>
#include <tapeless/io/npy.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_entry.hpp>
#include <tapeless/io/tensor_file.hpp>
#include <tapeless/io/utf8.hpp>
#include <tapeless/io/zip_reader.hpp>
#include <tapeless/io/zip_writer.hpp>

namespace tapeless::io {

/// An NPZ file whose arrays are read one by one, when they are asked for.
class npz_reader {
 public:
  /// Opens the file and reads the names; throws tl::error with the path if it is no ZIP file of NPY files.
  TAPELESS_COLD explicit npz_reader(const std::string& path) : zip_(not_safetensors(path)) {
    for (const zip_member& member : zip_.members()) {
      if (std::string_view(member.name).ends_with("/data.pkl"))
        throw_error(
            {path,
             ": expected an NPZ file, found one of torch.save, which only PyTorch reads: write a safetensors "
             "file there, safetensors.torch.save_file(net.state_dict(), \"net.safetensors\")"});
      if (!std::string_view(member.name).ends_with(".npy"))
        throw_error(
            {path, ": expected an NPZ file, whose members end in .npy, found \"", shown(member.name), "\""});
      if (!is_utf8(member.name)) throw_error({path, ": the name \"", shown(member.name), "\" is not UTF-8"});
      names_.emplace_back(member.name, 0, member.name.size() - 4);
    }
  }

  const std::string& path() const { return zip_.path(); }

  /// The names of the arrays, in the order of the file.
  const std::vector<std::string>& names() const& { return names_; }
  std::vector<std::string> names() && { return std::move(names_); }

  /// The bytes of the array's NPY file, until another is opened; throws tl::error with similar names where
  /// there is none of this name.
  TAPELESS_COLD sole_owner<byte_stream> open(std::string_view name) & {
    list<std::string_view> names;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == name) return zip_.open(zip_.members()[i]);
      names.push(names_[i]);
    }
    throw_error({path(), ": no array \"", name, "\"; similar: ", similar_names(name, names)});
  }

 private:
  zip_reader zip_;
  std::vector<std::string> names_;

  // Throws where another format is obvious: the length of a header, and its brace.
  TAPELESS_COLD static const std::string& not_safetensors(const std::string& path) {
    std::byte begin[9] = {};
    file_reader file(path);
    const bool is_whole = file.read(begin) == sizeof begin;
    std::uint64_t length = 0;
    std::memcpy(&length, begin, sizeof length);
    if (is_whole && begin[8] == std::byte{'{'} && length <= file.size() - sizeof length)
      throw_error({path, ": expected an NPZ file, found a safetensors file, which tl::load reads"});
    return path;
  }
};

/// All arrays of an NPZ file, in memory. It can be moved, and its entries stay valid then.
class npz : public tensor_file {
 public:
  /// Reads the whole file, stored or deflated; throws tl::error with the path, the array and what is wrong,
  /// or where memory is short. Elements become what read_npy says; of those that tensors lack (texts,
  /// objects, complex numbers) there are name and shape alone, see tensor_entry.
  TAPELESS_COLD static npz read(const std::string& path) {
    return with_memory_for(path, [&] {
      npz result(path);
      npz_reader from(path);
      std::vector<tensor_entry> entries;
      for (const std::string& name : from.names()) {
        const sole_owner<byte_stream> member = from.open(name);
        npy_header header = read_npy_header(*member, true);
        if (!header.type.foreign.empty()) {
          entries.push_back({name, element::number, header.shape, {}, std::move(header.type.foreign)});
          continue;
        }
        npy_array array = detail::read_npy_elements(*member, header);
        array.name = name;
        entries.push_back(array);
        result.memory_.push_back(std::move(array.memory));
      }
      result.set_entries(std::move(entries));
      return result;
    });
  }

 private:
  explicit npz(const std::string& path) : tensor_file(path) {}

  std::vector<aligned_bytes> memory_;
};

/// Writes tensors under their names, uncompressed: numpy.load(path)["fc1.weight"]. The file is replaced as a
/// whole or not at all. Throws tl::error with the path if a name is given twice, is not UTF-8, empty or
/// longer than 65,000 bytes. Throws as well if NumPy does not know a type (bf16) or a shape does not fit
/// the bytes, and with the system's reason.
TAPELESS_COLD inline void write_npz(const std::string& path, array_view<const tensor_entry> tensors) {
  for (const tensor_entry& tensor : tensors)
    if (tensor.name.empty() || tensor.name.size() > 65'000 || !is_utf8(tensor.name))
      throw_error(
          {path, ": expected a name of 1 to 65000 bytes of UTF-8, found \"", shown(tensor.name), "\""});
  if (const auto twice = repeated_name(tensors))
    throw_error({path, ": the name \"", shown(*twice), "\" is given twice"});
  zip_writer zip(path);
  for (const tensor_entry& tensor : tensors) {
    const std::string header = detail::npy_header_of(tensor, join({path, ": \"", shown(tensor.name), "\""}));
    const array_view<const std::byte> pieces[] = {
        {reinterpret_cast<const std::byte*>(header.data()), header.size()},
        {tensor.bytes.data(), tensor.bytes.size()}};
    zip.add(tensor.name + ".npy", pieces);
  }
  zip.commit();
}

}  // namespace tapeless::io
