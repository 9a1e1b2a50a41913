// SPDX-License-Identifier: BSL-1.0
// A fused kernel as nested loops with constant extents and strides: what is reduced comes innermost, so that
// sums stay in registers.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tapeless/run/bare/bare_memory.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// The loops of a fused kernel in the order in which they are run.
struct loop_order {
  int axis[max_rank] = {};
  int kept = 0;  // so many come before those that are reduced
};
constexpr loop_order order_of(const planned_fused_kernel& p) {
  loop_order order;
  const auto is_reduced = [&](int d) { return !p.accumulates && (p.reduced >> d & 1u) != 0; };
  for (int d = 0; d < p.rank; ++d)
    if (!is_reduced(d)) order.axis[order.kept++] = d;
  int next = order.kept;
  for (int d = 0; d < p.rank; ++d)
    if (is_reduced(d)) order.axis[next++] = d;
  return order;
}

template <int Number, class Value>
struct sum_slot {
  Value sum;
};
template <int Number, class Value>
constexpr Value& sum_in(sum_slot<Number, Value>& slot) {
  return slot.sum;
}

/// Computes one instruction from the registers before it, by functions of our own.
template <instruction_key Key, int Number, class Registers>
inline void execute_bare(Registers& r) {
  auto& result = held<Number>(r);
  using result_type = std::remove_reference_t<decltype(result)>;
  if constexpr (Key.code == copy_code || Key.code == cast_code) {
    result = convert<result_type>(held<Key.a>(r));
  } else {
    using pointwise = pointwise_operation_at<Key.code>;
    const auto x = [&] {
      if constexpr (Key.count == 1) return pointwise::apply(to_operand(held<Key.a>(r)));
      if constexpr (Key.count == 2)
        return pointwise::apply(to_operand(held<Key.a>(r)), to_operand(held<Key.b>(r)));
      if constexpr (Key.count == 3)
        return pointwise::apply(to_operand(held<Key.a>(r)), to_operand(held<Key.b>(r)),
                                to_operand(held<Key.c>(r)));
    }();
    result = static_cast<result_type>(from_operand(x));
  }
}

}  // namespace detail

template <class GraphBuilder, class Layout, int Kernel, class Key = kernel_key_of<GraphBuilder, Kernel>>
struct bare_fused_kernel;

template <class GraphBuilder, class Layout, int Kernel, load_key... L, instruction_key... I, store_key... S,
          bool InnermostReduced>
