// SPDX-License-Identifier: BSL-1.0
// Names as template arguments: "fc1", Scope + ".attn", name{"block"} + 3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tapeless {

/// The name of an input, a parameter, an output or a run-time extent: at most 63 characters. A longer
/// one, or an empty scope, does not compile.
struct name {
  static constexpr int capacity = 64;
  char characters[capacity] = {};

  constexpr name() = default;
  template <std::size_t N>
    requires(N <= capacity)
  constexpr name(const char (&literal)[N]) {
    for (std::size_t i = 0; i + 1 < N; ++i) characters[i] = literal[i];
  }

  constexpr int size() const {
    int n = 0;
    while (n < capacity && characters[n] != 0) ++n;
    return n;
  }
  constexpr std::string_view view() const { return {characters, static_cast<std::size_t>(size())}; }

  friend constexpr name operator+(name left, name right) {
    int n = left.size();
    for (char c : right.view()) left.characters[n < capacity - 1 ? n++ : does_not_fit()] = c;
    return left;
  }
  template <std::size_t N>
  friend constexpr name operator+(name left, const char (&right)[N]) {
    return left + name(right);
  }
  friend constexpr name operator+(name left, int index) {
    if (index < 0) does_not_fit();
    name digits;
    int divisor = 1, n = 0;
    while (index / divisor >= 10) divisor *= 10;
    for (; divisor > 0; divisor /= 10) digits.characters[n++] = static_cast<char>('0' + index / divisor % 10);
    return left + digits;
  }
  friend constexpr bool operator==(const name& left, const name& right) {
    return left.view() == right.view();
  }

 private:
  // Not constexpr, so that the compiler stops at their calls.
  static int does_not_fit() { return 0; }
};

/// A name's one object: two names are equal exactly where their addresses here are.
template <name N>
inline constexpr name interned = N;

/// FNV-1a (Fowler, Noll, Vo), for the tables of names and nodes.
constexpr std::uint64_t hash_of(std::string_view characters) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char c : characters) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace tapeless
