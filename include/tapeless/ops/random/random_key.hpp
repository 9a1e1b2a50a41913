// SPDX-License-Identifier: BSL-1.0
// random_key(g, stream): what differs from stream to stream, and from step to step.
#pragma once

#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/ops/pointwise/add.hpp>
#include <tapeless/ops/pointwise/cast.hpp>
#include <tapeless/ops/pointwise/mul.hpp>

namespace tapeless::detail {

/// The key of a stream, a whole number below 2^51. It differs from run to run, and in the body of a loop from
/// iteration to iteration, also of a loop in it.
constexpr value random_key(graph& g, double stream) {
  value key = make_hyperparameter(g, random_key_entry) + stream;
  if (g.region != 0) {
    const value iterations = make_iota(g, {1, {g.regions[g.region - 1].count}}, 0, element::i64);
    value iteration = cast(value{&g, g.in_iteration(iterations.id)}, element::number);
    if (g.unrolled.count != 1)
      iteration =
          static_cast<double>(g.unrolled.count) * iteration + static_cast<double>(g.unrolled.iteration);
    key = key + 65536.0 * iteration;
  }
  return cast(key, element::i64);
}

}  // namespace tapeless::detail
