// SPDX-License-Identifier: BSL-1.0
// The run-time extents of a call: by name, from shapes, or from counts.
#pragma once

#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/bound_elements.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/extent.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/plan/plan_view.hpp>

namespace tapeless {

/// A run-time extent that is bound by its own name, or found from an input whose elements are not needed.
struct bound_extent {
  const name* symbol = nullptr;
  std::int64_t value = 0;
  const name* found_from = nullptr;
  friend bool operator==(const bound_extent&, const bound_extent&) = default;
};

/// Throws an error where what was found from an input differs from what the extent is.
inline void refuse_difference(const bound_extent& found, std::int64_t value) {
  if (value != found.value)
    throw_error({"input \"", found.found_from->view(), "\" has ", found.value, " along \"",
                 found.symbol->view(), "\", which is ", value});
}

/// Throws an error: the difference `e` of two extents would have this value.
template <class = compiled_once>
[[noreturn]] TAPELESS_COLD void refuse_negative(array_view<const derived_extent> entries,
                                                const derived_extent& e, std::int64_t value) {
  if (extent_table::is_literal(e.right))
    throw_error({"the run-time extents are too small: an axis would have ", value, " elements"});
  text left, right;
  describe_extent(left, entries, e.left);
  describe_extent(right, entries, e.right);
  throw_error({"the run-time extents do not fit: ", left.view(), " - ", right.view(), " would be ", value});
}

/// The plan's node of input number i.
inline const run_node& input_node(const plan_view& plan, std::size_t i) {
  return plan.nodes[static_cast<std::size_t>(plan.inputs[i])];
}

/// Finds the values of a plan's symbols from what is bound, and checks all of it against them. The plan must
/// outlive it.
class run_time_extents {
 public:
  explicit run_time_extents(const plan_view& plan) : plan_(plan), symbols_(plan.extents.size(), -1) {}

  /// The value of derived extent k, a symbol; -1 where nothing tells it and nothing needs it.
  std::int64_t operator[](std::size_t k) const { return symbols_[k]; }

  /// Throws an error that names the input, what was expected and what came.
  void find(array_view<const bound_elements> inputs, array_view<const bound_extent> extents) {
    for (std::int64_t& value : symbols_) value = -1;
    for (const bound_extent& e : extents)
      if (e.found_from == nullptr) set_symbol(e);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      check_bound(i, inputs[i]);
      if (inputs[i].rank >= 0) match_shape(i, inputs[i]);
    }
    // A count alone tells one unknown extent; each found one may make another input's only unknown.
    for (bool found = true; found;) {
      found = false;
      for (std::size_t i = 0; i < inputs.size(); ++i) found = found || solve(i, inputs[i]);
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) check_count(i, inputs[i]);
    for (const bound_extent& e : extents)
      if (e.found_from != nullptr) set_found(e);
    for (std::size_t k = 0; k < symbols_.size(); ++k)
      if (is_missing(k)) refuse_missing();
  }

 private:
  const plan_view& plan_;
  std::vector<std::int64_t> symbols_;  // by derived extent

  std::string_view label(std::size_t i) const { return input_node(plan_, i).label->view(); }

  bool is_missing(std::size_t k) const {
    return plan_.extents[k].kind == extent_kind::symbol && symbols_[k] < 0 &&
           needs_extent(plan_, static_cast<std::int64_t>(k));
  }
  // Which of several is to be bound is the caller's choice.
  [[noreturn]] TAPELESS_COLD void refuse_missing() const {
    std::string names;
    int count = 0;
    bool of_input = false;
    for (std::size_t k = 0; k < symbols_.size(); ++k) {
      if (!is_missing(k)) continue;
      append(names, {count++ > 0 ? ", \"" : "\"", plan_.extents[k].symbol->view(), "\""});
      of_input = of_input || is_input_axis(plan_, static_cast<std::int64_t>(k));
    }
    throw_error({count == 1 ? "the run-time extent " : "the run-time extents ", names,
                 " cannot be found from the inputs: bind ",
                 count == 1 ? "it by its name" : "them by their names",
                 count > 1 && of_input ? "; of each input one may be left out" : ""});
  }

