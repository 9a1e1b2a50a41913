// SPDX-License-Identifier: BSL-1.0
// The order of elements along the last axis by the operator TopK, which leaves equal elements in theirs.
#pragma once

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/onnx/value_writer.hpp>

namespace tapeless::onnx {

/// A type that has all of this one's numbers and that runtimes sort.
constexpr element sorted_as(element type) {
  switch (type) {
    case element::f16:
    case element::bf16:
      return element::f32;
    case element::u8:
    case element::i8:
    case element::i16:
      return element::i32;
    case element::u32:
      return element::i64;
    case element::f32:
    case element::f64:
    case element::i32:
    case element::i64:
    case element::boolean:
    case element::number:
      return type;
  }
  return type;
}

/// A type that has all of this one's numbers and that runtimes add up.
constexpr element summed_as(element type) {
  if (type == element::boolean) return element::i32;
  return is_floating(type) ? type : sorted_as(type);
}

/// The places of all elements in their order: TopK of as many as there are.
TAPELESS_COLD inline std::string write_sort(value_writer& to, const node& n, std::string x,
                                            std::string_view result) {
  const element type = to.at(n.operands[0]).type, wide = sorted_as(type);
  if (wide != type) x = to.cast(x, wide);
  const std::string places = result.empty() ? to.fresh_name("order") : std::string(result);
  to.add_node(node_message(
      "TopK", name_list{x, to.extent(n.shape[n.rank - 1])}, name_list{to.fresh_name("sorted"), places},
      attributes().set("axis", n.rank - 1).set("largest", sort_of(n).downward ? 1 : 0).fields()));
  return places;
}

}  // namespace tapeless::onnx
