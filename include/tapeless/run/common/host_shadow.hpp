// SPDX-License-Identifier: BSL-1.0
// Host copy of memory elsewhere, refreshed when a view is read.
#pragma once

namespace tapeless {

/// Memory of a device, with a copy here.
class host_shadow {
 public:
  /// Post-condition: the copy holds what the programs have written last. Where it is to be written to, the
  /// programs find that from their next run on.
  virtual void bring_here(bool to_write) = 0;

 protected:
  ~host_shadow() = default;
};

}  // namespace tapeless
