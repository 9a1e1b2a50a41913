// SPDX-License-Identifier: BSL-1.0
// concat: the samples of several sources, one source after the other.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/data/view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::data {

namespace detail {

class concat_view final : public any_source {
 public:
  explicit concat_view(std::vector<source> parts) : parts_(std::move(parts)) {
    std::int64_t end = 0;
    for (const source& part : parts_) {
      if (end == endless) throw_error("concat: what stands behind data without an end is never read");
      ends_.push_back(end = part.size() > endless - end ? endless : end + part.size());
      describes_all_ = describes_all_ || part.describes_all();
      reader_ = std::max(reader_, part.reader());
      add_columns(part);
    }
    // What one source tells all of and lacks, there is not.
    std::erase_if(columns_, [&](const column_description& c) {
      return std::any_of(parts_.begin(), parts_.end(), [&](const source& part) {
        return part.describes_all() && part.find(c.name) == nullptr;
      });
    });
  }

  std::int64_t size() const override { return ends_.empty() ? 0 : ends_.back(); }
  array_view<const column_description> columns() const override { return columns_; }
  bool describes_all() const override { return describes_all_; }
  data::reader reader() const override { return reader_; }
  sole_owner<batches_ahead> read_ahead(const source& whole, batch_memory& like) const override {
    return start_reading_thread(whole, like);
  }

  // Neighbours that come from one source are read at once.
  void read(array_view<const std::int64_t> samples, batch& into) const override {
    sample_numbers theirs(into, samples.size());
    for (std::size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
      const std::size_t part = part_of(samples[begin]);
      const std::int64_t first = part == 0 ? 0 : ends_[part - 1];
      for (end = begin; end < samples.size() && samples[end] >= first && samples[end] < ends_[part]; ++end)
        theirs[end] = samples[end] - first;
      batch these = into.part(static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end - begin));
      parts_[part].read(array_view<const std::int64_t>(theirs).subspan(begin, end - begin), these);
    }
  }

 private:
  std::vector<source> parts_;
  std::vector<std::int64_t> ends_;
  std::vector<column_description> columns_;
  bool describes_all_ = false;
  data::reader reader_ = data::reader::copies;

  std::size_t part_of(std::int64_t number) const {
    return static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), number) - ends_.begin());
  }

  void add_columns(const source& part) {
    for (const column_description& c : part.columns()) {
      const auto known = std::find_if(columns_.begin(), columns_.end(),
                                      [&](const column_description& other) { return other.name == c.name; });
      if (known == columns_.end()) {
        columns_.push_back(c);
      } else if (*known != c) {
        throw_error({"concat: column \"", c.name, "\" is ", text_of(*known), " in one source and ",
                     text_of(c), " in another"});
      }
    }
  }
};

TAPELESS_COLD inline source concat_of(std::vector<source> parts) {
  return source::make<concat_view>(std::move(parts));
}

}  // namespace detail

/// The samples of these sources, one source after the other; only the last one may have no end. Throws
/// tl::error where another has none, or where two tell of a column of the same name that differs.
template <std::convertible_to<source>... Sources>
TAPELESS_WARM source concat(const Sources&... sources) {
  return detail::concat_of({source(sources)...});
}

}  // namespace tapeless::data
