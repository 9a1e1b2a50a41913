// SPDX-License-Identifier: BSL-1.0
// The memory of a model's parameters, or of a rule's states.
#pragma once

#include <cstring>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless {

namespace detail {

inline void store_number(double x, element type, std::byte* to) {
  const auto store = [to](auto number) { std::memcpy(to, &number, sizeof(number)); };
  switch (type) {
    case element::f32:
      return store(static_cast<float>(x));
    case element::f64:
    case element::number:
      return store(x);
    case element::f16:
      return store(f16(x));
    case element::bf16:
      return store(bf16(x));
    case element::i32:
      return store(static_cast<std::int32_t>(x));
    case element::i64:
      return store(static_cast<std::int64_t>(x));
    case element::i8:
      return store(static_cast<std::int8_t>(x));
    case element::i16:
      return store(static_cast<std::int16_t>(x));
    case element::u32:
      return store(static_cast<std::uint32_t>(x));
    case element::u8:
      return store(static_cast<std::uint8_t>(x));
    case element::boolean:
      return store(x != 0);
  }
}

inline void set_to_zero(array_view<const parameter_description> all, array_view<std::byte* const> data) {
  for (std::size_t i = 0; i < all.size(); ++i)
    std::memset(data[i], 0, static_cast<std::size_t>(all[i].bytes()));
}

}  // namespace detail

/// Memory for a list of parameters or of a rule's states: one block, with a pointer for each.
template <class Memory>
class parameter_memory {
 public:
  parameter_memory() = default;
  template <class Descriptions, class Resources>
  parameter_memory(const Descriptions& all, Resources& resources) : parameter_memory(all, resources, {}) {}
  /// The same without those that `absent` is not zero for; it may be empty.
  template <class Descriptions, class Resources>
  TAPELESS_SELDOM parameter_memory(const Descriptions& all, Resources& resources,
                                   array_view<const char> absent) {
    list<std::int64_t> sizes;
    std::int64_t size = 0;
    for (const parameter_description& p : all) {
      const bool is_here = absent.empty() || absent[static_cast<std::size_t>(sizes.size())] == 0;
      size += sizes[sizes.push(is_here ? detail::aligned(p.bytes()) : 0)];
    }
    memory_ = resources.allocate(size);
    lay_out(sizes);
  }

  /// Where the elements can be read and written, until the next run.
  array_view<std::byte* const> pointers() const {
    memory_.data();
    return pointers_;
  }
  /// The same, for those who write to all elements; throws nothing.
  array_view<std::byte* const> pointers_to_overwrite() const {
    memory_.data_to_overwrite();
    return pointers_;
  }
  /// Where programs find them.
  array_view<std::byte* const> program_pointers() const { return program_pointers_; }

  /// A view of the elements of one of them, the type of which is Type.
  template <element Type>
  auto view(const parameter_description& p, std::size_t i) const {
    return tensor_view<storage_of<Type>>(reinterpret_cast<storage_of<Type>*>(pointers_[i]), p.extents(),
                                         memory_.copied_by());
  }
  std::byte* operator[](std::size_t i) const { return pointers()[i]; }
  bool is_empty() const { return pointers_.empty(); }
  /// Whether programs work on the same memory, so that to read it costs no copy.
  bool is_shared() const { return memory_.copied_by() == nullptr; }
  std::int64_t bytes() const { return memory_.size(); }

 private:
  Memory memory_;
  list<std::byte*> pointers_, program_pointers_;

  TAPELESS_SELDOM void lay_out(array_view<const std::int64_t> sizes) {
    std::byte *here = memory_.data(), *for_programs = memory_.program_data();
    for (const std::int64_t size : sizes) {
      pointers_.push(here);
      program_pointers_.push(for_programs);
      here += size;
      for_programs += size;
    }
  }
};

}  // namespace tapeless
