// SPDX-License-Identifier: BSL-1.0
// Copies the inputs that a program cannot read where they are: those with strides, and those in memory that
// the run itself writes to, such as its last result.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/copy_elements.hpp>
#include <tapeless/graph/core/sole_owner.hpp>

namespace tapeless {

/// The copies of one program's inputs, in memory that grows to what the largest run has needed.
class input_copies {
 public:
  /// Post-condition: data[i] points to input i's contiguous elements, which a run of the program does not
  /// write to. Allocates where there are more to copy than before; nothing has changed where that throws.
  template <class Program>
  void gather(const Program& program, array_view<const bound_elements> inputs,
              array_view<const std::byte*> data) {
    std::int64_t bytes = 0;
    for (const bound_elements& e : inputs)
      if (is_copied(program, e)) bytes += padded(e);
    reserve(bytes);
    std::byte* to = copies_.get();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      data[i] = inputs[i].data;
      if (bytes == 0 || !is_copied(program, inputs[i])) continue;
      detail::copy_elements(inputs[i], to);
      data[i] = to;
      to += padded(inputs[i]);
    }
  }

 private:
  sole_owner<std::byte[]> copies_;
  std::int64_t room_ = 0;

  static std::int64_t bytes_of(const bound_elements& e) {
    return e.count * static_cast<std::int64_t>(size_of(e.type));
  }
  static std::int64_t padded(const bound_elements& e) { return detail::aligned(bytes_of(e)); }

  template <class Program>
  static bool is_copied(const Program& program, const bound_elements& e) {
    if (e.data == nullptr || e.count == 0) return false;
    return e.strided_axes > 0 || program.overwrites({e.data, static_cast<std::size_t>(bytes_of(e))});
  }

  TAPELESS_COLD void reserve(std::int64_t bytes) {
    if (bytes <= room_) return;
    copies_ = sole_owner<std::byte[]>(new std::byte[static_cast<std::size_t>(bytes)]());
    room_ = bytes;
  }
};

}  // namespace tapeless
