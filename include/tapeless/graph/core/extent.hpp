// SPDX-License-Identifier: BSL-1.0
// Extents: integers, named symbols that are bound when the program runs, and what arithmetic makes of them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/graph/core/name.hpp>
#include <tapeless/graph/core/text.hpp>

namespace tapeless {

/// One extent of a shape as a user writes it: an integer, or a symbol such as dyn<"batch">.
struct extent {
  std::int64_t value = 0;
  const name* symbol = nullptr;

  constexpr extent() = default;
  constexpr extent(std::integral auto literal) : value(static_cast<std::int64_t>(literal)) {}
  constexpr extent(std::int64_t literal, const name* named) : value(literal), symbol(named) {}
  template <std::size_t N>
  constexpr extent(const char (&symbol)[N]) = delete;  // a run-time extent is tl::dyn<"batch">
  friend constexpr bool operator==(const extent&, const extent&) = default;

  // Arithmetic is refused: what stands in a shape has a name.
  template <class N>
    requires(std::integral<N> || std::same_as<N, extent>)
  friend constexpr extent operator+(const extent&, const N&) {
    return refuse_arithmetic<N>();
  }
  friend constexpr extent operator+(std::integral auto n, const extent&) {
    return refuse_arithmetic<decltype(n)>();
  }
  template <class N>
    requires(std::integral<N> || std::same_as<N, extent>)
  friend constexpr extent operator-(const extent&, const N&) {
    return refuse_arithmetic<N>();
  }
  friend constexpr extent operator-(std::integral auto n, const extent&) {
    return refuse_arithmetic<decltype(n)>();
  }
  template <class N>
    requires(std::integral<N> || std::same_as<N, extent>)
  friend constexpr extent operator*(const extent&, const N&) {
    return refuse_arithmetic<N>();
  }
  friend constexpr extent operator*(std::integral auto n, const extent&) {
    return refuse_arithmetic<decltype(n)>();
  }
  template <class N>
    requires(std::integral<N> || std::same_as<N, extent>)
  friend constexpr extent operator/(const extent&, const N&) {
    return refuse_arithmetic<N>();
  }
  friend constexpr extent operator/(std::integral auto n, const extent&) {
    return refuse_arithmetic<decltype(n)>();
  }

 private:
  template <class N>
  static constexpr extent refuse_arithmetic() {
    static_assert(std::is_void_v<N>,
                  "tapeless: a run-time extent is not computed with: operations such as tl::concat<0>(x, x) "
                  "and tl::reshape<-1, 4>(x) find theirs, and an input's other extent has another name, "
                  "tl::dyn<\"pairs\">");
    return {};
  }
};

/// An extent that is known when the program runs; equal names are equal extents.
template <name N>
inline constexpr extent dyn{0, &interned<N>};

/// Values of run-time extents, for a program that is compiled with them: a number is that of the only one, or
/// each is named, {{"batch", 1}, {"time", 20}}.
struct extent_values {
  struct named {
    name symbol;
    std::int64_t value = 0;
  };
  static constexpr int capacity = 4;
  std::int64_t of_any = 0;
  int count = 0;  // of names
  named by_name[capacity] = {};

  constexpr extent_values(std::integral auto only) : of_any(static_cast<std::int64_t>(only)) {}
  constexpr extent_values(std::initializer_list<named> all) {
    for (const named& n : all) {
      if (count < capacity) by_name[count] = n;
      ++count;
    }
  }

  /// Whether there is one at least and no more than fit, and all are 1 or more.
  constexpr bool is_sound() const {
    if (count == 0) return of_any > 0;
    for (int i = 0; i < count && i < capacity; ++i)
      if (by_name[i].value < 1) return false;
    return count <= capacity;
  }

