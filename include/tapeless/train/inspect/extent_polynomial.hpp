// SPDX-License-Identifier: BSL-1.0
// Numbers that depend on run-time extents, as sums of products: 2.1 k batch + 640.
#pragma once

#include <string>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/inspect/work.hpp>
#include <tapeless/train/loop/measurement_text.hpp>

namespace tapeless {

/// A plan's table of extents, some of whose symbols are known.
struct known_extents {
  array_view<const derived_extent> table;
  array_view<const bound_extent> given;

  /// The value of a symbol, or -1.
  constexpr std::int64_t value_of(const name* symbol) const {
    for (const bound_extent& e : given)
      if (e.symbol == symbol) return e.value;
    return -1;
  }
  constexpr const derived_extent& operator[](std::int64_t e) const {
    return table[static_cast<std::size_t>(-1 - e)];
  }
};

/// A sum of products of extents that are not known, which are entries of a plan's table. Factors are doubles:
/// exact up to 2^53, and no overflow beyond.
class extent_polynomial {
 public:
  static constexpr int max_degree = 16;  // as many factors as work has
  struct term {
    double factor = 0;
    int degree = 0;
    std::int64_t extents[max_degree] = {};  // sorted
  };

  constexpr extent_polynomial() = default;
  constexpr extent_polynomial(double constant) { add(term{constant}); }
  constexpr extent_polynomial(const extent_polynomial& p) { *this += p; }
  constexpr extent_polynomial(extent_polynomial&&) = default;
  constexpr extent_polynomial& operator=(extent_polynomial&&) = default;

  /// The work, with extents by what they are made of.
  constexpr extent_polynomial(const work& w, const known_extents& known) {
    extent_polynomial p(static_cast<double>(w.factor) / static_cast<double>(w.divisor));
    for (int k = 0; k < w.count; ++k) p = p * of_extent(w.extents[k], known);
    *this = static_cast<extent_polynomial&&>(p);
  }

  static constexpr extent_polynomial of_extent(std::int64_t e, const known_extents& known) {
    if (extent_table::is_literal(e)) return static_cast<double>(e);
    const derived_extent& d = known[e];
    switch (d.kind) {
      case extent_kind::symbol:
        if (const std::int64_t value = known.value_of(d.symbol); value >= 0)
          return static_cast<double>(value);
        break;
      case extent_kind::sum:
        return of_extent(d.left, known) + of_extent(d.right, known);
      case extent_kind::difference:
        return of_extent(d.left, known) + extent_polynomial(-1) * of_extent(d.right, known);
      case extent_kind::product:
        return of_extent(d.left, known) * of_extent(d.right, known);
      case extent_kind::quotient: {
        const extent_polynomial left = of_extent(d.left, known), right = of_extent(d.right, known);
        if (left.is_constant() && right.is_constant() && right.constant() != 0) {
          const auto whole = static_cast<std::int64_t>(left.constant());
          return static_cast<double>(whole / static_cast<std::int64_t>(right.constant()));
        }
        break;
      }
    }
    extent_polynomial p;
    p.add({1, 1, {e}});
    return p;
  }

  constexpr extent_polynomial& operator+=(const extent_polynomial& p) {
    for (const term& t : p.terms_) add(t);
    return *this;
  }
  friend constexpr extent_polynomial operator+(const extent_polynomial& a, const extent_polynomial& b) {
    extent_polynomial sum = a;
    sum += b;
    return sum;
  }
  friend constexpr extent_polynomial operator*(const extent_polynomial& a, const extent_polynomial& b) {
    extent_polynomial product;
    for (const term& s : a.terms_)
      for (const term& t : b.terms_) product.add(multiplied(s, t));
    return product;
  }

  constexpr bool is_constant() const {
    for (const term& t : terms_)
      if (t.degree > 0 && t.factor != 0) return false;
    return true;
  }
  /// The term without extents: the value, where all are known.
  constexpr double constant() const {
    for (const term& t : terms_)
      if (t.degree == 0) return t.factor;
    return 0;
  }
  constexpr array_view<const term> terms() const { return terms_; }