  void set_symbol(const bound_extent& e) {
    if (e.value < 0)
      throw_error({"the run-time extent \"", e.symbol->view(), "\" is bound to ", e.value,
                   "; it must not be negative"});
    if (std::int64_t* symbol = find(e)) *symbol = e.value;
  }
  // An input that is not needed for its elements has the extents of the others all the same.
  void set_found(const bound_extent& e) {
    std::int64_t* const symbol = find(e);
    if (symbol == nullptr) return;
    if (*symbol >= 0) refuse_difference(e, *symbol);
    *symbol = e.value;
  }
  std::int64_t* find(const bound_extent& e) {
    for (std::size_t k = 0; k < symbols_.size(); ++k)
      if (plan_.extents[k].kind == extent_kind::symbol && plan_.extents[k].symbol == e.symbol)
        return &symbols_[k];
    return nullptr;
  }

  void check_bound(std::size_t i, const bound_elements& in) const {
    const run_node& n = input_node(plan_, i);
    if (!in.given)
      throw_error({"input \"", label(i), "\" is not bound: give it ", name_of(n.type), expected_shape(n)});
    if (in.type != n.type)
      throw_error({"input \"", label(i), "\" expects elements of type ", name_of(n.type), ", but got ",
                   name_of(in.type)});
  }

  // The shape as the model has it, with the extents that are known by now.
  TAPELESS_COLD std::string expected_shape(const run_node& n) const {
    std::string s;
    for (int d = 0; d < n.rank; ++d) {
      const std::int64_t e = n.shape[d];
      append(s, {d > 0 ? ", " : ""});
      if (e >= 0) {
        append(s, {e});
        continue;
      }
      const auto k = static_cast<std::size_t>(-1 - e);
      const name* symbol = plan_.extents[k].symbol;
      append(s, {symbol == nullptr ? "?" : symbol->view()});
      if (symbols_[k] >= 0) append(s, {" = ", symbols_[k]});
    }
    return join({"[", s, "]"});
  }

  static std::string shape_text(const bound_elements& in) {
    if (in.rank < 0) return join({in.count, in.count == 1 ? " element" : " elements"});
    return io::shape_text({in.shape.data(), static_cast<std::size_t>(in.rank)});
  }

  [[noreturn]] TAPELESS_COLD void wrong_shape(std::size_t i, const bound_elements& in) const {
    throw_error({"input \"", label(i), "\" expects the shape ", expected_shape(input_node(plan_, i)),
                 ", but got ", shape_text(in)});
  }

  void match_shape(std::size_t i, const bound_elements& in) {
    const run_node& n = input_node(plan_, i);
    if (in.rank != n.rank) wrong_shape(i, in);
    for (int d = 0; d < n.rank; ++d) {
      const std::int64_t given = in.shape[static_cast<std::size_t>(d)], e = n.shape[d];
      if (e >= 0) {
        if (e != given) wrong_shape(i, in);
        continue;
      }
      std::int64_t& known = symbols_[static_cast<std::size_t>(-1 - e)];
      if (known < 0) known = given;
      if (known != given) wrong_shape(i, in);
    }
  }

  bool solve(std::size_t i, const bound_elements& in) {
    const run_node& n = input_node(plan_, i);
    std::int64_t known = 1, unknown = 0;
    for (int d = 0; d < n.rank; ++d) {
      const std::int64_t e = n.shape[d];
      const std::int64_t extent = e >= 0 ? e : symbols_[static_cast<std::size_t>(-1 - e)];
      if (extent >= 0) {
        known = bounded_product(known, extent);
      } else if (unknown != 0) {
        return false;
      } else {
        unknown = e;
      }
    }
    if (unknown == 0) return false;
    if (known == 0 && in.count == 0) return false;  // any extent would do: others may tell it
    if (known == 0 || in.count % known != 0) wrong_shape(i, in);
    symbols_[static_cast<std::size_t>(-1 - unknown)] = in.count / known;
    return true;
  }

  void check_count(std::size_t i, const bound_elements& in) const {
    const run_node& n = input_node(plan_, i);
    std::int64_t count = 1;
    for (int d = 0; d < n.rank; ++d) {
      const std::int64_t e = n.shape[d];
      const std::int64_t extent = e >= 0 ? e : symbols_[static_cast<std::size_t>(-1 - e)];
      if (extent < 0) return;
      count = bounded_product(count, extent);
    }
    if (count != in.count) wrong_shape(i, in);
  }
};

}  // namespace tapeless
