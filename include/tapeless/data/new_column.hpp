// SPDX-License-Identifier: BSL-1.0
// A column that is being made: whether its shape, its samples and its windows can be.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>

#include <tapeless/data/column.hpp>
#include <tapeless/data/column_description.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/extents.hpp>

namespace tapeless::data {

/// Where samples lie in shared storage, in elements: sample i begins at `first + i * stride`.
struct windows {
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t stride = 1;
};

namespace detail {

[[noreturn]] TAPELESS_COLD inline void refuse_column(std::string_view name,
                                                     std::initializer_list<text_piece> problem) {
  throw_error({"column \"", name, "\": ", join(problem)});
}

/// A column of that shape, still without samples. Throws an error where an extent is not positive.
TAPELESS_COLD inline column described_column(column_description d) {
  const auto element_size = static_cast<std::int64_t>(size_of(d.type));
  const maybe<std::int64_t> size = io::checked_product(d.sample_shape, element_size);
  if (!size || *size == 0)
    refuse_column(d.name, {"expected positive extents, found ", io::shape_text(d.sample_shape)});
  return {.name = std::move(d.name),
          .type = d.type,
          .sample_shape = std::move(d.sample_shape),
          .sample_size = *size / element_size};
}

/// Of so many values, one sample after the other. Throws an error where the last one is not whole.
TAPELESS_COLD inline void set_samples(column& added, std::int64_t length) {
  added.stride = added.sample_size;
  added.count = length / added.sample_size;
  if (length % added.sample_size == 0) return;
  refuse_column(added.name, {"expected a multiple of ", added.sample_size, " values, one sample of shape ",
                             io::shape_text(added.sample_shape), ", found ", length});
}

/// Whether all windows of that size lie within so many values.
constexpr bool lie_inside(windows where, std::int64_t size, std::int64_t length) {
  if (where.first < 0 || where.count < 0 || where.stride < 0 || where.first > length) return false;
  if (where.count == 0) return true;
  const std::int64_t slack = length - where.first - size;
  return slack >= 0 && (where.stride == 0 || where.count - 1 <= slack / where.stride);
}

/// Of windows into so many values. Throws an error where one lies outside.
TAPELESS_COLD inline void set_windows(column& added, std::int64_t length, windows where) {
  added.stride = where.stride;
  added.count = where.count;
  if (lie_inside(where, added.sample_size, length)) return;
  refuse_column(added.name,
                {where.count, " windows of ", added.sample_size, " values, from value ", where.first, " on, ",
                 where.stride, " apart, do not lie within ", length, " values"});
}

}  // namespace detail

}  // namespace tapeless::data