 private:
  list<term> terms_;

  static constexpr bool same_extents(const term& s, const term& t) {
    bool same = s.degree == t.degree;
    for (int k = 0; same && k < s.degree; ++k) same = s.extents[k] == t.extents[k];
    return same;
  }
  constexpr void add(const term& t) {
    for (term& own : terms_)
      if (same_extents(own, t)) {
        own.factor += t.factor;
        return;
      }
    if (t.factor != 0) terms_.push(t);
  }
  static constexpr term multiplied(const term& s, const term& t) {
    term product{s.factor * t.factor, s.degree};
    for (int k = 0; k < s.degree; ++k) product.extents[k] = s.extents[k];
    for (int k = 0; k < t.degree; ++k) {
      int at = product.degree++;
      if (at == max_degree)
        throw_error("work has more than 16 run-time extents as factors: say the values of some");
      for (; at > 0 && product.extents[at - 1] < t.extents[k]; --at)
        product.extents[at] = product.extents[at - 1];
      product.extents[at] = t.extents[k];
    }
    return product;
  }
};

namespace detail {

/// 640, 2.1 k, 13.5 M: a number with at most four digits.
TAPELESS_COLD inline std::string count_text(double x) {
  constexpr const char* units[] = {"", " k", " M", " G", " T", " P"};
  if (std::abs(x) < 9999.5) return printed("%.0f", x);
  int unit = 0;
  for (; std::abs(x) >= 999.5 && unit < 5; ++unit) x /= 1000;
  return printed("%.3g", x) + units[unit];
}
/// 640 B, 2.1 kB: powers of 1000.
TAPELESS_COLD inline std::string byte_text(double x) {
  const std::string number = count_text(x);
  return join({number, number.find(' ') == std::string::npos ? " B" : "B"});
}

/// An extent as it was written: batch, 64, (length / 2).
TAPELESS_COLD inline std::string extent_text(std::int64_t e, const known_extents& known) {
  if (extent_table::is_literal(e)) return join({e});
  const extent_polynomial p = extent_polynomial::of_extent(e, known);
  if (p.is_constant()) return join({static_cast<std::int64_t>(p.constant())});
  const derived_extent& d = known[e];
  if (d.kind == extent_kind::symbol) return std::string(d.symbol->view());
  const char* sign = d.kind == extent_kind::sum          ? " + "
                     : d.kind == extent_kind::difference ? " - "
                     : d.kind == extent_kind::product    ? " * "
                                                         : " / ";
  return join({"(", extent_text(d.left, known), sign, extent_text(d.right, known), ")"});
}

/// [batch, batch * 64]
template <class Extents>
TAPELESS_COLD std::string shape_text(const Extents& extents, int rank, const known_extents& known) {
  std::string text = "[";
  for (int d = 0; d < rank; ++d) {
    const std::string extent = extent_text(extents[d], known);
    const bool outer = extent.front() == '(';
    append(text, {d > 0 ? ", " : "", outer ? std::string_view(extent).substr(1, extent.size() - 2) : extent});
  }
  return text + "]";
}

/// 2.1 k batch + 640, the terms with the most extents first. `number` writes the factors.
TAPELESS_COLD inline std::string polynomial_text(const extent_polynomial& p, const known_extents& known,
                                                 std::string (*number)(double) = &count_text) {
  std::string text;
  for (int degree = extent_polynomial::max_degree; degree >= 0; --degree)
    for (const extent_polynomial::term& t : p.terms()) {
      if (t.degree != degree || t.factor == 0) continue;
      std::string factor = number(t.factor);
      if (factor == "1" && degree > 0) factor.clear();
      append(text, {text.empty() ? "" : " + ", factor});
      for (int k = 0, same = 1; k < degree; k += same) {
        for (same = 1; k + same < degree && t.extents[k + same] == t.extents[k];) ++same;
        append(text, {k == 0 && factor.empty() ? "" : " ", extent_text(t.extents[k], known)});
        if (same > 1) append(text, {"^", same});
      }
    }
  return text.empty() ? number(0) : text;
}

}  // namespace detail

}  // namespace tapeless
