// SPDX-License-Identifier: BSL-1.0
// Reads batches, the next one while the one before is computed with. What comes does not depend on when.
#pragma once

#include <cstdint>
#include <utility>

#include <tapeless/data/source.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless::data {

/// Batches from a source, into two memories in turn. Sources whose samples are in memory, and those that must
/// be read by the caller, are read when the batch is asked for. For others a thread is started when a batch
/// is first expected; where the system has none to give, they are read by the caller, too. It belongs to one
/// thread at a time.
class read_ahead {
 public:
  /// The columns of the memory are read.
  TAPELESS_WARM read_ahead(const source& from, batch_memory memory)
      : from_(from), memory_(std::move(memory)), may_run_ahead_(from.reader() == reader::runs_ahead) {}
  TAPELESS_WARM ~read_ahead() = default;
  read_ahead(const read_ahead&) = delete;
  read_ahead& operator=(const read_ahead&) = delete;

  /// The samples with these numbers, in that pass; valid until the next call. Throws what the source throws,
  /// on this thread, if these samples are the ones that it threw for.
  [[gnu::noinline]] batch_memory& read(array_view<const std::int64_t> samples, std::int64_t pass) {
    if (!has_thread() || !ahead_->take(samples, pass, memory_)) from_.read_into(memory_, samples, pass);
    return memory_;
  }

  /// Whether there is, or will be, a thread for that.
  bool runs_ahead() const { return may_run_ahead_ && (ahead_ == nullptr || ahead_->is_there()); }
  /// The batch that is probably asked for next. What `read` gives does not depend on it.
  [[gnu::noinline]] void expect(array_view<const std::int64_t> samples, std::int64_t pass) {
    if (!runs_ahead()) return;
    if (ahead_ == nullptr) ahead_ = from_.read_ahead(from_, memory_);
    may_run_ahead_ = ahead_ != nullptr;
    if (may_run_ahead_) ahead_->expect(samples, pass);
  }

 private:
  const source from_;
  batch_memory memory_;
  bool may_run_ahead_;
  sole_owner<detail::batches_ahead> ahead_;

  bool has_thread() const { return ahead_ != nullptr && ahead_->is_there(); }
};

}  // namespace tapeless::data
