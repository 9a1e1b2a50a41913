// SPDX-License-Identifier: BSL-1.0
// All trained parameters (or their gradients) as one vector of doubles, and memory that can be put back.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include <tapeless/train/parameters.hpp>

namespace tapeless::detail {

/// The number of elements of all parameters that a rule changes.
constexpr std::int64_t trained_count(std::span<const parameter_description> all) {
  std::int64_t count = 0;
  for (const parameter_description& p : all) count += p.is_buffer ? 0 : p.count;
  return count;
}

constexpr bool are_float_or_double(std::span<const parameter_description> all) {
  for (const parameter_description& p : all)
    if (!p.is_buffer && p.type != element::f32 && p.type != element::f64) return false;
  return true;
}

/// The distance of 1 from the next number of a floating type.
constexpr double resolution_of(element type) {
  switch (type) {
    case element::f32:
      return 0x1p-23;
    case element::f16:
      return 0x1p-10;
    case element::bf16:
      return 0x1p-7;
    default:
      return 0x1p-52;
  }
}

template <class Copy>
void for_each_trained(std::span<const parameter_description> all, std::span<std::byte* const> data,
                      Copy copy) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].is_buffer) continue;
    const auto count = static_cast<std::size_t>(all[i].count);
    if (all[i].type == element::f32) {
      copy(std::span(reinterpret_cast<float*>(data[i]), count), begin);
    } else {
      copy(std::span(reinterpret_cast<double*>(data[i]), count), begin);
    }
    begin += count;
  }
}

/// Reads them, one after the other. Precondition: their types are float or double.
inline void gather(std::span<const parameter_description> all, std::span<std::byte* const> from,
                   std::span<double> to) {
  for_each_trained(all, from, [&](auto elements, std::size_t begin) {
    for (std::size_t i = 0; i < elements.size(); ++i) to[begin + i] = static_cast<double>(elements[i]);
  });
}

/// Writes them, rounded to their types.
inline void scatter(std::span<const parameter_description> all, std::span<const double> from,
                    std::span<std::byte* const> to) {
  for_each_trained(all, to, [&](auto elements, std::size_t begin) {
    using type = typename decltype(elements)::value_type;
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<type>(from[begin + i]);
  });
}

/// A copy of pieces of memory, which can be put back to where they were.
class kept_bytes {
 public:
  void clear() {
    places_.clear();
    bytes_.clear();
  }
  void keep(std::span<std::byte> place) {
    places_.push_back(place);
    bytes_.insert(bytes_.end(), place.begin(), place.end());
  }
  void put_back() const {
    auto from = bytes_.begin();
    for (const std::span<std::byte> place : places_) {
      std::copy_n(from, place.size(), place.begin());
      from += static_cast<std::ptrdiff_t>(place.size());
    }
  }

 private:
  std::vector<std::span<std::byte>> places_;
  std::vector<std::byte> bytes_;
};

/// Keeps what no rule changes, but a run may (running statistics).
inline void keep_buffers(std::span<const parameter_description> all, std::span<std::byte* const> data,
                         kept_bytes& kept) {
  kept.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].is_buffer) kept.keep({data[i], static_cast<std::size_t>(all[i].bytes())});
}

}  // namespace tapeless::detail
