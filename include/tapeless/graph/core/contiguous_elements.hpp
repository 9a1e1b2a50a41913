// SPDX-License-Identifier: BSL-1.0
// Ranges whose elements a tensor can have: what is bound to inputs, and what columns of data are made of.
#pragma once

#include <iterator>
#include <type_traits>

#include <tapeless/graph/core/element.hpp>

namespace tapeless {

/// What has data() and size(), or is an array, of elements that a tensor can have.
template <class R>
concept contiguous_elements = requires(const R& range) {
  std::size(range);
  requires element_type<std::remove_cvref_t<decltype(*std::data(range))>>;
};

}  // namespace tapeless
