// SPDX-License-Identifier: BSL-1.0
// What a family's launch asks for once all extents are known, whatever the program is.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/plan/access.hpp>

namespace tapeless {

class launch_site {
 public:
  launch_site() = default;
  launch_site(const launch_site&) = delete;
  launch_site& operator=(const launch_site&) = delete;

  /// The value of an extent, as the plan numbers them.
  virtual std::int64_t extent(std::int64_t e) const = 0;
  /// Sets where an operand starts, in this run and in each iteration.
  virtual void place(const access& at, element type, std::byte** data) const = 0;
  /// The same of an operand with strides along so many axes.
  template <class Operand>
  void place(const access& at, element type, Operand& o, int rank) const {
    for (int d = 0; d < rank; ++d) o.strides[d] = extent(at.strides[d]);
    place(at, type, &o.data);
  }

 protected:
  ~launch_site() = default;
};

}  // namespace tapeless
