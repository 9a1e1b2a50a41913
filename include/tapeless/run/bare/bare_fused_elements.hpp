// SPDX-License-Identifier: BSL-1.0
// What a fused kernel does with the elements at one place of its loops, or with a vector of neighbours: it
// loads, computes, stores, and adds to sums.
#pragma once

#include <bit>
#include <cstddef>
#include <utility>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/bare/bare_fused_shape.hpp>
#include <tapeless/run/bare/bare_instruction.hpp>
#include <tapeless/run/bare/bare_number.hpp>
#include <tapeless/run/bare/bare_sums.hpp>
#include <tapeless/run/bare/bare_wide.hpp>
#include <tapeless/run/common/order_of_sums.hpp>
#include <tapeless/run/common/registers.hpp>

namespace tapeless::bare_kernels {

namespace detail {

/// What stands for sums of which there is only one so far.
struct only_one {};

template <int Number, class Value>
struct sum_slot {
  Value sum;
};
template <int Number, class Value>
constexpr Value& sum_in(sum_slot<Number, Value>& slot) {
  return slot.sum;
}

}  // namespace detail

/// The elements of a kernel of this key (a pointer to it) and shape.
template <class Key, auto Shape, class Arithmetic>
struct bare_fused_elements : bare_fused_shape<Key, Shape, Arithmetic> {
  using base = bare_fused_shape<Key, Shape, Arithmetic>;
  using base::along, base::instruction_of, base::is_open, base::kept, base::last, base::load_of, base::nest,
      base::order, base::rank, base::sorted, base::store_of, base::stride_of, base::sums_up_one,
      base::type_of;
  using typename base::instruction_numbers, typename base::load_numbers, typename base::number,
      typename base::store_numbers;

  /// Where operands begin, and the number of a call.
  struct context {
    std::byte* const* operands;
    std::ptrdiff_t number;

    std::ptrdiff_t places() const { return is_open ? number : 0; }
    std::ptrdiff_t iteration() const { return is_open ? 0 : number; }
  };

  template <int Width>
  using lanes = typename Arithmetic::template lanes<number, Width>;
  template <int Width>
  using values = registers<bare_lanes<lanes<Width>>, typename base::loads, typename base::instructions,
                           load_numbers, instruction_numbers>;
  template <int Width, element Type>
  using value_in = typename bare_lanes<lanes<Width>>::template value<Type>;

  template <int Width, int Number>
  using slot = register_slot<Number, value_in<Width, type_of(Number)>>;

  // What a store sums up in.
  template <int Width, bool InParts, element Type>
  struct sum_for {
    using type = value_in<Width, Type>;
  };
  template <int Width, element Type>
  struct sum_for<Width, true, Type> {
    using type = bare_sum<number>;
  };
  template <int Width, bool InParts, class Numbers>
  struct sums_of;
  template <int Width, bool InParts, int... Number>
  struct sums_of<Width, InParts, std::integer_sequence<int, Number...>>
      : detail::sum_slot<Number, typename sum_for<Width, InParts, base::store_of(Number).type>::type>... {};
  template <int Width>
  using sums = sums_of<Width, along == detail::along_last::in_parts, store_numbers>;

  // In what follows i[k] is the place in loop order.axis[k], the first one of a vector.

  /// How many elements it is to there from an operand's first one.
  template <int Depth>
  [[gnu::always_inline]] static std::ptrdiff_t distance(const access& a, const std::ptrdiff_t* i) {
    return [&]<int... K>(std::integer_sequence<int, K...>) TAPELESS_INLINED {
      return (std::ptrdiff_t{} + ... + (i[K] * static_cast<std::ptrdiff_t>(a.strides[order.axis[K]])));
    }(std::make_integer_sequence<int, Depth>{});
  }
  template <class T, int Depth>
  [[gnu::always_inline]] static T* address(const context& c, const access& a, const std::ptrdiff_t* i) {
    return reinterpret_cast<T*>(c.operands[a.base]) +
           (static_cast<std::ptrdiff_t>(a.offset) + distance<Depth>(a, i));
  }

  template <int Width, class Sums, class... Part>
  [[gnu::always_inline]] static void compute(const context& c, const std::ptrdiff_t* here, Sums& s,
                                             Part... part) {
    values<Width> r;
    load_some<Width, 0>(c, here, r, load_numbers{});
    execute_and_store<Width>(c, here, r, s, instruction_numbers{}, store_numbers{}, part...);
  }

