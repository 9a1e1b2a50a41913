// SPDX-License-Identifier: BSL-1.0
// Fused kernels: element-by-element operations, and reductions of their results, in one
// pass over memory. One instantiation for each kernel key.
#pragma once

#include <algorithm>
#include <cstddef>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/common/kernel_parts.hpp>
#include <tapeless/run/common/launch_arguments.hpp>
#include <tapeless/run/common/products_in_sums.hpp>
#include <tapeless/run/cpu/fused/kernel_accumulators.hpp>
#include <tapeless/run/cpu/fused/kernel_loops.hpp>
#include <tapeless/run/cpu/fused/kernel_operands.hpp>
#include <tapeless/run/cpu/fused/tail.hpp>

namespace tapeless::cpu_kernels {

template <class KernelKey>
struct fused_kernel : kernel_parts<KernelKey> {
  using parts = kernel_parts<KernelKey>;
  using parts::load_count, parts::load_of, parts::instruction_of, parts::store_of;
  using typename parts::number, typename parts::load_numbers, typename parts::instruction_numbers,
      typename parts::store_numbers;
  static constexpr bool is_wide = !std::is_void_v<number>;
  using lanes = typename std::conditional_t<is_wide, std::type_identity<wide_lanes<number>>,
                                            std::type_identity<narrow_lanes>>::type;
  static constexpr int operand_count = load_count + parts::store_count;
  static constexpr bool has_indices = [] {
    for (int k = 0; k < load_count; ++k)
      if (load_of(k).kind == lane::index) return true;
    return false;
  }();
  using valid = valid_lanes<number>;
  using iteration = registers<lanes, typename parts::loads, typename parts::instructions, load_numbers,
                              instruction_numbers>;
  using accumulators = kernel_accumulators<lanes, typename accumulated<typename parts::stores>::type,
                                           parts::innermost_reduced, store_numbers>;

  static void run(const fused_kernel_arguments& arguments) {
    static constexpr kernel_functions functions = functions_of_kernel();
    operand_place place[operand_count + 1], tile[operand_count + 1], packed[operand_count + 1];
    operand_step step[operand_count + 1], packed_step[operand_count + 1];
    accumulators sums;
    if constexpr (!accumulators::reduces)
      if (arguments.rank <= 1) {  // most have no other loop than the innermost one
        const kernel_rows row{.count = start_row(arguments, operand_count, place)};
        return row.count == 0 ? void() : run_rows(arguments, place, nullptr, row, sums);
      }
    run_loops(arguments, functions, place, tile, step, {packed, packed_step}, sums);
  }

 private:
  static constexpr kernel_functions functions_of_kernel() {
    kernel_functions f{.operand_count = operand_count, .first_store = load_count, .run_rows = &run_rows};
    accumulators::set(f);
    return f;
  }

  static constexpr product_in_sum part_of([[maybe_unused]] int number) {
    if constexpr (is_wide && has_multiply_add)
      return products_in_sums<KernelKey>[static_cast<std::size_t>(number)];
    return product_in_sum{};
  }
  // Where a register is: its type is known, and need not be found among all of them.
  template <int Number>
  using slot = register_slot<Number, typename lanes::template value<parts::type_of(Number)>>;
  template <int Number>
  [[gnu::always_inline]] static void execute_instruction(iteration& r) {
    constexpr product_in_sum p = part_of(Number);
    auto& result = static_cast<slot<Number>&>(r).held;
    if constexpr (p.has_product) {
      result =
          sum_with_product<p>(static_cast<slot<p.a>&>(r).held, static_cast<slot<p.b>&>(r).held,
                              static_cast<slot<p.other>&>(r).held,
                              [](auto a, auto b, auto c) TAPELESS_INLINED { return multiply_add(a, b, c); });
    } else if constexpr (!p.is_in_sum) {
      constexpr instruction_key key = instruction_of(Number);
      constexpr int b = key.count > 1 ? key.b : key.a, c = key.count > 2 ? key.c : key.a;
      compute<key.code, key.count>(result, static_cast<slot<key.a>&>(r).held, static_cast<slot<b>&>(r).held,
                                   static_cast<slot<c>&>(r).held);
    }
  }

