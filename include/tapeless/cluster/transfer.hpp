// SPDX-License-Identifier: BSL-1.0
// transfer: bytes that travel between processes while these compute.
#pragma once

#include <cstdint>

namespace tapeless {

class process_group;

/// Ranges of bytes that travel between all ranks of a group, again each time that it is started. All ranks
/// start the transfers of one kind in the same order. Until it has ended, nobody writes to its bytes, nor
/// reads what it brings.
class transfer {
 public:
  transfer(const transfer&) = delete;
  transfer& operator=(const transfer&) = delete;
  virtual ~transfer() = default;

  /// Whether it has ended. Does not wait, but lets it go on: where it needs this process for that.
  virtual bool has_ended() = 0;
  virtual void wait() = 0;

 protected:
  transfer() = default;

 private:
  friend process_group;
  std::int64_t brings_ = 0;  // bytes of other ranks

  virtual void start() = 0;
};

}  // namespace tapeless