  template <int Width>
  [[gnu::always_inline]] static void load_fixed(const context& c, const std::ptrdiff_t* here,
                                                values<Width>& r) {
    load_some<Width, 0>(c, here, r, std::make_integer_sequence<int, sorted.fixed>{});
  }
  template <int Width>
  [[gnu::always_inline]] static void load_varying(const context& c, const std::ptrdiff_t* here,
                                                  values<Width>& r) {
    constexpr int varying = base::load_count - sorted.fixed;
    load_some<Width, sorted.fixed>(c, here, r, std::make_integer_sequence<int, varying>{});
  }
  template <int Width, int First, int... K>
  [[gnu::always_inline]] static void load_some([[maybe_unused]] const context& c,
                                               [[maybe_unused]] const std::ptrdiff_t* here,
                                               [[maybe_unused]] values<Width>& r,
                                               std::integer_sequence<int, K...>) {
    (load<Width, sorted.number[First + K]>(c, here, r), ...);
  }
  template <int Width, class Sums, int... InstructionNumber, int... StoreNumber, class... Part>
  [[gnu::always_inline]] static void execute_and_store(const context& c, const std::ptrdiff_t* here,
                                                       values<Width>& r, Sums& s,
                                                       std::integer_sequence<int, InstructionNumber...>,
                                                       std::integer_sequence<int, StoreNumber...>,
                                                       Part... part) {
    (execute<Width, InstructionNumber>(r), ...);
    (store<Width, StoreNumber>(c, here, r, s, part...), ...);
  }

  // Registers are reached without a function each: compilers would take a third longer for a kernel.
  template <int Width, int Number>
  [[gnu::always_inline]] static void execute(values<Width>& r) {
    constexpr product_in_sum p = base::part_of(Number);
    if constexpr (p.has_product) {
      static_cast<slot<Width, Number>&>(r).held = sum_with_product<p>(
          static_cast<slot<Width, p.a>&>(r).held, static_cast<slot<Width, p.b>&>(r).held,
          static_cast<slot<Width, p.other>&>(r).held,
          [](auto a, auto b, auto c) TAPELESS_INLINED { return Arithmetic::multiply_add(a, b, c); });
    } else if constexpr (!p.is_in_sum) {
      constexpr instruction_key key = instruction_of(Number);
      constexpr int b = key.count > 1 ? key.b : key.a, c = key.count > 2 ? key.c : key.a;
      detail::compute_bare<Arithmetic, !std::is_void_v<number>, key.code, key.count>(
          static_cast<slot<Width, Number>&>(r).held, static_cast<slot<Width, key.a>&>(r).held,
          static_cast<slot<Width, b>&>(r).held, static_cast<slot<Width, c>&>(r).held);
    }
  }

  template <int Width, int Number>
  [[gnu::always_inline]] static void load(const context& c, const std::ptrdiff_t* here, values<Width>& r) {
    static constexpr access a = nest.loads[Number];
    constexpr load_key key = load_of(Number);
    constexpr std::int64_t stride = stride_of(Number);
    using value = computed_as<key.type>;
    auto& to = static_cast<slot<Width, -1 - Number>&>(r).held;
    if constexpr (key.kind == lane::number) {
      to = everywhere<Width>(convert<value>(std::bit_cast<double>(nest.numbers[Number])));
    } else if constexpr (key.kind == lane::index) {
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(a.offset) +
                                   c.iteration() * static_cast<std::ptrdiff_t>(a.iteration_stride) +
                                   distance<rank>(a, here);
      if constexpr (Width == 1)
        to = static_cast<value>(first);
      else
        to = {counted<lanes<Width>, stride>(first, std::make_integer_sequence<int, Width>{})};
    } else {
      using stored = storage_of<key.type>;
      const stored* from = address<const stored, rank>(c, a, here);
      if constexpr (stride == 0 || Width == 1) {
        to = everywhere<Width>(static_cast<value>(*from));
      } else if constexpr (stride == 1 && std::is_same_v<stored, value>) {
        to = {lanes<Width>::load(from)};
      } else if constexpr (std::is_same_v<value, bool>) {
        for (int i = 0; i < Width; ++i) to.x[i] = -static_cast<int>(from[i * stride]);
      } else {
        [&]<int... Lane>(std::integer_sequence<int, Lane...>) TAPELESS_INLINED {
          to.x = typename lanes<Width>::held{static_cast<value>(from[Lane * stride])...};
        }(std::make_integer_sequence<int, Width>{});
      }
    }
  }
  template <int Width, class T>
  [[gnu::always_inline]] static auto everywhere(T x) {
    if constexpr (Width == 1) {
      return x;
    } else if constexpr (std::is_same_v<T, bool>) {
      return bare_conditions<lanes<Width>>{typename lanes<Width>::integers{} - static_cast<int>(x)};
    } else {
      return spread<lanes<Width>>(x);
    }
  }

  template <store_key Store>
  static constexpr bool sums_up = Store.reduction >= 0 && !nest.accumulates;