struct bare_fused_kernel<
    GraphBuilder, Layout, Kernel,
    kernel_key<load_keys<L...>, instruction_keys<I...>, store_keys<S...>, InnermostReduced>*> {
  static constexpr planned_fused_kernel kernel = plan_of<GraphBuilder>.fused_kernels[Kernel];
  static constexpr detail::loop_order order = detail::order_of(kernel);
  static constexpr int kept = order.kept, rank = kernel.rank;

  using load_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(L))>;
  using instruction_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(I))>;
  using store_numbers = std::make_integer_sequence<int, static_cast<int>(sizeof...(S))>;
  using values =
      registers<narrow_lanes, load_keys<L...>, instruction_keys<I...>, load_numbers, instruction_numbers>;

  static void run(const bare_memory& m, std::ptrdiff_t iteration) { outer<0>(m, iteration); }

 private:
  template <class Numbers>
  struct sums_of;
  template <int... Number>
  struct sums_of<std::integer_sequence<int, Number...>> : detail::sum_slot<Number, computed_as<S.type>>... {};
  using sums = sums_of<store_numbers>;

  // i[k] is the place in loop order.axis[k].
  template <std::size_t Depth>
  using place = std::array<std::ptrdiff_t, Depth>;

  /// How many elements it is to there from an operand's first one.
  template <std::size_t Depth>
  static constexpr std::ptrdiff_t distance(const access& a, const std::ptrdiff_t* i) {
    std::ptrdiff_t elements = 0;
    for (std::size_t k = 0; k < Depth; ++k)
      elements += i[k] * static_cast<std::ptrdiff_t>(a.strides[order.axis[k]]);
    return elements;
  }

  template <int Depth, class... Places>
  static void outer(const bare_memory& m, std::ptrdiff_t iteration, Places... i) {
    if constexpr (Depth < kept) {
      constexpr auto extent = static_cast<std::ptrdiff_t>(kernel.extents[order.axis[Depth]]);
      for (std::ptrdiff_t now = 0; now < extent; ++now) outer<Depth + 1>(m, iteration, i..., now);
    } else {
      const std::ptrdiff_t here[max_rank] = {i...};
      reduce(m, iteration, here, store_numbers{});
    }
  }

  template <int... Number>
  static void reduce(const bare_memory& m, std::ptrdiff_t iteration, const std::ptrdiff_t* outside,
                     std::integer_sequence<int, Number...>) {
    sums s;
    (begin_sum<S, Number>(s), ...);
    inner<kept>(m, iteration, s, outside);
    (end_sum<S, Number>(m, iteration, outside, s), ...);
  }

  template <int Depth, class... Places>
  static void inner(const bare_memory& m, std::ptrdiff_t iteration, sums& s, const std::ptrdiff_t* outside,
                    Places... i) {
    if constexpr (Depth < rank) {
      constexpr auto extent = static_cast<std::ptrdiff_t>(kernel.extents[order.axis[Depth]]);
      for (std::ptrdiff_t now = 0; now < extent; ++now) inner<Depth + 1>(m, iteration, s, outside, i..., now);
    } else {
      const std::ptrdiff_t inside[max_rank] = {i...};
      std::ptrdiff_t here[max_rank] = {};
      for (int k = 0; k < kept; ++k) here[k] = outside[k];
      for (int k = kept; k < rank; ++k) here[k] = inside[k - kept];
      compute(m, iteration, here, s, load_numbers{}, instruction_numbers{}, store_numbers{});
    }
  }

  template <int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  static void compute(const bare_memory& m, std::ptrdiff_t iteration, const std::ptrdiff_t* here, sums& s,
                      std::integer_sequence<int, LoadNumber...>,
                      std::integer_sequence<int, InstructionNumber...>,
                      std::integer_sequence<int, StoreNumber...>) {
    values r;
    (load<L, LoadNumber>(m, iteration, here, r), ...);
    (detail::execute_bare<I, InstructionNumber>(r), ...);
    (store<S, StoreNumber>(m, iteration, here, r, s), ...);
  }

  template <load_key Key, int Number>
  static void load(const bare_memory& m, std::ptrdiff_t iteration, const std::ptrdiff_t* here, values& r) {
    static constexpr planned_load l =
        plan_of<GraphBuilder>.loads[static_cast<std::size_t>(kernel.first_load + Number)];
    using value = computed_as<Key.type>;
    if constexpr (Key.kind == lane::number) {
      held<-1 - Number>(r) = convert<value>(l.number);
    } else {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(l.place.offset) +
                                iteration * static_cast<std::ptrdiff_t>(l.place.iteration_stride) +
                                distance<rank>(l.place, here);
      if constexpr (Key.kind == lane::index) {
        held<-1 - Number>(r) = static_cast<value>(at);
      } else {
        held<-1 - Number>(r) = static_cast<value>(
            *elements_of<GraphBuilder, Layout, const storage_of<Key.type>, l.place.base>(m, at));
      }
    }
  }

  template <int Number>
  static constexpr planned_store store_at =
      plan_of<GraphBuilder>.stores[static_cast<std::size_t>(kernel.first_store + Number)];
  template <store_key Key>
  static constexpr bool sums_up = Key.reduction >= 0 && !kernel.accumulates;

  template <store_key Key, int Number, int Depth>
  static storage_of<Key.type>* target(const bare_memory& m, std::ptrdiff_t iteration,
                                      const std::ptrdiff_t* here) {
    static constexpr access a = store_at<Number>.place;
    return elements_of<GraphBuilder, Layout, storage_of<Key.type>, a.base>(
        m, static_cast<std::ptrdiff_t>(a.offset) +
               iteration * static_cast<std::ptrdiff_t>(a.iteration_stride) + distance<Depth>(a, here));
  }

  template <store_key Key, int Number>
  static void store(const bare_memory& m, std::ptrdiff_t iteration, const std::ptrdiff_t* here, values& r,
                    sums& s) {
    using value = computed_as<Key.type>;
    const auto x = static_cast<value>(held<Key.source>(r));
    if constexpr (Key.reduction < 0) {
      *target<Key, Number, rank>(m, iteration, here) = static_cast<storage_of<Key.type>>(x);
    } else if constexpr (sums_up<Key>) {
      value& sum = detail::sum_in<Number>(s);
      sum = combine<Key>(sum, x);
    } else {
      storage_of<Key.type>* const to = target<Key, Number, rank>(m, iteration, here);
      *to = static_cast<storage_of<Key.type>>(combine<Key>(static_cast<value>(*to), x));
    }
  }

  template <store_key Key, class Value>
  static Value combine(Value a, Value b) {
    return static_cast<Value>(reduction_operation_at<Key.reduction>::combine(a, b));
  }
  template <store_key Key, int Number>
  static void begin_sum(sums& s) {
    if constexpr (sums_up<Key>)
      detail::sum_in<Number>(s) =
          reduction_operation_at<Key.reduction>::template identity<computed_as<Key.type>>;
  }
  template <store_key Key, int Number>
  static void end_sum(const bare_memory& m, std::ptrdiff_t iteration, const std::ptrdiff_t* here, sums& s) {
    if constexpr (sums_up<Key>)
      *target<Key, Number, kept>(m, iteration, here) =
          static_cast<storage_of<Key.type>>(detail::sum_in<Number>(s));
  }
};

}  // namespace tapeless::bare_kernels
