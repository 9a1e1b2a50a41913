// SPDX-License-Identifier: BSL-1.0
// Splits a fused kernel or a product over threads, by what it computes and never along what it adds up: each
// element gets the same bits whatever the parts are.
#pragma once

#include <array>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/cpu/product/product_kernel.hpp>
#include <tapeless/run/cpu/threads/thread_team.hpp>
#include <tapeless/run/cpu/threads/work_estimates.hpp>

namespace tapeless::cpu_kernels {

inline constexpr int most_operands = 80;
/// Within a fused kernel's innermost axis whole cache lines stay together.
inline constexpr std::int64_t neighbours_together = 64;

/// What a kernel is split by, and in how many parts.
struct axis_split {
  int axis = -1;  // -1: not at all
  std::int64_t items = 1, grain = 1;
  int parts = 1;
};

/// The axis to split a fused kernel along for so many threads: the outermost of those that keep all of them
/// busy, or the one that keeps most, of the axes whose iterations write to different elements.
constexpr axis_split axis_to_split(const fused_kernel_arguments& arguments, int threads) {
  axis_split best;
  double most = 1.0 / threads;
  for (int d = 0; d < arguments.rank && most < 0.9; ++d) {
    if (((arguments.reduced | arguments.ordered) >> d & 1u) != 0) continue;
    const std::int64_t grain = d == arguments.rank - 1 ? neighbours_together : 1,
                       items = (arguments.extents[d] + grain - 1) / grain;
    if (const double used = used_time(items, threads); used > most) {
      most = used;
      best = {d, items, grain, static_cast<int>(std::min<std::int64_t>(items, threads))};
    }
  }
  return best;
}

namespace detail {

TAPELESS_COLD inline void run_large(const thread_team& team, void (*kernel)(const fused_kernel_arguments&),
                                    const fused_kernel_arguments& arguments, std::int64_t elements) {
  const double nanoseconds = nanoseconds_of(arguments, elements);
  if (nanoseconds < 4 * least_nanoseconds && !worker_pool::is_awake()) return kernel(arguments);
  const int threads = team.threads_for(nanoseconds);
  if (threads == 1 || arguments.operand_count > most_operands) return kernel(arguments);
  const axis_split split = axis_to_split(arguments, threads);
  if (split.parts == 1) return kernel(arguments);
  team.run(split.parts, [&](int part) {
    const range_part range = part_of(arguments.extents[split.axis], split.parts, part, split.grain);
    std::array<fused_kernel_operand, most_operands> operands;
    for (int k = 0; k < arguments.operand_count; ++k) {
      fused_kernel_operand& o = operands[static_cast<std::size_t>(k)] = arguments.operands[k];
      o.first_index += range.begin * o.strides[split.axis];
      o.data = moved(o.data, range.begin * o.strides[split.axis] * o.size);
    }
    fused_kernel_arguments own = arguments;
    own.extents[split.axis] = range.size;
    own.operands = operands.data();
    kernel(own);
  });
}

}  // namespace detail

/// Runs a fused kernel on the team.
inline void run_split(const thread_team& team, void (*kernel)(const fused_kernel_arguments&),
                      const fused_kernel_arguments& arguments) {
  if (team.is_single()) return kernel(arguments);
  const std::int64_t elements = iterations_of(arguments);
  if (elements < team.least_elements()) return kernel(arguments);
  detail::run_large(team, kernel, arguments, elements);
}

/// How a batch of products is split: by its members, or by rows or columns of all their results.
struct product_split {
  enum { batch, rows, columns } by = rows;
  std::int64_t grain = 1;
  int parts = 1;

  product_split(const thread_team& team, const product_arguments& p) {
    if (team.is_single()) return;
    if (p.batches * p.m * p.n * p.k < team.least_elements()) return;  // in whole numbers, as most are small
    if (p.packed_b != nullptr && p.m == 1) return;                    // it is one panel, and small
    const int threads = team.threads_for(nanoseconds_of(p));
    if (threads > 1) choose(p, threads);
  }

  /// The arguments of a part.
  product_arguments part_of(const product_arguments& arguments, int part) const {
    product_arguments own = arguments;
    if (parts == 1) return own;
    own.is_part = by != batch;
    const int row = arguments.batch_rank, column = row + 1;
    const std::int64_t all = by == batch ? arguments.batches : by == rows ? arguments.m : arguments.n;
    const std::int64_t items = all / grain;
    const std::int64_t begin = items * part / parts * grain,
                       end = part + 1 == parts ? all : items * (part + 1) / parts * grain;
    const auto move = [&](product_operand& o, int axis) {
      o.data = moved(o.data, begin * o.strides[axis] * arguments.element_size);
    };
    switch (by) {
      case batch:
        own.first_batch += begin;
        own.batches = end - begin;
        break;
      case rows:
        own.m = end - begin;
        move(own.a, row);
        move(own.c, row);
        break;
      case columns:
        own.n = end - begin;
        move(own.b, column);
        if (own.packed_b != nullptr) own.packed_b += begin * arguments.k * arguments.element_size;
        move(own.c, column);
        break;
    }
    return own;
  }

 private:
  TAPELESS_COLD void choose(const product_arguments& p, int threads) {
    double most = 0;
    const auto consider = [&](auto what, std::int64_t items, std::int64_t together) {
      if (const double used = used_time(items, threads); most < 0.9 && used > most) {
        most = used;
        by = what;
        grain = together;
        parts = static_cast<int>(std::min<std::int64_t>(items, threads));
      }
    };
    // What is left over is part of the last item: no part is smaller than one.
    // A column of results is computed as a row of them.
    const std::int64_t together = p.n == 1 ? columns_together : rows_together;
    const auto consider_rows = [&] { consider(rows, std::max<std::int64_t>(p.m / together, 1), together); };
    consider(batch, p.batches, 1);
    if (p.m >= p.n) consider_rows();
    consider(columns, std::max<std::int64_t>(p.n / columns_together, 1), columns_together);
    consider_rows();
  }
};

/// Post-condition: there is scratch memory for the product, of workspace(m, n, k) bytes for each part.
TAPELESS_COLD inline void reserve_workspace(thread_team& team, const product_arguments& arguments,
                                            std::int64_t (*workspace)(std::int64_t m, std::int64_t n,
                                                                      std::int64_t k)) {
  const product_split split(team, arguments);
  for (int part = 0; part < split.parts; ++part) {
    const product_arguments own = split.part_of(arguments, part);
    team.reserve_workspace(workspace(own.m, own.n, own.k), split.parts);
  }
}

/// Runs a batch of products on the team.
inline void run_split(const thread_team& team, void (*kernel)(const product_arguments&, std::byte* workspace),
                      const product_arguments& arguments) {
  const product_split split(team, arguments);
  if (split.parts == 1) return kernel(arguments, team.workspace(0));
  team.run(split.parts, [&](int part) { kernel(split.part_of(arguments, part), team.workspace(part)); });
}

}  // namespace tapeless::cpu_kernels
