// SPDX-License-Identifier: BSL-1.0
// A user's own type as a source of samples: what it must have, and how it is read.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>

#include <tapeless/data/any_source.hpp>
#include <tapeless/data/batch.hpp>
#include <tapeless/data/column_description.hpp>
#include <tapeless/error.hpp>
#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/system_mutex.hpp>

namespace tapeless::data {

/// The contract of a source of samples. It has
///   size()                  how many samples; tl::data::endless where they have no end
///   read(i, sample)         writes sample i, or
///   fetch(samples, batch)   writes the samples with these numbers, all at once
/// and may have
///   columns()               what it has, as a range of column_description: needed where the model leaves
///                           more than the batch's extent open, and by transforms that change a shape
///   reads_ahead             static; false where only the thread that trains may read it
/// Laws: what is written depends on the sample's number and the pass alone; each call writes all columns that
/// it is asked for (sample.has(name) says which). Its functions are never called by two threads at once, but
/// not all by the same one: read and fetch run a batch ahead of the training, on a thread of their own. What
/// they throw is thrown where the batch is needed.
template <class Source>
struct source_contract {
  using subject = Source;
  static constexpr std::string_view noun = "source of samples";
  static constexpr bool has_size = requires(const Source& s) {
    { s.size() } -> std::convertible_to<std::int64_t>;
  };
  static constexpr bool reads = requires(Source& s, std::int64_t i, sample& into) { s.read(i, into); };
  static constexpr bool fetches =
      requires(Source& s, array_view<const std::int64_t> samples, batch& into) { s.fetch(samples, into); };
  static constexpr bool names_columns = requires(Source& s) { s.columns(); };
  static constexpr bool describes = requires(const Source& s) {
    { *std::begin(s.columns()) } -> std::convertible_to<column_description>;
    std::end(s.columns());
  };
  static constexpr demand demands[4] = {
      {has_size, "size() const, how many samples there are, or tl::data::endless"},
      {reads || fetches,
       "read(std::int64_t i, tl::data::sample& s), or fetch(std::span<const std::int64_t> samples, "
       "tl::data::batch& b)"},
      {describes || !names_columns, "columns() const that returns a range of tl::data::column_description"},
      {std::move_constructible<Source>, "a move constructor"},
  };
};

namespace detail {

/// What all types of users share.
class own_source : public any_source {
 public:
  std::int64_t size() const final { return size_; }
  array_view<const column_description> columns() const final { return columns_; }
  bool describes_all() const final { return !columns_.empty(); }
  data::reader reader() const final { return reader_; }

  void read(array_view<const std::int64_t> samples, batch& into) const final {
    const mutex_lock alone(one_at_a_time_);
    add_columns(into.memory());
    if (fetches_) {
      begin(into.memory());
      fetch(samples, into);
      return check(into.memory(), samples.empty() ? 0 : samples[0]);
    }
    for (std::size_t k = 0; k < samples.size(); ++k) {
      begin(into.memory());
      sample one = into.at(static_cast<std::int64_t>(k), samples[k]);
      read_one(samples[k], one);
      check(into.memory(), samples[k]);
    }
  }

 protected:
  own_source(std::int64_t size, list<column_description> columns, data::reader reader, bool fetches)
      : columns_(std::move(columns)), size_(size), reader_(reader), fetches_(fetches) {
    if (size < 0) throw_error({"a source of samples has size() = ", size, "; it must be 0 or more"});
  }

 private:
  list<column_description> columns_;
  std::int64_t size_;
  data::reader reader_;
  bool fetches_;
  mutable system_mutex one_at_a_time_;

  virtual void read_one(std::int64_t number, sample& into) const = 0;
  virtual void fetch(array_view<const std::int64_t> samples, batch& into) const = 0;

  // A model may not need all columns that the source says it has; it can write them nevertheless.
  void add_columns(batch_memory& memory) const {
    for (const column_description& c : columns_)
      if (memory.find(c.name) == nullptr) memory.add(c).is_asked_for = false;
  }
  static void begin(batch_memory& memory) {
    for (batch_column& c : memory.columns()) c.is_written = false;
  }
  static void check(batch_memory& memory, std::int64_t number) {
    for (const batch_column& c : memory.columns())
      if (c.is_asked_for && !c.is_written) fail_to_write("the source", c, number);
  }
};

template <class Source>
class own_source_of final : public own_source {
 public:
  explicit own_source_of(Source&& s)
      : own_source(static_cast<std::int64_t>(s.size()), columns_of(s), reader_of(), contract::fetches),
        source_(std::move(s)) {}

 private:
  using contract = source_contract<Source>;
  mutable Source source_;

  // Here, where it is compiled if the program has a source of its own.
  sole_owner<batches_ahead> read_ahead(const source& whole, batch_memory& like) const override {
    return start_reading_thread(whole, like);
  }

  TAPELESS_COLD static list<column_description> columns_of(const Source& s) {
    list<column_description> all;
    if constexpr (contract::describes)
      for (const column_description& c : s.columns()) all.push(c);
    return all;
  }
  static constexpr data::reader reader_of() {
    if constexpr (requires { Source::reads_ahead; })
      return Source::reads_ahead ? data::reader::runs_ahead : data::reader::calls;
    return data::reader::runs_ahead;
  }
  void read_one(std::int64_t number, sample& into) const override {
    if constexpr (!contract::fetches) source_.read(number, into);
  }
  void fetch(array_view<const std::int64_t> samples, batch& into) const override {
    if constexpr (contract::fetches) source_.fetch(samples, into);
  }
};

}  // namespace detail

}  // namespace tapeless::data
