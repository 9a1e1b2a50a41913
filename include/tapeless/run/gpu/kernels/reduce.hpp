// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused reductions: what reduces over some axes, and may store elements on the
// way. The reduced elements of a result are shared out among the threads of a team, or in parts among several
// teams, of which the last one puts the parts together, in their order.
#pragma once

#include <tapeless/run/gpu/kernels/atomics.hpp>
#include <tapeless/run/gpu/kernels/kernel_body.hpp>
#include <tapeless/run/gpu/kernels/pieces.hpp>

namespace tapeless::thrust_kernels {

struct nothing_to_reduce {};

/// What a thread has reduced so far, for each store that reduces.
template <class Stores, class StoreNumbers>
struct partial_results;
template <store_key... S, int... StoreNumber>
struct partial_results<store_keys<S...>, std::integer_sequence<int, StoreNumber...>>
    : register_slot<StoreNumber,
                    typename std::conditional_t<(S.reduction >= 0), std::type_identity<computed_as<S.type>>,
                                                std::type_identity<nothing_to_reduce>>::type>... {
  constexpr void begin() { (begin_one<S, StoreNumber>(), ...); }

  /// Adds what an element has computed.
  template <class Values>
  constexpr void add(Values& r) {
    (add_one<S, StoreNumber>(held<S.source>(r)), ...);
  }
  constexpr void combine(const partial_results& other) {
    (add_one<S, StoreNumber>(held<StoreNumber>(other)), ...);
  }
  template <class Body>
  constexpr void write(const typename Body::operands& o, const typename Body::place& p) const {
    (write_one<Body, S, StoreNumber>(o, p), ...);
  }

 private:
  template <store_key Key, int Number>
  constexpr void begin_one() {
    using value = computed_as<Key.type>;
    if constexpr (Key.reduction >= 0)
      held<Number>(*this) =
          static_cast<value>(reduction_operation_at<Key.reduction>::template identity<value>);
  }
  template <store_key Key, int Number, class Value>
  constexpr void add_one(const Value& x) {
    if constexpr (Key.reduction >= 0) {
      using value = computed_as<Key.type>;
      value& sum = held<Number>(*this);
      sum = static_cast<value>(reduction_operation_at<Key.reduction>::combine(sum, static_cast<value>(x)));
    }
  }
  template <class Body, store_key Key, int Number>
  constexpr void write_one(const typename Body::operands& o, const typename Body::place& p) const {
    if constexpr (Key.reduction >= 0) {
      using stored = storage_of<Key.type>;
      constexpr int k = Body::load_count + Number;
      static_cast<stored*>(static_cast<void*>(o.data[k]))[p.at[k]] = static_cast<stored>(held<Number>(*this));
    }
  }
};

/// The same for neighbouring results, which are loaded and stored 16 bytes at a time.
template <class Partial, int Count>
struct alignas(sizeof(Partial) * Count % 16 == 0 ? 16 : alignof(Partial)) neighbouring_results {
  Partial items[Count];

  constexpr void begin() {
    for (Partial& p : items) p.begin();
  }
  constexpr void combine(const neighbouring_results& other) {
    for (int n = 0; n < Count; ++n) items[n].combine(other.items[n]);
  }
};

/// The work of a result, or of so many neighbours, in parts: item i is part i / kept of result i % kept.
template <class Body, int Results = 1>
struct reduce_kernel {
  using result = partial_results<typename Body::stores, typename Body::store_numbers>;
  using partial = std::conditional_t<Results == 1, result, neighbouring_results<result, Results>>;

  typename Body::operands operands;  // their axes: those that are kept, then those that are reduced
  index_space kept, reduced;         // of the latter, as many neighbours at a time as fit into 16 bytes
  bool is_wide = false;              // if they do so everywhere; else the elements
  std::uint32_t parts = 1;
  partial* partials = nullptr;       // where there is more than one part
  std::uint32_t* arrived = nullptr;  // of each result, or team of results, how many parts are done

  /// Every `shares`-th of the item, from the one number `share` on.
  constexpr void add(std::uint32_t item, int share, int shares, partial& sum) const {
    if constexpr (Body::innermost_reduced) {
      if (is_wide) return add_neighbours<Body::unreduced.widest>(item, share, shares, sum);
    }
    add_neighbours<Results>(item, share, shares, sum);
  }
  constexpr void finish(std::uint32_t item, const partial& sum) const {
    if (parts > 1) {
      partials[item] = sum;
    } else {
      write(item, sum);
    }
  }

