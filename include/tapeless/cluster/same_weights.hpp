// SPDX-License-Identifier: BSL-1.0
// Whether ranks still have the same weights and hyperparameters.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/train/program/parameter_description.hpp>

namespace tapeless::detail {

/// A number for a piece of the weights, another piece in each step, so that all are looked at in turn: ranks
/// with the same weights have the same number, and one word of them that differs makes it another. Running
/// statistics are left out: where a step has failed they differ until the next one.
inline std::uint64_t number_of_weights(array_view<std::byte* const> weights,
                                       array_view<const parameter_description> parameters, std::int64_t step,
                                       std::int64_t piece = 4096) {
  std::int64_t all = 0;
  for (const parameter_description& p : parameters) all += p.is_buffer ? 0 : p.bytes();
  if (all == 0) return 0;
  std::int64_t before = step % ((all + piece - 1) / piece) * piece, left = piece;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < parameters.size() && left > 0; ++i) {
    const std::int64_t bytes = parameters[i].is_buffer ? 0 : parameters[i].bytes();
    const std::int64_t end = std::min(bytes, before + left);
    for (std::int64_t at = before; at < end; at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, weights[i] + at, static_cast<std::size_t>(std::min<std::int64_t>(8, end - at)));
      number = (number ^ word) * 0x9e3779b97f4a7c15u;  // odd: what differs stays different
    }
    if (end > before) left -= end - before;
    before = std::max<std::int64_t>(0, before - bytes);
  }
  return number;
}

/// A number for the hyperparameters of a step: ranks with the same ones have the same number, and one that
/// differs makes it another.
inline std::uint64_t number_of_hyperparameters(array_view<const double> values) {
  std::uint64_t number = 0;
  for (const double v : values) number = (number ^ std::bit_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15u;
  return number;
}

}  // namespace tapeless::detail