  template <int Width, int Number, class Sums, class... Part>
  [[gnu::always_inline]] static void store(const context& c, const std::ptrdiff_t* here, values<Width>& r,
                                           Sums& s, Part... part) {
    constexpr store_key key = store_of(Number);
    using value = value_in<Width, key.type>;
    const auto x = static_cast<value>(static_cast<slot<Width, key.source>&>(r).held);
    if constexpr (sums_up<key>) {
      auto& sum = detail::sum_in<Number>(s);
      if constexpr (along == detail::along_last::in_parts) {
        sum.template add<reduction_operation_at<key.reduction>>(x, part...);
      } else if constexpr (sums_up_one || sizeof...(Part) > 0) {
        sum = x;
      } else {
        sum = combine<key>(sum, x);
      }
    } else {
      using stored = storage_of<key.type>;
      stored* const to = address<stored, rank>(c, nest.stores[Number], here);
      if constexpr (key.reduction < 0) {
        put<Width>(to, x);
      } else {
        put<Width>(to, combine<key>(got<Width, value>(to), x));
      }
    }
  }
  template <int Width, class Stored, class Value>
  [[gnu::always_inline]] static void put(Stored* to, Value x) {
    if constexpr (Width == 1) {
      *to = static_cast<Stored>(x);
    } else if constexpr (std::is_same_v<Stored, number> || std::is_same_v<Stored, bool>) {
      lanes<Width>::store(to, x.x);
    } else {
      for (int i = 0; i < Width; ++i) to[i] = static_cast<Stored>(x.x[i]);
    }
  }
  template <int Width, class Value, class Stored>
  [[gnu::always_inline]] static Value got(const Stored* from) {
    if constexpr (Width == 1) {
      return static_cast<Value>(*from);
    } else if constexpr (std::is_same_v<Stored, number>) {
      return {lanes<Width>::load(from)};
    } else {
      Value x;
      for (int i = 0; i < Width; ++i) x.x[i] = static_cast<number>(from[i]);
      return x;
    }
  }

  template <store_key Store, class Value>
  static Value combine(Value a, Value b) {
    return static_cast<Value>(reduction_operation_at<Store.reduction>::combine(a, b));
  }

  template <class Sums, int... Number>
  [[gnu::always_inline]] static void begin_sums(Sums& s, std::integer_sequence<int, Number...>) {
    (begin_sum<Number>(detail::sum_in<Number>(s)), ...);
  }
  template <int Number, class Sum>
  [[gnu::always_inline]] static void begin_sum(Sum& sum) {
    constexpr store_key key = store_of(Number);
    if constexpr (sums_up<key>) {
      using reduction = reduction_operation_at<key.reduction>;
      constexpr auto identity = Arithmetic::sums_as_tables
                                    ? neutral_number<reduction, computed_as<key.type>>()
                                    : reduction::template identity<computed_as<key.type>>;
      if constexpr (along == detail::along_last::in_parts) {
        sum.begin(identity);
      } else if constexpr (std::is_arithmetic_v<Sum>) {
        sum = identity;
      } else {
        sum = everywhere<static_cast<int>(sizeof(Sum) / sizeof(identity))>(identity);
      }
    }
  }
  template <int Width, int... Number>
  [[gnu::always_inline]] static void end_sums(const context& c, const std::ptrdiff_t* here, sums<Width>& s,
                                              std::integer_sequence<int, Number...>) {
    (end_sum<Width, Number>(c, here, detail::sum_in<Number>(s)), ...);
  }
  template <int Width, int Number, class Sum>
  [[gnu::always_inline]] static void end_sum(const context& c, const std::ptrdiff_t* here, const Sum& sum) {
    constexpr store_key key = store_of(Number);
    if constexpr (sums_up<key>) {
      using stored = storage_of<key.type>;
      stored* const to = address<stored, kept>(c, nest.stores[Number], here);
      if constexpr (along == detail::along_last::in_parts) {
        *to = static_cast<stored>(sum.template total<reduction_operation_at<key.reduction>>());
      } else {
        put<Width>(to, sum);
      }
    }
  }

  // Calls f with each store that sums up.
  template <class F>
  [[gnu::always_inline]] static void for_each_sum(const F& f) {
    [&]<int... Number>(std::integer_sequence<int, Number...>)
        TAPELESS_INLINED { (for_sum<Number>(f), ...); }(store_numbers{});
  }
  template <int Number, class F>
  [[gnu::always_inline]] static void for_sum(const F& f) {
    constexpr store_key key = store_of(Number);
    if constexpr (sums_up<key>) f.template operator()<key, Number>();
  }
};

}  // namespace tapeless::bare_kernels