  constexpr std::uint32_t* arrived_of(std::uint32_t item) const { return arrived + result_of(item); }
  /// Every `shares`-th part of the item's result, from the one number `share` on.
  constexpr void add_parts(std::uint32_t item, int share, int shares, partial& sum) const {
    const partial* const of_result = partials + result_of(item);
    const int count = number_of_places(share, parts, shares);
#ifdef __CUDA_ARCH__
#pragma unroll 8
#endif
    for (int n = 0; n < count; ++n) {
      const partial part = of_result[(share + std::int64_t{n} * shares) * kept.count];  // 16 bytes at a time
      sum.combine(part);
    }
  }
  constexpr void finish_parts(std::uint32_t item, const partial& sum) const { write(result_of(item), sum); }

 private:
  constexpr std::uint32_t result_of(std::uint32_t item) const {
    return parts == 1 ? item : item % static_cast<std::uint32_t>(kept.count);
  }
  constexpr void write(std::uint32_t number, const partial& sum) const {
    typename Body::place p;
    p.move(operands, kept, 0, number);
    if constexpr (Results == 1) {
      sum.template write<Body>(operands, p);
    } else {
      for (const result& r : sum.items) {
        r.template write<Body>(operands, p);
        p.move_to_neighbour(operands);
      }
    }
  }

  template <int Width>
  constexpr void add_neighbours(std::uint32_t item, int share, int shares, partial& sum) const {
    typename Body::place start;
    const auto results = static_cast<std::uint32_t>(kept.count);
    const std::uint32_t part = parts == 1 ? 0 : item / results;
    start.move(operands, kept, 0, item - part * results);
    const std::int64_t size = (reduced.count + parts - 1) / parts, begin = part * size;
    const std::int64_t end = begin + size < reduced.count ? begin + size : reduced.count;
    constexpr int neighbours = Body::innermost_reduced ? Width : 0;
    if (reduced.rank == 1) {
      for_each_place<4>(begin + share, end, shares, [&](std::uint32_t i) {
        typename Body::place p = start;
        p.template move_along<neighbours>(operands, kept.rank, i);
        add_at<Width>(p, sum);
      });
    } else {
      for_each_place<1>(begin + share, end, shares, [&](std::uint32_t i) {
        typename Body::place p = start;
        p.template move<neighbours>(operands, reduced, kept.rank, i);
        add_at<Width>(p, sum);
      });
    }
  }
  // By the number of places, so that compilers let the loads of several be under way at a time.
  template <int AtATime, class See>
  static constexpr void for_each_place(std::int64_t begin, std::int64_t end, int step, const See& see) {
    const int count = number_of_places(begin, end, step);
#ifdef __CUDA_ARCH__
#pragma unroll AtATime
#endif
    for (int n = 0; n < count; ++n) see(static_cast<std::uint32_t>(begin + std::int64_t{n} * step));
  }
  static constexpr int number_of_places(std::int64_t begin, std::int64_t end, int step) {
    if (begin >= end) return 0;
    return static_cast<int>(static_cast<std::uint32_t>(end - begin - 1) / static_cast<std::uint32_t>(step) +
                            1);
  }
  template <int Width>
  constexpr void add_at(const typename Body::place& p, partial& sum) const {
    int n = 0;
    Body::template compute_neighbours<Width>(operands, p, [&](typename Body::values& r) {
      if constexpr (Results == 1) {
        sum.add(r);
      } else {
        sum.items[n++].add(r);
      }
    });
  }
};

/// Teams are at most that large.
inline constexpr int largest_team = 256;

/// Results of fewer teams than these are reduced in parts, by at most as many as a large GPU has room for at
/// a time, so that none waits for another.
inline constexpr std::int64_t enough_teams = 256, most_teams_at_once = 512;

/// Memory for the parts: 128 bytes for each of the 32 results of that many teams.
inline constexpr std::int64_t workspace_bytes = most_teams_at_once * 32 * 128;

/// So many results may be in parts at one time.
inline constexpr std::int64_t most_in_parts = enough_teams * 32;

/// A kernel with results that may be in parts.
template <class Kernel>
concept in_parts = requires(const Kernel& kernel) { kernel.arrived_of(0); };

/// Runs a reduction on an executor.
template <class Body>
class reduce {
 public:
  template <class Executor>
  static void run(const fused_kernel_arguments& arguments, Executor& executor) {
    in_launches(arguments, {&start<Executor>, &executor});
  }

