// SPDX-License-Identifier: BSL-1.0
// A number of samples as named columns of equal length, ready to be gathered into batches.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/column.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/extents.hpp>

namespace tapeless::data {

/// Where samples lie in shared storage, in elements: sample i begins at `first + i * stride`.
struct windows {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t stride = 1;
};

/// Named columns over the same samples. Copies are cheap: they share the storage, which never changes.
class dataset {
 public:
  /// Adds a column of `values`, sample after sample; throws tl::error with the column's name if a column of
  /// that name exists, an extent is not positive, or there is not one sample for each of the other columns'.
  template <element_type T>
  TAPELESS_WARM dataset& add(std::string name, std::vector<std::int64_t> sample_shape,
                             std::vector<T> values) {
    data::column added{
        .name = std::move(name), .type = element_of<T>, .sample_shape = std::move(sample_shape)};
    describe(added);
    set_samples(added, static_cast<std::int64_t>(values.size()));
    added.storage = share(std::move(values));
    return append(std::move(added));
  }

  /// Adds a column of windows into `values`, which may overlap each other and other columns; throws tl::error
  /// with the column's name as above, or if a window lies outside.
  template <element_type T>
    requires(!std::is_same_v<T, bool>)
  TAPELESS_WARM dataset& add(std::string name, std::vector<std::int64_t> sample_shape,
                             std::shared_ptr<const std::vector<T>> values, windows where) {
    data::column added{
        .name = std::move(name), .type = element_of<T>, .sample_shape = std::move(sample_shape)};
    describe(added);
    set_windows(added, static_cast<std::int64_t>(values->size()), where);
    added.storage = {values, reinterpret_cast<const std::byte*>(values->data() + where.first)};
    return append(std::move(added));
  }

  /// How many samples every column has; 0 without columns.
  std::int64_t size() const { return columns_.empty() ? 0 : columns_.front().count; }

  /// The first `count` samples, or all where there are fewer.
  dataset first(std::int64_t count) const {
    dataset result = *this;
    for (data::column& column : result.columns_)
      column.count = std::clamp<std::int64_t>(count, 0, column.count);
    return result;
  }

  /// All columns, in the order in which they were added.
  array_view<const data::column> columns() const { return columns_; }

  /// The column of that name, null if there is none; valid until a column is added.
  const data::column* find(std::string_view name) const {
    for (const data::column& column : columns_) {
      if (column.name == name) return &column;
    }
    return nullptr;
  }

  /// The column of that name, valid until a column is added; throws tl::error with the names that exist.
  const data::column& column(std::string_view name) const {
    if (const data::column* found = find(name)) return *found;
    std::string names;
    for (const data::column& column : columns_) {
      tapeless::append(names, {names.empty() ? "\"" : ", \"", column.name, "\""});
    }
    throw_error({"no column \"", name, "\" in the dataset, which has ", names.empty() ? "none" : names});
  }

 private:
  // Checks the name and the shape of a new column, and sets its sample_size.
  [[gnu::cold]] void describe(data::column& added) const {
    if (find(added.name)) fail(added.name, {"the dataset already has a column of this name"});
    const auto element_size = static_cast<std::int64_t>(size_of(added.type));
    const std::optional<std::int64_t> size = io::checked_product(added.sample_shape, element_size);
    if (!size || *size == 0)
      fail(added.name, {"expected positive extents, found ", io::shape_text(added.sample_shape)});
    added.sample_size = *size / element_size;
  }

  static void set_samples(data::column& added, std::int64_t length) {
    added.stride = added.sample_size;
    added.count = length / added.sample_size;
    if (length % added.sample_size == 0) return;
    fail(added.name, {"expected a multiple of ", added.sample_size, " values, one sample of shape ",
                      io::shape_text(added.sample_shape), ", found ", length});
  }

  static void set_windows(data::column& added, std::int64_t length, windows where) {
    added.stride = where.stride;
    added.count = where.count;
    if (lie_inside(where, added.sample_size, length)) return;
    fail(added.name, {where.count, " windows of ", added.sample_size, " values, from value ", where.first,
                      " on, ", where.stride, " apart, do not lie within ", length, " values"});
  }

  static bool lie_inside(windows where, std::int64_t size, std::int64_t length) {
    if (where.first < 0 || where.count < 0 || where.stride < 0 || where.first > length) return false;
    if (where.count == 0) return true;
    const std::int64_t slack = length - where.first - size;
    return slack >= 0 && (where.stride == 0 || where.count - 1 <= slack / where.stride);
  }

  // std::shared_ptr is compiled for this type alone, not for each type of vector.
  struct owner {
    virtual ~owner() = default;
  };
  template <class T>
  struct owner_of final : owner {
    explicit owner_of(std::vector<T> moved) : values(std::move(moved)) {}
    std::vector<T> values;
  };

  template <class T>
  [[gnu::cold]] static std::shared_ptr<const std::byte> share(std::vector<T> values) {
    if constexpr (std::is_same_v<T, bool>) {  // std::vector packs these into bits
      const auto copy = std::make_shared<bool[]>(values.size());
      std::copy(values.begin(), values.end(), copy.get());
      return {copy, reinterpret_cast<const std::byte*>(copy.get())};
    } else {
      const auto* data = reinterpret_cast<const std::byte*>(values.data());
      return {std::shared_ptr<const owner>(static_cast<const owner*>(new owner_of<T>(std::move(values)))),
              data};
    }
  }

  [[gnu::cold]] dataset& append(data::column&& added) {
    if (!columns_.empty() && added.count != size()) {
      fail(added.name, {"expected ", size(), " samples, as column \"", columns_.front().name,
                        "\" has, found ", added.count});
    }
    columns_.push_back(std::move(added));
    return *this;
  }

  [[noreturn]] static void fail(std::string_view name, std::initializer_list<text_piece> problem) {
    throw_error({"column \"", name, "\": ", join(problem)});
  }

  std::vector<data::column> columns_;
};

}  // namespace tapeless::data
