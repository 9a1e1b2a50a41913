// SPDX-License-Identifier: BSL-1.0
// The memory that samples are read into: batches, and the single samples in them, column by column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/column_description.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/graph/core/node.hpp>
#include <tapeless/graph/core/random_stream.hpp>
#include <tapeless/io/similar_names.hpp>

namespace tapeless::data {

/// Contiguous elements in row-major order with their shape: of one sample, or of a batch, where the first
/// axis counts samples. It can be bound to an input: "x"_t = batch.get<float>("x").
template <class T>
class elements {
 public:
  elements(T* data, std::size_t size, array_view<const std::int64_t> shape)
      : data_(data), size_(size), rank_(shape.size()) {
    for (std::size_t d = 0; d < rank_; ++d) shape_[d] = shape[d];
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<const std::int64_t> shape() const {
    return array_view<const std::int64_t>(shape_.data(), rank_).span();
  }
  T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size_; }

 private:
  T* data_;
  std::size_t size_, rank_;
  std::array<std::int64_t, max_rank> shape_{};
};

/// A column of the memory of a batch.
struct batch_column {
  column_description description;
  std::int64_t sample_size = 1;  // elements
  std::size_t sample_bytes = 0;
  std::vector<unsigned char> memory;  // as loaders have them
  bool is_asked_for = true;           // else the source alone writes it
  bool is_written = false;            // by the read that goes on

  batch_column() = default;
  batch_column(const batch_column&) = default;
  batch_column(batch_column&&) noexcept = default;
  batch_column& operator=(const batch_column&) = default;
  batch_column& operator=(batch_column&&) noexcept = default;
  [[gnu::noinline]] ~batch_column() = default;  // compiled once, not wherever a batch ends

  std::byte* begin() { return reinterpret_cast<std::byte*>(memory.data()); }
};

/// Memory for batches of some columns, used again for each batch, with what reading one takes beside. It
/// belongs to one thread at a time.
class batch_memory {
 public:
  batch_memory() = default;
  batch_memory(batch_memory&&) noexcept = default;
  batch_memory& operator=(batch_memory&&) noexcept = default;
  [[gnu::noinline]] ~batch_memory() = default;  // compiled once, not wherever a batch ends
  explicit batch_memory(array_view<const column_description> columns) {
    for (const column_description& c : columns) add(c);
  }

  /// Adds a column. Throws tl::error where a sample of it has more axes than a batch can have.
  TAPELESS_COLD batch_column& add(column_description description) {
    if (description.sample_shape.size() >= max_rank)
      throw_error({"column \"", description.name, "\" has samples of ", description.sample_shape.size(),
                   " axes; at most ", max_rank - 1, " are possible"});
    const auto element_size = static_cast<std::int64_t>(size_of(description.type));
    const maybe<std::int64_t> bytes = io::checked_product(description.sample_shape, element_size);
    if (!bytes || *bytes == 0)
      throw_error({"column \"", description.name, "\": expected positive extents, found ",
                   io::shape_text(description.sample_shape)});
    batch_column& added = columns_.add();
    added.sample_size = *bytes / element_size;
    added.sample_bytes = static_cast<std::size_t>(*bytes);
    added.description = std::move(description);
    added.memory.resize(static_cast<std::size_t>(count_) * added.sample_bytes);
    return added;
  }

  /// Forgets all columns.
  void clear() { columns_.clear(); }

  /// Makes room for so many samples, of the pass over the data with that number; nothing is in them yet.
  void resize(std::int64_t count, std::int64_t pass) {
    count_ = count;
    pass_ = pass;
    for (batch_column& c : columns_) c.memory.resize(static_cast<std::size_t>(count) * c.sample_bytes);
  }

  std::int64_t size() const { return count_; }
  std::int64_t pass() const { return pass_; }
  array_view<batch_column> columns() { return columns_; }

  /// The column of that name, null if there is none.
  batch_column* find(std::string_view name) {
    for (batch_column& c : columns_)
      if (c.description.name == name) return &c;
    return nullptr;
  }

  /// Whether there is one of that name that is not the source's alone.
  bool asks_for(std::string_view name) {
    const batch_column* found = find(name);
    return found != nullptr && found->is_asked_for;
  }

  /// The column of that name if its elements are T's; throws tl::error where it is not there, or of others.
  template <element_type T>
  batch_column& column(std::string_view name) {
    batch_column* found = find(name);
    if (found == nullptr) no_column(name);
    if (found->description.type != element_of<T>) other_type(*found, element_of<T>);
    return *found;
  }

  /// Memory of the same kind for what is read on the way to this one, as a transform does.
  batch_memory& inner() {
    if (inner_.empty()) inner_ = list<batch_memory>(1);
    return inner_[0];
  }

 private:
  friend class sample_numbers;

  list<batch_column> columns_;
  std::int64_t count_ = 0, pass_ = 0;
  list<batch_memory> inner_;                    // one, if any
  std::vector<std::int64_t> spare_numbers_[4];  // of views that were read through, for the next read

