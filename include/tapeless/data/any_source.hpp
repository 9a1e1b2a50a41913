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
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::data {

/// The size of a source that has no last sample.
inline constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

/// Which thread reads a source.
enum class reader : std::uint8_t {
  copies,      ///< the one that trains: the samples are in memory, and reading is no more than a copy
  runs_ahead,  ///< one of its own, a batch ahead of the one that trains
  calls        ///< the one that trains, since the source must not be read by another
};

class source;

namespace detail {

/// Batches of a source that are read before they are asked for. It belongs to one thread at a time.
class batches_ahead {
 public:
  batches_ahead() = default;
  batches_ahead(const batches_ahead&) = delete;
  batches_ahead& operator=(const batches_ahead&) = delete;
  virtual ~batches_ahead() = default;

  /// Whether there is somebody who reads; not in a process that was forked.
  virtual bool is_there() const = 0;
  /// These samples, in that pass, are probably asked for next. Pre-condition: is_there().
  virtual void expect(array_view<const std::int64_t> samples, std::int64_t pass) = 0;
  /// Whether `into` has them now: where they were expected. Throws what the source threw for them.
  /// Pre-condition: is_there().
  virtual bool take(array_view<const std::int64_t> samples, std::int64_t pass, batch_memory& into) = 0;
};

/// A thread that reads `from` into memory with the columns that `like` is asked for; null where the system
/// has none to give.
inline sole_owner<batches_ahead> start_reading_thread(const source& from, batch_memory& like);

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
  /// start_reading_thread(from, like), in the classes whose reader may run ahead: only programs that have one
  /// of them compile it. `from` is this, or made of it.
  virtual sole_owner<batches_ahead> read_ahead(const source& from, batch_memory& like) const = 0;

  mutable std::atomic<int> owners = 1;
};

}  // namespace detail

}  // namespace tapeless::data
