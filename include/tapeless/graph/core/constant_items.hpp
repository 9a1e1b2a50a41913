// SPDX-License-Identifier: BSL-1.0
// An array that can be a constant. Programs have a hundred of them, and each std::array is some forty
// functions, two of which compilers call for each item that a constant evaluation reads.
#pragma once

#include <cstddef>

namespace tapeless {

template <class Item, std::size_t Size>
struct constant_items {
  Item items[Size];

  static constexpr std::size_t size() { return Size; }
  static constexpr bool empty() { return false; }
  constexpr Item& operator[](std::size_t i) { return items[i]; }
  constexpr const Item& operator[](std::size_t i) const { return items[i]; }
  constexpr Item* data() { return items; }
  constexpr const Item* data() const { return items; }
  constexpr const Item* begin() const { return items; }
  constexpr const Item* end() const { return items + Size; }
};

/// No items.
template <class Item>
struct constant_items<Item, 0> {
  static constexpr std::size_t size() { return 0; }
  static constexpr bool empty() { return true; }
  constexpr Item& operator[](std::size_t) { return *data(); }
  constexpr const Item& operator[](std::size_t) const { return *data(); }
  constexpr Item* data() { return nullptr; }
  constexpr const Item* data() const { return nullptr; }
  constexpr const Item* begin() const { return nullptr; }
  constexpr const Item* end() const { return nullptr; }
};

}  // namespace tapeless
