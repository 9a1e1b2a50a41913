// SPDX-License-Identifier: BSL-1.0
// What is known of a column without its samples: its name, and what one sample of it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/extents.hpp>

namespace tapeless::data {

/// A column's name, the type of its elements and the shape of one sample, [] for a scalar.
struct column_description {
  std::string name;
  element type{};
  std::vector<std::int64_t> sample_shape;

  friend bool operator==(const column_description&, const column_description&) = default;
};

/// The description of a column of T's: column_of<float>("x", {2}).
template <element_type T>
column_description column_of(std::string name, std::vector<std::int64_t> sample_shape = {}) {
  return {std::move(name), element_of<T>, std::move(sample_shape)};
}

/// float [3, 32, 32]: what a sample is, as messages say it.
TAPELESS_COLD inline std::string text_of(const column_description& c) {
  return join({name_of(c.type), " ", io::shape_text(c.sample_shape)});
}

}  // namespace tapeless::data