  [[noreturn]] TAPELESS_COLD void no_column(std::string_view name) const {
    list<std::string_view> names;
    for (const batch_column& c : columns_)
      if (c.is_asked_for) names.push(c.description.name);
    throw_error({"the batch has no column \"", name, "\"; it has ", io::similar_names(name, names),
                 ". Not every read asks for all columns: has(\"", name, "\") says whether this one does"});
  }
  [[noreturn]] TAPELESS_COLD static void other_type(const batch_column& c, element wanted) {
    throw_error({"column \"", c.description.name, "\" of the batch holds ", name_of(c.description.type),
                 ", not ", name_of(wanted)});
  }
};

namespace detail {

[[noreturn]] TAPELESS_COLD inline void fail_to_write(std::string_view who, const batch_column& c,
                                                     std::int64_t number) {
  throw_error({who, " did not write column \"", c.description.name, "\" (", text_of(c.description),
               ") of sample ", number});
}

}  // namespace detail

/// Room for one sample in a batch: what a source writes.
class sample {
 public:
  sample(batch_memory& memory, std::int64_t row, std::int64_t number)
      : memory_(&memory), row_(row), number_(number) {}

  /// The sample's elements in the column of that name, of that shape, to be written, or changed by what is
  /// mapped over samples. Throws tl::error where the batch has no such column, or its elements are no T's.
  template <element_type T>
  elements<T> get(std::string_view name) {
    batch_column& c = memory_->column<T>(name);
    c.is_written = true;
    return {reinterpret_cast<T*>(c.begin() + static_cast<std::size_t>(row_) * c.sample_bytes),
            static_cast<std::size_t>(c.sample_size), c.description.sample_shape};
  }
  /// Whether the column of that name is asked for: the model may not need all that a source has.
  bool has(std::string_view name) const { return memory_->asks_for(name); }

  /// The sample's number in its source.
  std::int64_t number() const { return number_; }
  /// The number of the pass over the data, counted from 0; 0 where there is none, as in a validation.
  std::int64_t pass() const { return memory_->pass(); }
  /// Random numbers that depend on the seed, the pass and the sample's number alone, so that they are the
  /// same whichever thread reads the sample, and when.
  random_stream random(std::uint64_t seed = 0) const {
    return random_stream(random_stream(seed, static_cast<std::uint64_t>(pass())).next(),
                         static_cast<std::uint64_t>(number_));
  }

 private:
  batch_memory* memory_;
  std::int64_t row_, number_;
};

/// Some of the samples that a batch has room for, one after the other.
class batch {
 public:
  explicit batch(batch_memory& memory) : batch(memory, 0, memory.size()) {}
  batch(batch_memory& memory, std::int64_t first, std::int64_t count)
      : memory_(&memory), first_(first), count_(count) {}

  /// How many samples.
  std::int64_t size() const { return count_; }
  /// The elements of all samples in the column of that name: [samples, ...]. Throws as sample::get does.
  template <element_type T>
  elements<T> get(std::string_view name) const {
    batch_column& c = memory_->column<T>(name);
    c.is_written = true;
    std::array<std::int64_t, max_rank> shape{count_};
    const std::size_t axes = c.description.sample_shape.size();
    for (std::size_t d = 0; d < axes; ++d) shape[d + 1] = c.description.sample_shape[d];
    return {reinterpret_cast<T*>(c.begin() + static_cast<std::size_t>(first_) * c.sample_bytes),
            static_cast<std::size_t>(count_ * c.sample_size),
            {shape.data(), axes + 1}};
  }
  bool has(std::string_view name) const { return memory_->asks_for(name); }
  std::int64_t pass() const { return memory_->pass(); }

  /// Samples first .. first + count - 1 of these. Pre-condition: they exist.
  batch part(std::int64_t first, std::int64_t count) const { return {*memory_, first_ + first, count}; }
  /// Room for sample `row` of these, which has that number in its source.
  sample at(std::int64_t row, std::int64_t number) const { return {*memory_, first_ + row, number}; }
  /// Where these samples begin in a column of the same memory.
  std::byte* begin_of(batch_column& c) const {
    return c.begin() + static_cast<std::size_t>(first_) * c.sample_bytes;
  }
  batch_memory& memory() const { return *memory_; }

 private:
  batch_memory* memory_;
  std::int64_t first_, count_;
};

/// Numbers of samples, as long as this object lives, in memory that a batch keeps for the next read.
class sample_numbers {
 public:
  sample_numbers(const batch& of, std::size_t count) : memory_(of.memory()) {
    for (std::vector<std::int64_t>& spare : memory_.spare_numbers_)
      if (numbers_.capacity() < count) numbers_.swap(spare);
    numbers_.resize(count);
  }
  ~sample_numbers() {
    for (std::vector<std::int64_t>& spare : memory_.spare_numbers_)
      if (spare.capacity() < numbers_.capacity()) numbers_.swap(spare);  // keeps the largest
  }
  sample_numbers(const sample_numbers&) = delete;
  sample_numbers& operator=(const sample_numbers&) = delete;

  std::int64_t& operator[](std::size_t i) { return numbers_[i]; }
  operator array_view<const std::int64_t>() const { return numbers_; }

 private:
  batch_memory& memory_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace tapeless::data
