// SPDX-License-Identifier: BSL-1.0
// Other sources of the same samples: some of them, in another order, several times, or changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/source.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::data::detail {

/// What has the columns of another source.
class view : public any_source {
 public:
  explicit view(const source& from) : from_(from) {}
  array_view<const column_description> columns() const final { return from_.columns(); }
  bool describes_all() const final { return from_.describes_all(); }
  data::reader reader() const final { return from_.reader(); }
  sole_owner<batches_ahead> read_ahead(const source& whole, batch_memory& like) const final {
    return from_.read_ahead(whole, like);
  }

 protected:
  const source from_;
};

/// What changes another source's samples as they are read.
class sample_transform : public any_source {
 public:
  std::int64_t size() const final { return from_.size(); }
  array_view<const column_description> columns() const final { return columns_; }
  bool describes_all() const final { return from_.describes_all(); }
  data::reader reader() const final { return std::max(from_.reader(), data::reader::runs_ahead); }
  sole_owner<batches_ahead> read_ahead(const source& whole, batch_memory& like) const final {
    return start_reading_thread(whole, like);
  }

 protected:
  explicit sample_transform(const source& from)
      : from_(from), columns_(from.columns().begin(), from.columns().end()) {}

  const source from_;
  std::vector<column_description> columns_;  ///< as they are then
};

/// Samples first, first + 1, ... of another source.
class range_view final : public view {
 public:
  range_view(const source& from, std::int64_t first, std::int64_t count)
      : view(from), first_(first), count_(count) {}
  std::int64_t size() const override { return count_; }

  void read(array_view<const std::int64_t> samples, batch& into) const override {
    if (first_ == 0) return from_.read(samples, into);
    sample_numbers theirs(into, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k) theirs[k] = first_ + samples[k];
    from_.read(theirs, into);
  }

 private:
  std::int64_t first_, count_;
};

/// The samples of another source with these numbers.
class subset_view final : public view {
 public:
  subset_view(const source& from, std::vector<std::int64_t> numbers)
      : view(from), numbers_(std::move(numbers)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(numbers_.size()); }

  void read(array_view<const std::int64_t> samples, batch& into) const override {
    sample_numbers theirs(into, samples.size());
    for (std::size_t k = 0; k < samples.size(); ++k)
      theirs[k] = numbers_[static_cast<std::size_t>(samples[k])];
    from_.read(theirs, into);
  }

 private:
  std::vector<std::int64_t> numbers_;
};

/// Where an end is needed; `what` asks for it.
inline void require_end(const source& from, std::string_view what) {
  if (from.is_endless())
    throw_error({what, ": the data have no end; take(source, count) is the first of them"});
}

}  // namespace tapeless::data::detail