  /// 0 where it is not named.
  constexpr std::int64_t of(const name& symbol) const {
    for (const named& n : by_name)
      if (n.symbol == symbol) return n.value;
    return of_any;
  }
};

/// How a derived extent comes about. `left` and `right` are extents as the table numbers them.
enum class extent_kind : std::uint8_t { symbol, sum, difference, product, quotient };

struct derived_extent {
  extent_kind kind = extent_kind::symbol;
  const name* symbol = nullptr;
  std::int64_t left = 0;
  std::int64_t right = 0;
  friend constexpr bool operator==(const derived_extent&, const derived_extent&) = default;
};

/// An extent as it was written: batch, 64, (length / 2). `entries` is the table that it is of.
template <class Entries>
constexpr void describe_extent(text& out, const Entries& entries, std::int64_t e) {
  if (e >= 0) {
    out << e;
    return;
  }
  const derived_extent& entry = entries[static_cast<std::size_t>(-1 - e)];
  if (entry.kind == extent_kind::symbol) {
    out << entry.symbol->view();
    return;
  }
  out << "(";
  describe_extent(out, entries, entry.left);
  out << (entry.kind == extent_kind::sum          ? " + "
          : entry.kind == extent_kind::difference ? " - "
          : entry.kind == extent_kind::product    ? " * "
                                                  : " / ");
  describe_extent(out, entries, entry.right);
  out << ")";
}

/// Extents of a graph as single numbers: what is not negative stands for itself, -1 - k for entry k.
/// Equal numbers are equal extents, and mostly the other way round, for entries are in one form: a product
/// keeps its factors sorted and its literal factor last, a sum its literal term last; so does a difference,
/// whose right side is then a literal. Of a difference whose right side is none, one side at most has a
/// literal term, and what is added to it stays outside: (9 - x) + 1 is not the number of 10 - x.
class extent_table {
 public:
  static constexpr bool is_literal(std::int64_t e) { return e >= 0; }

  constexpr const list<derived_extent>& entries() const { return entries_; }
  constexpr const derived_extent& operator[](std::int64_t e) const {
    return entries_[static_cast<int>(-1 - e)];
  }

  constexpr std::int64_t intern(const derived_extent& entry) {
    for (int k = 0; k < entries_.size(); ++k)
      if (entries_[k] == entry) return -1 - k;
    return -1 - entries_.push(entry);
  }

  /// From here on the symbols that have values stand for these. They must outlive the table.
  constexpr void set_values(const extent_values* values) { values_ = values; }

  constexpr std::int64_t number(extent e) {
    if (e.symbol == nullptr) return e.value;
    if (values_ != nullptr)
      if (const std::int64_t value = values_->of(*e.symbol); value > 0) return value;
    return intern({.kind = extent_kind::symbol, .symbol = e.symbol});
  }

  constexpr std::int64_t multiply(std::int64_t a, std::int64_t b) {
    if (a >= 0 && b >= 0) return a * b;  // as is_literal has it; this is asked for each axis of each operand
    const std::int64_t factor = literal_factor(a) * literal_factor(b);
    const std::int64_t rest = merge_factors(without_factor(a), without_factor(b));
    if (factor == 0) return 0;
    return factor == 1 ? rest : intern({extent_kind::product, nullptr, rest, factor});
  }

  constexpr std::int64_t add(std::int64_t a, std::int64_t b) {
    if (is_literal(a) && is_literal(b)) return a + b;
    const std::int64_t term = literal_term(a) + literal_term(b);
    const std::int64_t left = without_term(a), right = without_term(b);
    std::int64_t rest = left;
    if (left == 0) {
      rest = right;
    } else if (right != 0) {
      rest =
          without_factor(left) == without_factor(right)
              ? multiply(without_factor(left), literal_factor(left) + literal_factor(right))
              : intern({extent_kind::sum, nullptr, left < right ? right : left, left < right ? left : right});
    }
    return with_term(rest, term);
  }

  /// a - b; of literals it is negative where b is larger, and then no extent.
  constexpr std::int64_t subtract(std::int64_t a, std::int64_t b) {
    if (is_literal(a) && is_literal(b)) return a - b;
    const std::int64_t term = literal_term(a) - literal_term(b);
    const std::int64_t left = without_term(a), right = without_term(b);
    if (right == 0) return with_term(left, term);
    if (left == right && term >= 0) return term;
    return intern(
        {extent_kind::difference, nullptr, add(left, term > 0 ? term : 0), add(right, term < 0 ? -term : 0)});
  }