  // Iterations of the innermost loop from number `start` on; in each, the first `lanes_used` lanes hold
  // elements.
  template <class Lanes, int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  [[gnu::always_inline]] static void run_iterations(const fused_kernel_arguments& arguments,
                                                    const operand_place* place, std::int64_t start,
                                                    std::int64_t count, std::int64_t lanes_used,
                                                    const Lanes valid_now, bool first, accumulators& sums,
                                                    std::integer_sequence<int, LoadNumber...>,
                                                    std::integer_sequence<int, InstructionNumber...>,
                                                    std::integer_sequence<int, StoreNumber...>) {
    iteration r;
    (detail::load_before<load_of(LoadNumber).kind, load_of(LoadNumber).type>(
         arguments.operands[LoadNumber], place[LoadNumber], static_cast<slot<-1 - LoadNumber>&>(r).held),
     ...);
    // In registers: what is stored could be a place in memory, which would be read again for each vector.
    std::byte* const data[] = {place[LoadNumber].data..., place[load_count + StoreNumber].data...};
    for (std::int64_t t = start, last = start + count; t < last;) {
      const std::int64_t begin = t;
      const std::int64_t end = accumulators::adds_up ? std::min(last, t + sums.filled.room()) : last;
      typename accumulators::running now;
      if constexpr (accumulators::adds_up) now = sums.in_registers();
      for (; t < end; ++t) {
        const std::int64_t i = t * lanes::width;
        (detail::load_each<load_of(LoadNumber).kind, load_of(LoadNumber).type>(
             data[LoadNumber], place[LoadNumber], i, valid_now, static_cast<slot<-1 - LoadNumber>&>(r).held),
         ...);
        (execute_instruction<InstructionNumber>(r), ...);
        (detail::store_each<keeps_elements(StoreNumber), store_of(StoreNumber).kind,
                            store_of(StoreNumber).type, store_of(StoreNumber).reduction>(
             data[load_count + StoreNumber], place[load_count + StoreNumber], i, valid_now, first,
             static_cast<slot<store_of(StoreNumber).source>&>(r).held),
         ...);
        if constexpr (accumulators::adds_up)
          (accumulators::template add<as_accumulated(store_of(StoreNumber)), StoreNumber>(
               now, static_cast<slot<store_of(StoreNumber).source>&>(r).held, lanes_used),
           ...);
      }
      if constexpr (accumulators::adds_up) {
        sums.put_back(now);
        sums.next(static_cast<int>(end - begin), 0);
      }
    }
  }

  // Row after row. Where the innermost loop reduces, each row is a result, unless there are accumulators for
  // more of them.
  [[gnu::noinline]] static void run_rows(const fused_kernel_arguments& arguments, operand_place* place,
                                         const operand_step* step, const kernel_rows& run,
                                         kernel_sums& all_sums) {
    if constexpr (accumulators::adds_up && masks_all)
      if (run.count <= lanes::width && !run.in_accumulators)
        return run_short_rows(arguments, place, step, run, load_numbers{}, instruction_numbers{},
                              store_numbers{});
    accumulators& sums = accumulators::own(all_sums);
    bool first = run.first;
    for (std::int64_t row = 1;; ++row) {
      if constexpr (accumulators::reduces_rows)
        if (run.in_accumulators) first = sums.filled.first_is_empty();
      if constexpr (accumulators::adds_up)
        if (!run.in_accumulators) sums.begin();
      innermost(arguments, place, run.count, first, sums);
      if constexpr (accumulators::adds_up)
        if (!run.in_accumulators) sums.finish(place + load_count, 0, 0, first);
      if constexpr (accumulators::reduces_rows)
        if (run.in_accumulators) sums.next(1, run.count);
      if (row == run.rows) return;
      first = first && !run.are_one_result;
      for (int k = 0; k < operand_count; ++k) {
        place[k].data += step[k].bytes;
        if constexpr (has_indices) place[k].index += step[k].index;
      }
    }
  }

  // The same for sums of rows that are one iteration each: lanes alone are left to be added up, and operands
  // stay in registers. Kernels without sums gain too little for being compiled twice.
  template <int... LoadNumber, int... InstructionNumber, int... StoreNumber>
  static void run_short_rows(const fused_kernel_arguments& arguments, operand_place* place,
                             const operand_step* step, const kernel_rows& run,
                             std::integer_sequence<int, LoadNumber...>,
                             std::integer_sequence<int, InstructionNumber...>,
                             std::integer_sequence<int, StoreNumber...>) {
    const valid valid_now(run.count);
    operand_place now[] = {place[LoadNumber]..., place[load_count + StoreNumber]...};
    const auto step_of = [&](int k) { return run.rows == 1 ? 0 : step[k].bytes; };
    const std::int64_t bytes[] = {step_of(LoadNumber)..., step_of(load_count + StoreNumber)...};
    bool first = run.first;
    for (std::int64_t row = 1;; ++row) {
      iteration r;
      (detail::load_before<load_of(LoadNumber).kind, load_of(LoadNumber).type>(
           arguments.operands[LoadNumber], now[LoadNumber], static_cast<slot<-1 - LoadNumber>&>(r).held),
       ...);
      (detail::load_each<load_of(LoadNumber).kind, load_of(LoadNumber).type>(
           now[LoadNumber].data, now[LoadNumber], 0, valid_now, static_cast<slot<-1 - LoadNumber>&>(r).held),
       ...);
      (execute_instruction<InstructionNumber>(r), ...);
      (detail::store_each<keeps_elements(StoreNumber), store_of(StoreNumber).kind, store_of(StoreNumber).type,
                          store_of(StoreNumber).reduction>(
           now[load_count + StoreNumber].data, now[load_count + StoreNumber], 0, valid_now, first,
           static_cast<slot<store_of(StoreNumber).source>&>(r).held),
       ...);
      (accumulators::template finish_row<as_accumulated(store_of(StoreNumber))>(
           now[load_count + StoreNumber], static_cast<slot<store_of(StoreNumber).source>&>(r).held, run.count,
           first),
       ...);
      if (row == run.rows) break;
      first = first && !run.are_one_result;
      ((now[LoadNumber].data += bytes[LoadNumber]), ...);
      if constexpr (has_indices) ((now[LoadNumber].index += step[LoadNumber].index), ...);
      ((now[load_count + StoreNumber].data += bytes[load_count + StoreNumber]), ...);
    }
    ((place[LoadNumber].data = now[LoadNumber].data), ...);
    if constexpr (has_indices) ((place[LoadNumber].index = now[LoadNumber].index), ...);
    ((place[load_count + StoreNumber].data = now[load_count + StoreNumber].data), ...);
  }

