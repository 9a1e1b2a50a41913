// SPDX-License-Identifier: BSL-1.0
// Texts under names, as in the metadata of files. <map> alone is 2 % of what a compiler reads of the library.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::io {

struct named_text {
  std::string name, text;

  friend bool operator==(const named_text&, const named_text&) = default;
};

/// Texts under names that are all different, in the order of the names.
class texts_by_name {
 public:
  texts_by_name() = default;
  /// Throws tl::error with a name that occurs twice, behind the text that says where.
  TAPELESS_COLD explicit texts_by_name(std::vector<named_text> texts, std::string_view where = {})
      : texts_(std::move(texts)) {
    std::make_heap(texts_.begin(), texts_.end(), comes_before);
    std::sort_heap(texts_.begin(), texts_.end(), comes_before);
    for (std::size_t i = 1; i < texts_.size(); ++i)
      if (texts_[i].name == texts_[i - 1].name)
        throw_error({where, "the name \"", shown(texts_[i].name), "\" occurs twice"});
  }
  TAPELESS_COLD texts_by_name(std::initializer_list<named_text> texts)
      : texts_by_name(std::vector<named_text>(texts)) {}
  /// The texts of a std::map, or of other pairs.
  template <class Pairs>
    requires requires(const Pairs& pairs) { named_text{pairs.begin()->first, pairs.begin()->second}; }
  texts_by_name(const Pairs& pairs) : texts_by_name(items_of(pairs)) {}

  std::size_t size() const { return texts_.size(); }
  bool empty() const { return texts_.empty(); }
  const named_text* begin() const { return texts_.data(); }
  const named_text* end() const { return texts_.data() + texts_.size(); }

  /// The item of that name, or end().
  TAPELESS_COLD const named_text* find(std::string_view name) const {
    const named_text* const found = std::partition_point(
        begin(), end(), [name](const named_text& t) { return std::string_view(t.name) < name; });
    return found != end() && found->name == name ? found : end();
  }
  bool contains(std::string_view name) const { return find(name) != end(); }
  /// The text of that name; throws tl::error, which names similar ones, where there is none.
  TAPELESS_COLD const std::string& at(std::string_view name) const {
    const named_text* const found = find(name);
    if (found == end()) refuse(name);
    return found->text;
  }

  friend bool operator==(const texts_by_name&, const texts_by_name&) = default;

 private:
  static bool comes_before(const named_text& a, const named_text& b) { return a.name < b.name; }

  template <class Pairs>
  static std::vector<named_text> items_of(const Pairs& pairs) {
    std::vector<named_text> items;
    for (const auto& [name, text] : pairs) items.push_back({name, text});
    return items;
  }

  [[noreturn]] TAPELESS_COLD void refuse(std::string_view name) const {
    list<std::string_view> names;
    for (const named_text& t : texts_) names.push(t.name);
    throw_error(
        {"there is no text of the name \"", shown(name), "\"; similar: ", similar_names(name, names)});
  }

  std::vector<named_text> texts_;
};

}  // namespace tapeless::io
