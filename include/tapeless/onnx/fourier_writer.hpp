// SPDX-License-Identifier: BSL-1.0
// Fourier transforms by the operator DFT, whose inverse has the factor 1 / n, and makes complex numbers of
// all n.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

namespace detail {

/// All numbers of a transform of n real ones, from the first n / 2 + 1: the others are conjugates of those.
TAPELESS_COLD inline std::string with_conjugates(value_writer& to, const std::string& x, std::int64_t n,
                                                 element type) {
  if (extent_table::is_literal(n) && n < 3) return x;
  extent_table& e = to.model().extents;
  const std::string last = to.extent(e.divide(e.subtract(n, 1), 2));
  const std::string mirrored = to.add("Slice", {x, last, to.integer(0), to.integer(-2), to.integer(-1)});
  const std::int64_t two[] = {2};
  const std::string signs = to.constant("signs", type, two, bytes_of(1, type) + bytes_of(-1, type));
  return to.add("Concat", {x, to.add("Mul", {mirrored, signs})}, attributes().set("axis", -2));
}

}  // namespace detail

TAPELESS_COLD inline std::string write_fourier(value_writer& to, const node& n, const std::string& x,
                                               std::string_view result) {
  const auto inverse = [&](const std::string& spectrum) {
    return to.add("DFT", {spectrum, "", to.number(-2, element::i64)}, attributes().set("inverse", 1));
  };
  const auto without_factor = [&](const std::string& y, std::int64_t extent) {
    const std::string number = to.add("Squeeze", {to.extent(extent)});
    return to.add("Mul", {y, to.cast(number, n.type)}, result);
  };
  switch (n.op->as<fourier_kind>()) {
    case fourier_kind::forward:
      return to.add("DFT", {x, "", to.number(-2, element::i64)}, result);
    case fourier_kind::backward:
      return without_factor(inverse(x), n.shape[n.rank - 2]);
    case fourier_kind::half:
      return to.add("DFT", {to.add("Unsqueeze", {x, to.integer(-1)}), "", to.number(-2, element::i64)},
                    attributes().set("onesided", 1), result);
    case fourier_kind::whole: {
      const std::int64_t length = n.shape[n.rank - 1];
      const std::string y = inverse(detail::with_conjugates(to, x, length, n.type));
      const std::string real =
          to.add("Gather", {y, to.number(0, element::i64)}, attributes().set("axis", -1));
      return without_factor(real, length);
    }
  }
  return {};
}

}  // namespace tapeless::onnx
