// SPDX-License-Identifier: BSL-1.0
// Safetensors files in shards, as large models are published: model.safetensors.index.json says in which
// file each tensor is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/json_scanner.hpp>
#include <tapeless/io/platform.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_file.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

namespace detail {

/// Whether a file begins like JSON's objects do. A safetensors file does not: its length would be too large.
inline bool begins_as_json(std::string_view beginning) {
  return beginning.size() == 4 && beginning.find_first_not_of(" \t\r\n{") != 0 &&
         static_cast<unsigned char>(beginning[3]) > 8;
}

/// In which file a tensor is.
struct tensor_in_shard {
  std::string name, shard;
};

// A shard lies in the index's folder, or below it: who sends an index shall not choose what is read.
inline bool leaves_folder(std::string_view shard) {
  if (shard.empty() || shard[0] == '/' || shard.find_first_of(std::string_view("\\:\0", 3)) != shard.npos)
    return true;
  for (std::size_t begin = 0; begin <= shard.size();) {
    const std::size_t end = std::min(shard.find('/', begin), shard.size());
    if (shard.substr(begin, end - begin) == "..") return true;
    begin = end + 1;
  }
  return false;
}

template <class Scanner>
void read_weight_map(Scanner& from, std::vector<tensor_in_shard>& all, std::string_view path) {
  from.expect('{');
  if (from.accept('}')) return;
  do {
    std::string name = from.name();
    if (from.next() != '"')
      throw_error(
          {path, ": weight_map: \"", shown(name), "\" must be the name of a file, found ", from.skip(2)});
    all.push_back({std::move(name), from.string()});
    if (leaves_folder(all.back().shard))
      throw_error({path, ": weight_map: \"", shown(all.back().name), "\" is said to be in \"",
                   shown(all.back().shard), "\"; expected a file in the folder of the index"});
  } while (from.accept(','));
  from.expect('}');
}

/// What an index says: the tensors in the order of its text. Throws tl::error with the path and what is
/// wrong.
template <class Scanner = json_scanner>
std::vector<tensor_in_shard> read_shard_index(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  Scanner from({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path);
  std::vector<tensor_in_shard> all;
  bool has_map = false;
  from.expect('{');
  if (!from.accept('}')) {
    do {
      const std::string name = from.name();
      if (name != "weight_map" || from.next() != '{') {
        from.skip(1);
      } else if (std::exchange(has_map, true)) {
        throw_error({path, ": the name \"weight_map\" occurs twice"});
      } else {
        read_weight_map(from, all, path);
      }
    } while (from.accept(','));
    from.expect('}');
  }
  from.end();
  if (!has_map)
    throw_error({path,
                 ": expected weights, found JSON that is no index of safetensors files: it has no object "
                 "\"weight_map\""});
  if (const auto twice = repeated_name(all))
    throw_error({path, ": weight_map: the name \"", shown(*twice), "\" occurs twice"});
  return all;
}

}  // namespace detail

/// The tensors of several safetensors files, by the index that names them. It can be moved, and its entries
/// stay valid then.
class sharded_safetensors : public tensor_file {
 public:
  /// Reads the index at `path`, and each file in it once; they are in the folder of the index. Tensors that
  /// the index does not name are left out. Throws tl::error with the index, the tensor and the file where a
  /// file is missing or lacks a tensor, or would lie elsewhere, and as safetensors does.
  template <class Reader = file_reader>
  static sharded_safetensors read(const std::string& path) {
    return with_memory_for(path, [&] { return read_all<Reader>(path); });
  }

 private:
  explicit sharded_safetensors(const std::string& path) : tensor_file(path) {}

  template <class Reader>
  TAPELESS_WARM static sharded_safetensors read_all(const std::string& path);

  std::vector<safetensors> shards_;
};

// Behind the class, and so not inline, as safetensors::read_whole.
template <class Reader>
sharded_safetensors sharded_safetensors::read_all(const std::string& path) {
  sharded_safetensors result(path);
  std::vector<detail::tensor_in_shard> all = detail::read_shard_index(path);
  const auto comes_before = [](const detail::tensor_in_shard& a, const detail::tensor_in_shard& b) {
    return a.shard != b.shard ? a.shard < b.shard : a.name < b.name;
  };
  std::make_heap(all.begin(), all.end(), comes_before);
  std::sort_heap(all.begin(), all.end(), comes_before);
  const std::string folder = path.substr(0, path.find_last_of("/\\") + 1);
  std::vector<tensor_entry> entries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [name, shard] = all[i];
    if (i == 0 || shard != all[i - 1].shard) {
      if (platform::is_missing(folder + shard))
        throw_error({path, ": the file \"", shown(shard), "\", which holds \"", shown(name),
                     "\", is missing beside the index"});
      result.shards_.push_back(safetensors::read<Reader>(folder + shard));
    }
    const tensor_entry* const found = result.shards_.back().find(name);
    if (found == nullptr)
      throw_error(
          {path, ": \"", shown(name), "\" is said to be in \"", shown(shard), "\", but is not in that file"});
    entries.push_back(*found);
  }
  result.set_entries(std::move(entries));
  return result;
}

}  // namespace tapeless::io
