// SPDX-License-Identifier: BSL-1.0
// What stands behind a tl::data::source: a class for each kind, so that loops over data compile once.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include <tapeless/data/batch.hpp>
#include <tapeless/data/column_description.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>

namespace tapeless::data {

/// The size of a source that has no last sample.
inline constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

/// Which thread reads a source.
enum class reader : std::uint8_t {
  copies,      ///< the one that trains: the samples are in memory, and reading is no more than a copy
  runs_ahead,  ///< one of its own, a batch ahead of the one that trains
  calls        ///< the one that trains, since the source must not be read by another
};

namespace detail {

/// Samples by number, whatever they come from. Its functions may be called by several threads at once.
class any_source {
 public:
  any_source() = default;
  any_source(const any_source&) = delete;
  any_source& operator=(const any_source&) = delete;
  virtual ~any_source() = default;

  virtual std::int64_t size() const = 0;
  /// The columns that it tells of.
  virtual array_view<const column_description> columns() const = 0;
  /// Whether it has no others.
  virtual bool describes_all() const = 0;
  virtual data::reader reader() const = 0;
  /// Writes the samples with these numbers, in this order, into all columns that are asked for.
  /// Pre-condition: into.size() == samples.size(); the samples exist.
  virtual void read(array_view<const std::int64_t> samples, batch& into) const = 0;

  mutable std::atomic<int> owners = 1;
};

}  // namespace detail

}  // namespace tapeless::data
