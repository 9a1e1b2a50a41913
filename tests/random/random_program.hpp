// SPDX-License-Identifier: BSL-1.0
// What the programs of tests/random are made of, beside their models: inputs by name, and values by name.
#pragma once

#include <cstdint>
#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tapeless/operations.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>
#include <tapeless/train/bare/bare_function.hpp>
#include <tapeless/train/bare/bare_trainer.hpp>

#include "program.hpp"
#include "thread_shares.hpp"

namespace test {

/// The numbers of an input or a parameter at a call: those of Numbers in tests/random/values.py.
inline numbers numbers_of(std::string_view name, int call) {
  std::uint32_t seed = 2166136261u;
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 16777619u;
  return numbers(seed + 7919u * static_cast<std::uint32_t>(call));
}

template <class T>
std::vector<T> drawn(std::string_view name, int call, std::int64_t count) {
  return numbers_of(name, call).vector<T>(static_cast<std::size_t>(count), -1.5, 1.5);
}

inline std::vector<std::int32_t> drawn_indices(std::string_view name, int call, std::int64_t count,
                                               int below) {
  return numbers_of(name, call).vector<std::int32_t>(static_cast<std::size_t>(count), 0, below);
}

template <class View>
void start(View&& parameter, std::string_view name, double low, double high) {
  numbers draw = numbers_of(name, 0);
  for (auto& x : parameter) x = static_cast<std::decay_t<decltype(x)>>(draw(low, high));
}

/// A parameter's elements, of which a program of tl::bare gives the first one's place.
template <tl::name Name, std::size_t Count, class Program>
auto parameter(Program& program) {
  auto p = program.template parameter<Name>();
  if constexpr (std::is_pointer_v<decltype(p)>) {
    return std::span{p, Count};
  } else {
    return p;
  }
}

// The derivatives of both are not those of what they compute. As Bent and Mixed in reference.py.
struct bent : tl::custom_op {
  static constexpr auto forward(auto x) { return x * tl::tanh(x); }
  static constexpr auto backward(auto g, auto x, auto y) { return g * (0.5 * x + y); }
};
struct mixed : tl::custom_op {
  static constexpr auto forward(auto a, auto b) { return a * tl::sin(b); }
  static constexpr auto backward(auto g, auto a, auto b, auto y) {
    return std::tuple(g * tl::cos(b), g * (a + y));
  }
};

/// Prints a line: which run, which call of it, the name, all elements.
template <class View>
void show(int run, int call, const char* name, const View& view) {
  std::printf("%d %d %s", run, call, name);
  for (const auto x : view) std::printf(" %.17g", static_cast<double>(x));
  std::printf("\n");
}

template <class F>
void attempt(int run, F f) {
  try {
    f();
  } catch (const std::exception& e) {
    std::printf("%d 0 THROWS %s\n", run, e.what());
  }
}

}  // namespace test
