// SPDX-License-Identifier: BSL-1.0
// source: samples of any kind, as all loops take them.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tapeless/data/any_source.hpp>
#include <tapeless/data/dataset.hpp>
#include <tapeless/data/own_source.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::data {

/// Samples that are read by number, as fit, evaluate and loaders take them. It is made of a dataset, or of
/// any type that keeps source_contract. Copies are cheap: they share what they were made of.
class source {
 public:
  /// No samples.
  constexpr source() = default;
  source(const dataset& from) : held_(of(from)) {}
  /// Of a user's own type, which is copied or moved into the source; the compiler is stopped with a sentence
  /// where it does not keep source_contract. Throws tl::error where its size is negative.
  template <class Own>
    requires(!std::derived_from<std::remove_cvref_t<Own>, source> &&
             !std::derived_from<std::remove_cvref_t<Own>, dataset>)
  TAPELESS_WARM source(Own&& from) {
    using own = std::remove_cvref_t<Own>;
    if constexpr (require_contracts<source_contract<own>>())
      held_ = new detail::own_source_of<own>(own(std::forward<Own>(from)));
  }
  constexpr source(const source& other) : held_(other.held_) {
    if (held_ != nullptr) held_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  constexpr source(source&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  constexpr source& operator=(source other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  constexpr ~source() {
    if (held_ != nullptr) release();
  }
  /// A source of another kind: views and transforms are made so.
  template <std::derived_from<detail::any_source> Kind, class... Arguments>
  static source make(Arguments&&... arguments) {
    source made;
    made.held_ = new Kind(std::forward<Arguments>(arguments)...);
    return made;
  }

  /// How many samples; `endless` where they have no end.
  std::int64_t size() const { return held_ != nullptr ? held_->size() : 0; }
  bool is_endless() const { return size() == endless; }

  /// The columns that the source tells of.
  array_view<const column_description> columns() const {
    return held_ != nullptr ? held_->columns() : array_view<const column_description>();
  }
  /// Whether it has no others. One that has can be asked for columns of any name and shape.
  bool describes_all() const { return held_ == nullptr || held_->describes_all(); }
  /// The column of that name, null if the source does not tell of it.
  const column_description* find(std::string_view name) const {
    for (const column_description& c : columns())
      if (c.name == name) return &c;
    return nullptr;
  }
  /// The thread that reads it.
  data::reader reader() const { return held_ != nullptr ? held_->reader() : data::reader::copies; }

  /// Writes the samples with these numbers, in this order, into the columns of `into`. Throws tl::error where
  /// it lacks one, and what a user's source throws. Any number of threads at once, each with a batch of its
  /// own. Pre-condition: the samples exist, and are as many as the batch has room for.
  void read(array_view<const std::int64_t> samples, batch& into) const {
    if (held_ != nullptr) held_->read(samples, into);
  }
  /// The same into all of that memory, of that pass over the data.
  void read_into(batch_memory& memory, array_view<const std::int64_t> samples, std::int64_t pass) const {
    memory.resize(static_cast<std::int64_t>(samples.size()), pass);
    batch into(memory);
    read(samples, into);
  }

  /// Starts what reads `whole` ahead, which is this or made of it. Null where nothing does.
  sole_owner<detail::batches_ahead> read_ahead(const source& whole, batch_memory& like) const {
    return held_->read_ahead(whole, like);
  }

 private:
  const detail::any_source* held_ = nullptr;

  template <class = compiled_once>
  static const detail::any_source* of(const dataset& from);
  [[gnu::noinline]] void release() {
    if (held_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
  }
};

namespace detail {

/// A dataset's columns.
class dataset_source final : public any_source {
 public:
  TAPELESS_COLD explicit dataset_source(const dataset& from) : data_(from) {
    for (const column& c : from.columns()) columns_.push({c.name, c.type, c.sample_shape});
  }
  std::int64_t size() const override { return data_.size(); }
  array_view<const column_description> columns() const override { return columns_; }
  bool describes_all() const override { return true; }
  data::reader reader() const override { return data::reader::copies; }
  sole_owner<batches_ahead> read_ahead(const source&, batch_memory&) const override { return {}; }

  [[gnu::noinline]] void read(array_view<const std::int64_t> samples, batch& into) const override {
    for (batch_column& c : into.memory().columns()) {
      if (!c.is_asked_for) continue;
      const column& from = data_.column(c.description.name);
      if (from.type != c.description.type || from.sample_size != c.sample_size) fail(from, c);
      copy_samples(from, samples, into.begin_of(c));
    }
  }

 private:
  dataset data_;
  list<column_description> columns_;

  [[noreturn]] TAPELESS_COLD static void fail(const column& from, const batch_column& to) {
    throw_error({"column \"", from.name, "\" has samples of ", name_of(from.type), " ",
                 io::shape_text(from.sample_shape), ", not of ", text_of(to.description)});
  }
};

}  // namespace detail

template <class>
TAPELESS_WARM const detail::any_source* source::of(const dataset& from) {
  return new detail::dataset_source(from);
}

}  // namespace tapeless::data

#include <tapeless/data/reading_thread.hpp>