  // Iterations of whole vectors, and one of the elements that do not fill one, so that no iteration has to
  // look at how many there are. Where the latter is copied to whole vectors, one call serves both, so that it
  // is compiled once.
  [[gnu::always_inline]] static void innermost(const fused_kernel_arguments& arguments,
                                               const operand_place* place, std::int64_t count, bool first,
                                               accumulators& sums) {
    const std::int64_t full = count / lanes::width, rest = count % lanes::width;
    const auto run = [&](const operand_place* at, std::int64_t start, std::int64_t iterations,
                         std::int64_t lanes_used, auto valid_now) TAPELESS_INLINED {
      run_iterations(arguments, at, start, iterations, lanes_used, valid_now, first, sums, load_numbers{},
                     instruction_numbers{}, store_numbers{});
    };
    if constexpr (!is_wide) {
      run(place, 0, count, 1, valid(1));
    } else if constexpr (masks_all) {
      if (full > 0) run(place, 0, full, lanes::width, all_lanes<number>());
      if (rest > 0) run(place, full, 1, rest, valid(rest));
    } else {
      alignas(lanes::width * sizeof(number)) std::byte tail[operand_count + 1][lanes::width * sizeof(number)];
      operand_place in_tail[operand_count + 1];
      const operand_place* now = place;
      for (bool is_rest = full == 0;; is_rest = true) {
        if (is_rest) {
          if (rest == 0) return;
          enter_tail(tails, place, full * lanes::width, rest, tail[0], sizeof(tail[0]), in_tail);
          now = in_tail;
        }
        const std::int64_t lanes_used = is_rest ? rest : lanes::width;
        run(now, 0, is_rest ? 1 : full, lanes_used, valid(lanes_used));
        if (is_rest)
          return leave_tail(tails, place, load_count, full * lanes::width, rest, sizeof(tail[0]), in_tail);
      }
    }
  }

  // Whether all that an iteration reads and writes can be masked.
  static constexpr bool is_masked(lane kind, element type) {
    return kind == lane::number || kind == lane::broadcast ||
           (kind == lane::contiguous &&
            type == (std::is_same_v<number, float> ? element::f32 : element::f64));
  }
  static constexpr bool keeps_elements(int store) { return accumulators::keeps_elements(store_of(store)); }
  static constexpr bool masks_all = [] {
    bool all = masks_memory<number>;
    for (int k = 0; k < load_count; ++k) all = all && is_masked(load_of(k).kind, load_of(k).type);
    for (int k = 0; k < parts::store_count; ++k)
      all = all && (!keeps_elements(k) || is_masked(store_of(k).kind, store_of(k).type));
    return all;
  }();

  // Of each operand in memory; 0 for others.
  struct operand_sizes {
    std::int64_t of[operand_count + 1];
  };
  template <int... LoadNumber, int... StoreNumber>
  static constexpr operand_sizes element_sizes(std::integer_sequence<int, LoadNumber...>,
                                               std::integer_sequence<int, StoreNumber...>) {
    const auto in_memory = [](lane kind) { return kind == lane::contiguous || kind == lane::strided; };
    return {{(in_memory(load_of(LoadNumber).kind)
                  ? static_cast<std::int64_t>(sizeof(storage_of<load_of(LoadNumber).type>))
                  : 0)...,
             (keeps_elements(StoreNumber)
                  ? static_cast<std::int64_t>(sizeof(
                        detail::target_of<store_of(StoreNumber).type, store_of(StoreNumber).reduction>))
                  : 0)...,
             0}};
  }
  static constexpr operand_sizes sizes = element_sizes(load_numbers{}, store_numbers{});
  // A result is read where it is added to.
  static constexpr tail_sizes tails{sizes.of, operand_count,
                                    accumulators::reduces_rows ? operand_count : load_count};
};

}  // namespace tapeless::cpu_kernels
