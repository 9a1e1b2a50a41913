// SPDX-License-Identifier: BSL-1.0
// A model's parameters: their memory, their names, and how they start.
#pragma once

#include <array>
#include <cstring>
#include <vector>

#include <tapeless/expr/lower.hpp>
#include <tapeless/run/element_types.hpp>
#include <tapeless/train/random.hpp>
#include <tapeless/train/tensor_view.hpp>

namespace tapeless {

/// What is known of a parameter while compiling.
struct parameter_description {
  const name* label = nullptr;
  element type = element::f32;
  int rank = 0;
  std::array<std::int64_t, max_rank> shape{};
  std::int64_t count = 1;
  initializer start;
  bool is_buffer = false;  // no rule changes it, and it has no state

  constexpr std::int64_t bytes() const { return count * static_cast<std::int64_t>(size_of(type)); }
  constexpr std::span<const std::int64_t> extents() const {
    return {shape.data(), static_cast<std::size_t>(rank)};
  }
};

namespace detail {

template <class Model>
constexpr int parameter_count = [] {
  int count = 0;
  for (const node& n : frozen<lower<Model>>.nodes) count += n.op->kind == family::parameter ? 1 : 0;
  return count;
}();

template <class Model>
constexpr auto describe_parameters() {
  std::array<parameter_description, static_cast<std::size_t>(parameter_count<Model>)> all{};
  std::size_t i = 0;
  constexpr auto& g = frozen<lower<Model>>;
  for (const node& n : g.nodes) {
    if (n.op->kind != family::parameter) continue;
    parameter_description& p = all[i++];
    p.label = n.label;
    p.type = n.type;
    p.rank = n.rank;
    for (int d = 0; d < n.rank; ++d) {
      p.shape[static_cast<std::size_t>(d)] = n.shape[d];
      p.count *= n.shape[d];
    }
    p.is_buffer = is_buffer(n);
    p.start = g.initializers[static_cast<std::size_t>(n.attributes[0])];
  }
  return all;
}

}  // namespace detail

/// A model's parameters, in the order in which the model mentions them.
template <class Model>
inline constexpr auto parameters_of_model = detail::describe_parameters<Model>();

namespace detail {

inline double draw(const initializer& start, random_stream& random) {
  switch (start.kind) {
    case initializer::kind::constant:
      break;
    case initializer::kind::uniform:
      return start.value * (2 * random.uniform() - 1);
    case initializer::kind::normal:
      return start.value * random.normal();
  }
  return start.value;
}

inline void store_number(double x, element type, std::byte* to) {
  const auto store = [to](auto number) { std::memcpy(to, &number, sizeof(number)); };
  switch (type) {
    case element::f32:
      return store(static_cast<float>(x));
    case element::f64:
    case element::number:
      return store(x);
    case element::f16:
      return store(f16(x));
    case element::bf16:
      return store(bf16(x));
    case element::i32:
      return store(static_cast<std::int32_t>(x));
    case element::i64:
      return store(static_cast<std::int64_t>(x));
    case element::u8:
      return store(static_cast<std::uint8_t>(x));
    case element::boolean:
      return store(x != 0);
  }
}

}  // namespace detail

/// Memory for a list of parameters, or of states of their shapes: one block, with a pointer for each.
template <class Memory>
class parameter_memory {
 public:
  parameter_memory() = default;
  /// With or without room for buffers, `copies` regions for each parameter, one after the other: region p *
  /// copies + k is copy k of parameter p.
  parameter_memory(std::span<const parameter_description> parameters, int copies, std::int64_t alignment,
                   bool of_buffers = true) {
    std::int64_t size = 0;
    const auto each = [&](auto f) {
      for (const parameter_description& p : parameters)
        for (int k = 0; k < copies; ++k)
          f(p.is_buffer && !of_buffers ? 0 : (p.bytes() + alignment - 1) / alignment * alignment);
    };
    each([&](std::int64_t bytes) { size += bytes; });
    memory_ = Memory(size);
    std::int64_t offset = 0;
    each([&](std::int64_t bytes) {
      pointers_.push_back(memory_.data() + offset);
      offset += bytes;
    });
  }

  std::span<std::byte* const> pointers() const { return pointers_; }
  std::byte* operator[](std::size_t i) const { return pointers_[i]; }
  std::int64_t bytes() const { return memory_.size(); }

 private:
  Memory memory_;
  std::vector<std::byte*> pointers_;
};

/// Gives every parameter its initial values, each from a stream of its own.
inline void initialize(std::span<const parameter_description> parameters, std::span<std::byte* const> data,
                       std::uint64_t seed) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const parameter_description& p = parameters[i];
    random_stream random(seed, i);
    for (std::int64_t k = 0; k < p.count; ++k)
      detail::store_number(detail::draw(p.start, random), p.type,
                           data[i] + k * static_cast<std::int64_t>(size_of(p.type)));
  }
}

}  // namespace tapeless
