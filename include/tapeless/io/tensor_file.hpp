// SPDX-License-Identifier: BSL-1.0
// What readers of files of named tensors return: the tensors by name, and in their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/tensor_entry.hpp>

namespace tapeless::io {

/// All tensors of a file; whose bytes they are says the class that is made of this one. It can be moved, and
/// its entries stay valid then.
class tensor_file {
 public:
  /// The tensor of that name, null if there is none.
  const tensor_entry* find(std::string_view name) const& {
    std::size_t begin = 0, end = entries_.size();
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (by_name_[middle]->name == name) return by_name_[middle];
      (by_name_[middle]->name < name ? begin : end) = middle + (by_name_[middle]->name < name ? 1 : 0);
    }
    return nullptr;
  }

  /// The tensor of that name; throws tl::error with the file, the name and similar ones that exist.
  const tensor_entry& operator[](std::string_view name) const& {
    if (const tensor_entry* entry = find(name)) return *entry;
    list<std::string_view> names;
    for (const tensor_entry& entry : entries_) names.push(entry.name);
    throw_error({path_, ": no tensor \"", name, "\"; similar: ", similar_names(name, names)});
  }

  /// Iteration over the tensors, in the order of their data in the file.
  std::vector<tensor_entry>::const_iterator begin() const { return entries_.begin(); }
  std::vector<tensor_entry>::const_iterator end() const { return entries_.end(); }

  /// All of them, in that order.
  array_view<const tensor_entry> entries() const& { return entries_; }

  // Of a file that is in no variable.
  template <class None = void>
  const tensor_entry* find(std::string_view name) const&& {
    refuse_temporary<None>();
    return find(name);
  }
  template <class None = void>
  const tensor_entry& operator[](std::string_view name) const&& {
    refuse_temporary<None>();
    return (*this)[name];
  }
  template <class None = void>
  array_view<const tensor_entry> entries() const&& {
    refuse_temporary<None>();
    return entries_;
  }

  /// How many tensors there are.
  std::size_t size() const { return entries_.size(); }

  /// The name that the file was read by.
  const std::string& path() const { return path_; }

 protected:
  explicit tensor_file(std::string path) : path_(std::move(path)) {}

  /// Pre-condition: the names differ.
  TAPELESS_COLD void set_entries(std::vector<tensor_entry> entries) {
    entries_ = std::move(entries);
    for (const tensor_entry& entry : entries_) by_name_.push(&entry);
    const auto comes_before = [](const tensor_entry* a, const tensor_entry* b) { return a->name < b->name; };
    std::make_heap(by_name_.begin(), by_name_.end(), comes_before);
    std::sort_heap(by_name_.begin(), by_name_.end(), comes_before);
  }

 private:
  template <class None>
  static constexpr void refuse_temporary() {
    static_assert(!std::is_void_v<None>,
                  "tapeless: this file is gone at the end of the statement, and its tensors with it: keep it "
                  "in a variable first, as in const auto file = tl::io::npz::read(path); "
                  "file[\"x\"].as<float>()");
  }

  std::string path_;
  std::vector<tensor_entry> entries_;
  list<const tensor_entry*> by_name_;  // in their order, into entries_, whose elements never move
};

}  // namespace tapeless::io
