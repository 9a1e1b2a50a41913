// SPDX-License-Identifier: BSL-1.0
// A number of samples as named columns of equal length, ready to be gathered into batches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/column.hpp>
#include <tapeless/data/column_description.hpp>
#include <tapeless/data/column_storage.hpp>
#include <tapeless/data/new_column.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/bindable_elements.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/copy_elements.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>

namespace tapeless::data {

/// Named columns over the same samples. Copies are cheap: they share the storage, which never changes.
class dataset {
 public:
  dataset() = default;
  TAPELESS_COLD dataset(const dataset& other) {
    columns_.reserve(other.columns_.size());
    for (const data::column& column : other.columns_) columns_.push(column);
  }
  dataset(dataset&&) noexcept = default;
  dataset& operator=(dataset other) noexcept {
    columns_ = std::move(other.columns_);
    return *this;
  }
  [[gnu::noinline]] ~dataset() = default;  // compiled once, not wherever one ends

  /// Adds a column of `values`, sample after sample. Throws tl::error with the column's name if a column of
  /// that name exists or an extent is not positive, or if the other columns have another number of samples.
  template <element_type T>
  TAPELESS_WARM dataset& add(std::string name, std::vector<std::int64_t> sample_shape,
                             std::vector<T> values) {
    data::column added = described({std::move(name), element_of<T>, std::move(sample_shape)});
    detail::set_samples(added, static_cast<std::int64_t>(values.size()));
    added.storage = detail::stored(std::move(values));
    return append(std::move(added));
  }

  /// The same of a span, an array, a matrix of Eigen's or whatever else can be bound to an input. Its
  /// elements are copied, in row-major order: borrow leaves them where they are.
  template <class Items>
    requires(!element_type<Items>)  // that is add<float>("y", {}, {1})'s
  TAPELESS_WARM dataset& add(std::string name, std::vector<std::int64_t> sample_shape, const Items& values) {
    require_elements<Items>();
    if constexpr (tapeless::detail::has_bindable_elements<Items>)
      add_copy(std::move(name), std::move(sample_shape), tapeless::detail::elements_of(values));
    return *this;
  }

  /// Adds a column of windows into `values`, which may overlap each other and other columns; throws tl::error
  /// with the column's name as above, or if a window lies outside.
  template <element_type T>
    requires(!std::is_same_v<T, bool>)
  TAPELESS_WARM dataset& add(std::string name, std::vector<std::int64_t> sample_shape,
                             std::shared_ptr<const std::vector<T>> values, windows where) {
    data::column added = described({std::move(name), element_of<T>, std::move(sample_shape)});
    detail::set_windows(added, static_cast<std::int64_t>(values->size()), where);
    added.storage = {values, reinterpret_cast<const std::byte*>(values->data() + where.first)};
    return append(std::move(added));
  }

  /// Adds a column of elements that stay where they are, and must, unchanged, as long as there is a copy of
  /// this dataset: of whatever add copies. Throws tl::error as above, and where they do not lie in row-major
  /// order without gaps.
  template <class Items>
  TAPELESS_WARM dataset& borrow(std::string name, std::vector<std::int64_t> sample_shape,
                                const Items& values) {
    require_elements<Items>();
    if constexpr (tapeless::detail::has_bindable_elements<Items>)
      add_borrowed(std::move(name), std::move(sample_shape), tapeless::detail::elements_of(values));
    return *this;
  }
  template <class Items>
    requires(!std::is_trivially_copyable_v<Items>)  // unlike a span
  void borrow(std::string name, std::vector<std::int64_t> sample_shape, const Items&& gone) = delete;

  /// Adds a column of a matrix of Eigen's, or an expression of them: its rows are samples of shape [columns],
  /// the elements of a vector are scalars. They are copied. Throws tl::error as above.
  template <class Matrix>
    requires requires(const Matrix& m) { m.derived().coeff(m.rows(), m.cols()); }
  TAPELESS_WARM dataset& add(std::string name, const Matrix& values) {
    using T = typename Matrix::Scalar;
    constexpr bool is_vector = Matrix::RowsAtCompileTime == 1 || Matrix::ColsAtCompileTime == 1;
    const auto rows = static_cast<std::int64_t>(values.rows()),
               cols = static_cast<std::int64_t>(values.cols());
    std::vector<T> copy;
    copy.reserve(static_cast<std::size_t>(rows * cols));
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = 0; c < cols; ++c) copy.push_back(values.derived().coeff(r, c));
    return add(std::move(name), is_vector ? std::vector<std::int64_t>() : std::vector<std::int64_t>{cols},
               std::move(copy));
  }
  /// Refuses what has no shape of its own.
  template <class Items>
  dataset& add(std::string, const Items&) {
    static_assert(std::is_void_v<Items>,
                  "tapeless: a column is added with the shape of a sample: dataset.add(\"x\", {2}, x) of two "
                  "numbers each, dataset.add(\"y\", {}, y) of one each");
    return *this;
  }

