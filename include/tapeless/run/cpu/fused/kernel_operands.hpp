// SPDX-License-Identifier: BSL-1.0
// Loads and stores of a fused kernel's innermost loop, of one operand each: functions of where it is, which
// all fused kernels share, so that a compiler has one for each kind of operand.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/registers.hpp>
#include <tapeless/run/cpu/fused/kernel_functions.hpp>
#include <tapeless/run/cpu/vectors/lanes.hpp>
#include <tapeless/run/cpu/vectors/valid_lanes.hpp>

namespace tapeless::cpu_kernels::detail {

// A load that does not change within the innermost loop.
template <lane Kind, element Type, class Held>
[[gnu::always_inline]] inline void load_before([[maybe_unused]] const fused_kernel_operand& operand,
                                               [[maybe_unused]] const operand_place& place,
                                               [[maybe_unused]] Held& to) {
  using value = computed_as<Type>;
  if constexpr (Kind == lane::number)
    to = everywhere<Held>(convert<value>(operand.number));
  else if constexpr (Kind == lane::broadcast)
    to = everywhere<Held>(static_cast<value>(*reinterpret_cast<const storage_of<Type>*>(place.data)));
}

// A load of the elements from i on, where the first one is at `data`: as many as Held has numbers, of which
// those are that are valid, or one where Number is void.
template <lane Kind, element Type, template <class> class Lanes, class Number, class Held>
[[gnu::always_inline]] inline void load_each([[maybe_unused]] std::byte* data,
                                             [[maybe_unused]] const operand_place& place,
                                             [[maybe_unused]] std::int64_t i,
                                             [[maybe_unused]] Lanes<Number> valid,
                                             [[maybe_unused]] Held& to) {
  using value = computed_as<Type>;
  using stored = storage_of<Type>;
  if constexpr (Kind == lane::index) {
    if constexpr (std::is_void_v<Number>)
      to = static_cast<value>(place.index + i * place.stride);
    else
      to = counted<value>(place.index + i * place.stride, place.stride);
  } else if constexpr (Kind == lane::contiguous || Kind == lane::strided) {
    const std::int64_t stride = Kind == lane::contiguous ? 1 : place.stride;
    const stored* from = reinterpret_cast<const stored*>(data) + i * stride;
    if constexpr (std::is_void_v<Number>) {
      to = static_cast<value>(*from);
    } else if constexpr (Type == element::boolean && Kind == lane::contiguous) {
      to = load_conditions<Number>(from);
    } else if constexpr (Type == element::boolean) {
      to = stride == 1 ? load_conditions<Number>(from) : load_conditions<Number>(from, stride);
    } else if constexpr (!std::is_same_v<stored, value>) {
      to = load_as<value>(from, stride);
    } else if constexpr (Kind == lane::contiguous) {
      to = load(from, valid);
    } else {  // rows against the order of memory may have been packed
      to = stride == 1 ? load(from) : load(from, stride);
    }
  }
}

// What a store's target holds: sums are in the memory of the result only where no precision is lost.
template <element Type, int Reduction>
using target_of = std::conditional_t<(Reduction >= 0), computed_as<Type>, storage_of<Type>>;

// A store, if Keeps, of the elements from i on, likewise: it combines them with what is there if it reduces,
// unless they are the first.
template <bool Keeps, lane Kind, element Type, int Reduction, template <class> class Lanes, class Number,
          class Held>
[[gnu::always_inline]] inline void store_each([[maybe_unused]] std::byte* data,
                                              [[maybe_unused]] const operand_place& place,
                                              [[maybe_unused]] std::int64_t i,
                                              [[maybe_unused]] Lanes<Number> valid,
                                              [[maybe_unused]] bool first, [[maybe_unused]] Held x) {
  if constexpr (Keeps) {
    using stored = target_of<Type, Reduction>;
    const std::int64_t stride = Kind == lane::contiguous ? 1 : place.stride;
    stored* to = reinterpret_cast<stored*>(data) + i * stride;
    if constexpr (Reduction >= 0) {
      using operation = reduction_operation_at<Reduction>;
      if constexpr (std::is_void_v<Number>) {
        if (!first) x = static_cast<Held>(operation::combine(*to, x));
      } else {
        if (!first)
          x = static_cast<Held>(operation::combine(stride == 1 ? load(to, valid) : load(to, stride), x));
      }
    }
    if constexpr (std::is_void_v<Number>) {
      *to = static_cast<stored>(x);
    } else if constexpr (!std::is_same_v<stored, Number> && !std::is_same_v<stored, bool>) {
      store_as(to, stride, x);
    } else if constexpr (Type == element::boolean && Kind == lane::contiguous) {
      store(to, x);
    } else if constexpr (Kind == lane::contiguous) {
      store(to, x, valid);
    } else if (stride == 1) {
      store(to, x);
    } else {
      store(to, stride, x);
    }
  }
}

}  // namespace tapeless::cpu_kernels::detail