  /// floor(a / b) for a literal b.
  constexpr std::int64_t divide(std::int64_t a, std::int64_t b) {
    if (is_literal(a)) return a / b;
    if (b == 1) return a;
    const std::int64_t rest = without_term(a), term = literal_term(a);
    if (literal_factor(rest) % b != 0) return intern({extent_kind::quotient, nullptr, a, b});
    const std::int64_t whole = multiply(without_factor(rest), literal_factor(rest) / b);
    return term < 0 ? subtract(whole, (b - 1 - term) / b) : add(whole, term / b);
  }

  /// Takes over another table's extent.
  template <class Entries>
  constexpr std::int64_t import(const Entries& other, std::int64_t e) {
    if (is_literal(e)) return e;
    const derived_extent entry = other[static_cast<int>(-1 - e)];
    if (entry.kind == extent_kind::symbol) return intern(entry);
    const std::int64_t left = import(other, entry.left), right = import(other, entry.right);
    if (entry.kind == extent_kind::sum) return add(left, right);
    if (entry.kind == extent_kind::difference) return subtract(left, right);
    if (entry.kind == extent_kind::product) return multiply(left, right);
    return divide(left, right);
  }

  constexpr void describe(text& out, std::int64_t e) const { describe_extent(out, entries_, e); }

 private:
  list<derived_extent> entries_;
  const extent_values* values_ = nullptr;

  constexpr bool is(std::int64_t e, extent_kind kind) const {
    return !is_literal(e) && (*this)[e].kind == kind;
  }
  // Whether it is another one less a literal.
  constexpr bool is_shortened(std::int64_t e) const {
    return is(e, extent_kind::difference) && is_literal((*this)[e].right);
  }
  constexpr std::int64_t literal_factor(std::int64_t e) const {
    if (is_literal(e)) return e;
    return is(e, extent_kind::product) && is_literal((*this)[e].right) ? (*this)[e].right : 1;
  }
  constexpr std::int64_t without_factor(std::int64_t e) const {
    if (is_literal(e)) return 1;
    return is(e, extent_kind::product) && is_literal((*this)[e].right) ? (*this)[e].left : e;
  }
  constexpr std::int64_t literal_term(std::int64_t e) const {
    if (is_literal(e)) return e;
    if (is_shortened(e)) return -(*this)[e].right;
    return is(e, extent_kind::sum) && is_literal((*this)[e].right) ? (*this)[e].right : 0;
  }
  constexpr std::int64_t without_term(std::int64_t e) const {
    if (is_literal(e)) return 0;
    if (is_shortened(e)) return (*this)[e].left;
    return is(e, extent_kind::sum) && is_literal((*this)[e].right) ? (*this)[e].left : e;
  }

  // rest, which is no literal and has no literal term, plus the term.
  constexpr std::int64_t with_term(std::int64_t rest, std::int64_t term) {
    if (term == 0) return rest;
    return term > 0 ? intern({extent_kind::sum, nullptr, rest, term})
                    : intern({extent_kind::difference, nullptr, rest, -term});
  }

  // a and b are 1, or products whose factors are not literals; the larger number goes innermost.
  constexpr std::int64_t merge_factors(std::int64_t a, std::int64_t b) {
    if (a == 1) return b;
    if (b == 1) return a;
    list<std::int64_t> factors;
    for (std::int64_t e : {a, b}) {
      while (is(e, extent_kind::product)) {
        factors.push((*this)[e].right);
        e = (*this)[e].left;
      }
      factors.push(e);
    }
    for (int i = 1; i < factors.size(); ++i)
      for (int j = i; j > 0 && factors[j - 1] < factors[j]; --j) {
        const std::int64_t swapped = factors[j];
        factors[j] = factors[j - 1];
        factors[j - 1] = swapped;
      }
    std::int64_t result = factors[0];
    for (int i = 1; i < factors.size(); ++i)
      result = intern({extent_kind::product, nullptr, result, factors[i]});
    return result;
  }
};

/// Whether an extent is made of the derived extent number `symbol`.
TAPELESS_COLD constexpr bool mentions_extent(array_view<const derived_extent> extents, std::int64_t e,
                                             std::int64_t symbol) {
  if (e >= 0) return false;
  const derived_extent& d = extents[static_cast<std::size_t>(-1 - e)];
  if (-1 - e == symbol) return true;
  return d.kind != extent_kind::symbol &&
         (mentions_extent(extents, d.left, symbol) || mentions_extent(extents, d.right, symbol));
}

}  // namespace tapeless
