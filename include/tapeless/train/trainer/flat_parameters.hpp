// SPDX-License-Identifier: BSL-1.0
// All trained parameters (or their gradients) as one vector of doubles, and memory that can be put back.
#pragma once

#include <cstring>
#include <string>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/train/program/parameters.hpp>

namespace tapeless::detail {

/// The number of elements of all parameters that a rule changes.
constexpr std::int64_t trained_count(array_view<const parameter_description> all) {
  std::int64_t count = 0;
  for (const parameter_description& p : all) count += p.is_trained ? p.count : 0;
  return count;
}

constexpr bool are_float_or_double(array_view<const parameter_description> all) {
  for (const parameter_description& p : all)
    if (p.is_trained && p.type != element::f32 && p.type != element::f64) return false;
  return true;
}

/// The distance of 1 from the next number of the type; 1 where it has only whole numbers.
constexpr double resolution_of(element type) {
  switch (type) {
    case element::f32:
      return 0x1p-23;
    case element::f16:
      return 0x1p-10;
    case element::bf16:
      return 0x1p-7;
    case element::f64:
    case element::number:
      return 0x1p-52;
    case element::i32:
    case element::i64:
    case element::u8:
    case element::boolean:
    case element::i8:
    case element::i16:
    case element::u32:
      break;
  }
  return 1;
}

template <class To, class From>
void convert_elements(const void* from, void* to, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i)
    static_cast<To*>(to)[i] = static_cast<To>(static_cast<const From*>(from)[i]);
}

/// Calls f(i, count, begin) for each parameter that rules change: its number, its elements, and those of all
/// before it.
template <class F>
void for_each_trained(array_view<const parameter_description> all, F f) {
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_trained) continue;
    f(i, all[i].count, begin);
    begin += all[i].count;
  }
}

/// Reads them, one after the other. Precondition: their types are float or double.
inline void gather(array_view<const parameter_description> all, array_view<std::byte* const> from,
                   array_view<double> to) {
  for_each_trained(all, [&](std::size_t i, std::int64_t count, std::int64_t begin) {
    const bool is_float = all[i].type == element::f32;
    const auto convert = is_float ? &convert_elements<double, float> : &convert_elements<double, double>;
    convert(from[i], to.data() + begin, count);
  });
}

/// Writes them, rounded to their types.
inline void scatter(array_view<const parameter_description> all, array_view<const double> from,
                    array_view<std::byte* const> to) {
  for_each_trained(all, [&](std::size_t i, std::int64_t count, std::int64_t begin) {
    const bool is_float = all[i].type == element::f32;
    const auto convert = is_float ? &convert_elements<float, double> : &convert_elements<double, double>;
    convert(from.data() + begin, to[i], count);
  });
}

/// A copy of pieces of memory, which can be put back to where they were.
class kept_bytes {
 public:
  void clear() {
    places_.clear();
    bytes_.clear();
  }
  void keep(array_view<std::byte> place) {
    if (place.empty()) return;
    places_.push(place);
    bytes_.append(reinterpret_cast<const char*>(place.data()), place.size());
  }
  void put_back() const {
    const char* from = bytes_.data();
    for (const array_view<std::byte>& place : places_) {
      std::memcpy(place.data(), from, place.size());
      from += place.size();
    }
  }

 private:
  list<array_view<std::byte>> places_;
  std::string bytes_;
};

/// Keeps what no rule changes, but a run may (running statistics).
inline void keep_buffers(array_view<const parameter_description> all, array_view<std::byte* const> data,
                         kept_bytes& kept) {
  kept.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].is_buffer) kept.keep({data[i], static_cast<std::size_t>(all[i].bytes())});
}

}  // namespace tapeless::detail
