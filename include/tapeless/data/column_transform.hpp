// SPDX-License-Identifier: BSL-1.0
// What transforms share that change one column of each sample as it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/view.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/similar_names.hpp>

namespace tapeless::data::detail {

/// Another source with one column changed, sample by sample. Where the source tells of it, type and shape may
/// change, too.
class column_transform : public sample_transform {
 public:
  void read(array_view<const std::int64_t> samples, batch& into) const final {
    if (!into.memory().asks_for(column_)) return from_.read(samples, into);
    batch_memory& inner = into.memory().inner();
    describe(inner, into.memory());
    inner.resize(into.size(), into.pass());
    batch theirs(inner);
    from_.read(samples, theirs);
    if (samples.empty()) return;
    for (batch_column& to : into.memory().columns()) {
      if (!to.is_asked_for) continue;
      const batch_column& from = *inner.find(to.description.name);
      std::byte* out = into.begin_of(to);
      const auto* in = reinterpret_cast<const std::byte*>(from.memory.data());
      if (to.description.name != column_) {
        std::memcpy(out, in, samples.size() * to.sample_bytes);
        continue;
      }
      for (std::size_t k = 0; k < samples.size(); ++k)
        apply(in + k * from.sample_bytes, out + k * to.sample_bytes, to,
              into.at(static_cast<std::int64_t>(k), samples[k]));
    }
  }

 protected:
  column_transform(const source& from, std::string_view what, std::string_view column)
      : sample_transform(from), column_(column), what_(what) {
    const column_description* found = from.find(column);
    if (found != nullptr) {
      before_ = *found;
    } else if (from.describes_all()) {
      std::vector<std::string_view> names;
      for (const column_description& c : columns_) names.push_back(c.name);
      throw_error(
          {what, ": no column \"", column, "\" in the data, which has ", io::similar_names(column, names)});
    }
  }

  /// The column as the source tells of it, without a name where it does not.
  const column_description& before() const { return before_; }
  const std::string& column_name() const { return column_; }
  bool is_known() const { return !before_.name.empty(); }

  /// What the column is now. Called once, in the constructor of the transform. Post-condition: the source
  /// tells of it, too.
  void becomes(column_description after) {
    for (column_description& c : columns_)
      if (c.name == column_) return static_cast<void>(c = std::move(after));
    columns_.push_back(std::move(after));
  }

  [[noreturn]] TAPELESS_COLD void fail(std::initializer_list<text_piece> problem) const {
    throw_error({what_, ": column \"", column_, "\" ", join(problem)});
  }
  [[noreturn]] TAPELESS_COLD void fail_unknown() const {
    fail({"is not described by the source, whose columns() const must return its type and shape"});
  }

 private:
  std::string column_;
  column_description before_;
  std::string what_;

  /// Writes the sample to `out`, which is a sample of that column, from `in`.
  virtual void apply(const std::byte* in, std::byte* out, const batch_column& column,
                     const sample& which) const = 0;

  // The columns that are asked of the other source: those that are asked for here, and of this one what it
  // was before.
  void describe(batch_memory& inner, batch_memory& outer) const {
    const auto theirs = [&](const batch_column& c) -> const column_description& {
      return is_known() && c.description.name == column_ ? before_ : c.description;
    };
    std::size_t asked = 0, same = 0, there = 0;
    for (const batch_column& c : inner.columns()) there += c.is_asked_for ? 1 : 0;
    for (const batch_column& c : outer.columns()) {
      if (!c.is_asked_for) continue;
      ++asked;
      const batch_column* found = inner.find(c.description.name);
      same += found != nullptr && found->is_asked_for && found->description == theirs(c) ? 1 : 0;
    }
    if (asked == same && asked == there) return;
    inner.clear();
    for (const batch_column& c : outer.columns())
      if (c.is_asked_for) inner.add(theirs(c));
  }
};

}  // namespace tapeless::data::detail