  /// Adds a column of the elements that are in the file at `path` from byte `offset` on, as this machine
  /// stores them. They are not read but mapped: the system brings in what is looked at, and may forget it
  /// again, so that the file can be larger than the memory. It must not change meanwhile. Throws tl::error
  /// with the path if the file cannot be mapped, as above, and where the offset is not a multiple of an
  /// element's size, or lies behind the end.
  template <element_type T>
    requires(!std::is_same_v<T, bool>)  // of which not every byte is one
  TAPELESS_WARM dataset& add_mapped(std::string name, std::vector<std::int64_t> sample_shape,
                                    const std::string& path, std::int64_t offset = 0) {
    return add_file({std::move(name), element_of<T>, std::move(sample_shape)}, path, offset);
  }

  /// Adds a column of that many elements which are stored somewhere, sample after sample, as long as there is
  /// an owner of them. Throws tl::error as above.
  TAPELESS_COLD dataset& add_stored(column_description description, std::shared_ptr<const std::byte> storage,
                                    std::int64_t size) {
    data::column added = described(std::move(description));
    detail::set_samples(added, size);
    added.storage = std::move(storage);
    return append(std::move(added));
  }

  /// How many samples every column has; 0 without columns.
  std::int64_t size() const { return columns_.empty() ? 0 : columns_[0].count; }

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
  const data::column& column(std::string_view name) const& {
    if (const data::column* found = find(name)) return *found;
    no_column(name);
  }
  /// The column of that name with elements of type T: set.column<float>("x")[3]. Throws tl::error where there
  /// is none, or where its elements are of another type.
  template <element_type T>
  column_view<T> column(std::string_view name) const& {
    return column_view<T>(column(name));
  }

  // Of a dataset that is in no variable.
  template <class T = void>
  decltype(auto) column(std::string_view name) const&& {
    static_assert(!std::is_same_v<T, T>,
                  "tapeless: this dataset may be gone at the end of the statement, and with it what spans of "
                  "its columns point to: keep it in a variable first, as in const auto set = "
                  "tl::data::npy(...); set.column<float>(\"x\")");
    if constexpr (element_type<T>)
      return column<T>(name);
    else
      return column(name);
  }

 private:
  template <class Items>
  static constexpr void require_elements() {
    static_assert(
        !tapeless::detail::has_other_strides<Items>,
        "tapeless: this type has strides that cannot be read here: a column is made of a std::mdspan or an "
        "Eigen::Map of its elements, or of a std::span where they are contiguous in row-major order; of an "
        "expression of Eigen's, of its .eval()");
    static_assert(
        tapeless::detail::has_other_strides<Items> || tapeless::detail::has_bindable_elements<Items>,
        "tapeless: a column has numbers, in a vector, an array or a span: text becomes the numbers of "
        "its words or letters, std::vector<std::int32_t>; rows of their own are copied into one "
        "vector, to one length");
  }

  TAPELESS_COLD void add_copy(std::string name, std::vector<std::int64_t> sample_shape,
                              const bound_elements& values) {
    std::vector<std::byte> copy(static_cast<std::size_t>(values.count) * size_of(values.type));
    if (!copy.empty()) tapeless::detail::copy_elements(values, copy.data());
    add_stored({std::move(name), values.type, std::move(sample_shape)}, detail::stored(std::move(copy)),
               values.count);
  }
  TAPELESS_COLD void add_borrowed(std::string name, std::vector<std::int64_t> sample_shape,
                                  const bound_elements& values) {
    if (values.strided_axes > 0)
      detail::refuse_column(name,
                            {"the elements do not lie in row-major order without gaps: add copies them"});
    add_stored({std::move(name), values.type, std::move(sample_shape)},
               {std::shared_ptr<void>(), values.data}, values.count);
  }

  // A new column without its samples.
  TAPELESS_COLD data::column described(column_description description) const {
    if (find(description.name))
      detail::refuse_column(description.name, {"the dataset already has a column of this name"});
    return detail::described_column(std::move(description));
  }

  TAPELESS_COLD dataset& add_file(column_description description, const std::string& path,
                                  std::int64_t offset) {
    const auto file = detail::stored_file(path);
    const std::int64_t size = file.size;
    const auto each = static_cast<std::int64_t>(size_of(description.type));
    if (offset < 0 || offset > size || offset % each != 0)
      detail::refuse_column(description.name, {path, " has ", size, " bytes; elements of ", each,
                                               " cannot begin at byte ", offset});
    if ((size - offset) % each != 0)
      detail::refuse_column(description.name, {path, " has ", size - offset, " bytes from byte ", offset,
                                               " on, no multiple of ", each});
    return add_stored(std::move(description), {file.storage, file.storage.get() + offset},
                      (size - offset) / each);
  }

  TAPELESS_COLD dataset& append(data::column&& added) {
    if (!columns_.empty() && added.count != size()) {
      detail::refuse_column(added.name, {"expected ", size(), " samples, as column \"", columns_[0].name,
                                         "\" has, found ", added.count});
    }
    columns_.add() = std::move(added);
    return *this;
  }

  [[noreturn]] TAPELESS_COLD void no_column(std::string_view name) const {
    std::string names;
    for (const data::column& column : columns_) {
      tapeless::append(names, {names.empty() ? "\"" : ", \"", column.name, "\""});
    }
    throw_error({"no column \"", name, "\" in the dataset, which has ", names.empty() ? "none" : names});
  }

  list<data::column> columns_;
};

}  // namespace tapeless::data
