// SPDX-License-Identifier: BSL-1.0
// The kernel family of fused reductions: what reduces over some axes, and may store elements on the
// way. The reduced elements of a result are shared out among the threads of a team.
#pragma once

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

/// The same for neighbouring results.
template <class Partial, int Count>
struct neighbouring_results {
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
  std::int64_t parts = 1;
  partial* partials = nullptr;  // where there is more than one part

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
  constexpr void write(std::uint32_t item, const partial& sum) const {
    typename Body::place p;
    p.move(operands, kept, 0, item);
    if constexpr (Results == 1) {
      sum.template write<Body>(operands, p);
    } else {
      for (const result& r : sum.items) {
        r.template write<Body>(operands, p);
        p.move_to_neighbour(operands);
      }
    }
  }

 private:
  template <int Width>
  constexpr void add_neighbours(std::uint32_t item, int share, int shares, partial& sum) const {
    typename Body::place start;
    const auto results = static_cast<std::uint32_t>(kept.count);
    const std::uint32_t part = parts == 1 ? 0 : item / results;
    start.move(operands, kept, 0, item - part * results);
    const std::int64_t size = (reduced.count + parts - 1) / parts, begin = part * size;
    const std::int64_t end = begin + size < reduced.count ? begin + size : reduced.count;
    for (std::int64_t i = begin + share; i < end; i += shares) {
      typename Body::place p = start;
      p.move(operands, reduced, kept.rank, static_cast<std::uint32_t>(i));
      int n = 0;
      Body::template compute_neighbours<Width>(operands, p, [&](typename Body::values& r) {
        if constexpr (Results == 1) {
          sum.add(r);
        } else {
          sum.items[n++].add(r);
        }
      });
    }
  }
};

/// Puts a result's parts together.
template <class Reduce>
struct join_kernel {
  using partial = typename Reduce::partial;
  Reduce of;

  constexpr void add(std::uint32_t item, int share, int shares, partial& sum) const {
    for (std::int64_t part = share; part < of.parts; part += shares)
      sum.combine(of.partials[part * of.kept.count + item]);
  }
  constexpr void finish(std::uint32_t item, const partial& sum) const { of.write(item, sum); }
};

/// Teams are at most that large, and so many results may be in parts at one time.
inline constexpr int largest_team = 256;
inline constexpr std::int64_t most_teams = 1024;

/// Memory for the parts: 64 bytes for each of the 32 results of that many teams.
inline constexpr std::int64_t workspace_bytes = most_teams * 32 * 64;

/// Runs a reduction on an executor.
template <class Body>
class reduce {
 public:
  template <class Executor>
  static void run(const fused_kernel_arguments& arguments, Executor& executor) {
    in_launches(arguments, {&start<Executor>, &executor});
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

  // The innermost loop goes on by `width` neighbours.
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

  template <int Results, class Executor>
  static void start(reduce_kernel<Body, Results> kernel, const kernel_piece& piece, Executor& executor) {
    using kernel_type = reduce_kernel<Body, Results>;
    if (kernel.kept.count == 0) return;
    std::int64_t elements = 1;
    for (int d = 0; d < piece.arguments.rank; ++d)
      if ((piece.arguments.reduced >> d & 1u) != 0) elements *= piece.extents[d];
    const int across = Body::innermost_reduced ? 1 : neighbours_of(kernel.kept.count);
    const std::int64_t teams = (kernel.kept.count + across - 1) / across, shares = largest_team / across;
    if (elements <= 8) return executor.by_threads(kernel.kept.count, kernel);
    if constexpr (Body::innermost_reduced) {
      if (elements <= 1024 && teams > 1) return executor.by_warps(kernel.kept.count, kernel);
    }
    constexpr auto size = static_cast<std::int64_t>(sizeof(typename kernel_type::partial));
    const std::int64_t iterations = kernel.reduced.count;
    if (teams < most_teams / 4 && iterations >= 16 * shares)
      kernel.parts = std::max<std::int64_t>(std::min({most_teams / teams, iterations / (8 * shares),
                                                      workspace_bytes / (size * kernel.kept.count)}),
                                            1);  // where there is no memory for more
    if (kernel.parts == 1) return by_large_teams(kernel.kept.count, across, kernel, executor);
    kernel.partials = executor.template workspace<typename kernel_type::partial>();
    by_large_teams(kernel.kept.count * kernel.parts, across, kernel, executor);
    executor.by_warps(kernel.kept.count, join_kernel<kernel_type>{kernel});
  }

  template <class Kernel, class Executor>
  static void by_large_teams(std::int64_t count, int across, const Kernel& kernel, Executor& executor) {
    if constexpr (Body::innermost_reduced) {
      executor.by_blocks(count, kernel);
    } else {
      executor.by_tiles(count, across, kernel);
    }
  }

  // So many neighbouring results are reduced by one team, where their elements are neighbours, too.
  static int neighbours_of(std::int64_t count) {
    int n = 1;
    while (n < 32 && n < count) n *= 2;
    return n;
  }
};

}  // namespace tapeless::thrust_kernels