  /// The kernel whose innermost loop goes on by `width` neighbours.
  template <int Results>
  static reduce_kernel<Body, Results> make(const kernel_piece& piece, int width) {
    const fused_kernel_arguments& arguments = piece.arguments;
    reduce_kernel<Body, Results> kernel{typename Body::operands(piece, width), {}, {}, width > 1};
    int axis = 0;
    for (const bool reduced : {false, true})
      for (int d = 0; d < arguments.rank; ++d) {
        if (((arguments.reduced >> d & 1u) != 0) != reduced) continue;
        const int neighbours = d + 1 == arguments.rank ? width : 1;
        (reduced ? kernel.reduced : kernel.kept).add_axis(piece.extents[d] / neighbours);
        for (int k = 0; k < Body::count; ++k)
          kernel.operands.strides[k][axis] = arguments.operands[k].strides[d] * neighbours;
        ++axis;
      }
    return kernel;
  }

  /// In how many parts to reduce the kernel's results, by so many teams whose members take `shares` shares
  /// each, where the parts have so much memory.
  template <class Kernel>
  static std::uint32_t parts_of(const Kernel& kernel, std::int64_t teams, std::int64_t shares,
                                std::int64_t bytes) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(typename Kernel::partial));
    const std::int64_t iterations = kernel.reduced.count;
    if (teams >= enough_teams || iterations < 16 * shares) return 1;
    const std::int64_t parts =
        std::min({most_teams_at_once / teams, iterations / (8 * shares), bytes / (size * kernel.kept.count)});
    return static_cast<std::uint32_t>(std::max<std::int64_t>(parts, 1));  // where there is no memory for more
  }

 private:
  // Of columns of 16 bits, neighbouring ones at a time: others are long enough for what a GPU reads at once.
  static constexpr bool has_neighbouring_results =
      !Body::innermost_reduced && Body::unreduced.widest >= 8 &&
      largest_team * sizeof(typename reduce_kernel<Body, Body::unreduced.widest>::partial) <= 32 << 10;

  template <class Executor>
  static void start(const kernel_piece& piece, void* on) {
    auto& executor = *static_cast<Executor*>(on);
    const bool is_wide = fits(piece, Body::unreduced.widest, Body::unreduced.is_contiguous);
    if constexpr (has_neighbouring_results) {
      if (is_wide) return start(make<Body::unreduced.widest>(piece, Body::unreduced.widest), piece, executor);
    }
    start(make<1>(piece, Body::innermost_reduced && is_wide ? Body::unreduced.widest : 1), piece, executor);
  }

  template <int Results, class Executor>
  static void start(reduce_kernel<Body, Results> kernel, const kernel_piece& piece, Executor& executor) {
    if (kernel.kept.count == 0) return;
    const std::int64_t elements = reduced_elements(piece);
    if (elements <= 8) return executor.by_threads(kernel.kept.count, kernel);
    const int across = Body::innermost_reduced ? 1 : neighbours_of(kernel.kept.count);
    const std::int64_t teams = (kernel.kept.count + across - 1) / across;
    if constexpr (Body::innermost_reduced) {
      if (elements <= 1024 && teams > 1) return executor.by_warps(kernel.kept.count, kernel);
    }
    kernel.parts = parts_of(kernel, teams, largest_team / across, workspace_bytes);
    kernel.partials = executor.template workspace<typename reduce_kernel<Body, Results>::partial>();
    kernel.arrived = executor.arrived();
    if constexpr (Body::innermost_reduced) {
      executor.by_blocks(kernel.kept.count * kernel.parts, kernel);
    } else {
      executor.by_tiles(kernel.kept.count, across, kernel.parts, kernel);
    }
  }

  static std::int64_t reduced_elements(const kernel_piece& piece) {
    std::int64_t elements = 1;
    for (int d = 0; d < piece.arguments.rank; ++d)
      if ((piece.arguments.reduced >> d & 1u) != 0) elements *= piece.extents[d];
    return elements;
  }

  // So many neighbouring results are reduced by one team, where their elements are neighbours, too.
  static int neighbours_of(std::int64_t count) {
    int n = 1;
    while (n < 32 && n < count) n *= 2;
    return n;
  }
};

}  // namespace tapeless::thrust_kernels
