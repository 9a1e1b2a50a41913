// SPDX-License-Identifier: BSL-1.0
// Graphs, evaluated node by node while the program runs: no plan, no kernels. It computes with the
// operations' own apply() and combine(), and has code of its own for everything that moves elements, so that
// what a policy's kernels and the planner do wrong cannot hide here, and thousands of small graphs need no
// compiler's time each.
#pragma once

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/graph.hpp>
#include <tapeless/graph/structural/axis_attributes.hpp>
#include <tapeless/graph/structural/leaf.hpp>
#include <tapeless/graph/structural/sliding_windows.hpp>
#include <tapeless/matrices/plain_loops.hpp>
#include <tapeless/ops/kernel_operations.hpp>
#include <tapeless/plan/families/planned_sort.hpp>

namespace opinfo {

namespace tl = tapeless;
using extents = std::vector<std::int64_t>;

/// An element of any type: floating ones as double (a float is one), others as a whole number.
union cell {
  double number = 0;
  std::int64_t whole;
};

template <class T>
T get(cell c) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(c.number);
  if constexpr (std::is_integral_v<T>) return static_cast<T>(c.whole);
}
template <class T>
cell cell_of(T x) {
  cell c;
  if constexpr (std::is_floating_point_v<T>) c.number = static_cast<double>(x);
  if constexpr (std::is_integral_v<T>) c.whole = static_cast<std::int64_t>(x);
  return c;
}

/// Calls f with a number of the C++ type that elements of this type are computed in.
template <class F>
void with_type(tl::element type, F f) {
  switch (type) {
    case tl::element::f64:
    case tl::element::number:
      return f(double());
    case tl::element::f32:
      return f(float());
    case tl::element::i32:
      return f(std::int32_t());
    case tl::element::i64:
      return f(std::int64_t());
    case tl::element::u8:
      return f(std::uint8_t());
    case tl::element::i8:
      return f(std::int8_t());
    case tl::element::i16:
      return f(std::int16_t());
    case tl::element::u32:
      return f(std::uint32_t());
    case tl::element::boolean:
      return f(bool());
    default:
      throw tl::error("the interpreter has no elements of the type " + std::string(tl::name_of(type)));
  }
}

/// Elements in row-major order.
struct tensor {
  tl::element type = tl::element::f64;
  extents shape;
  std::vector<cell> cells;
};

inline std::int64_t count_of(const extents& shape) {
  std::int64_t count = 1;
  for (const std::int64_t e : shape) count *= e;
  return count;
}

/// Calls f(places) for all places of the shape, in row-major order.
template <class F>
void for_each_place(const extents& shape, F f) {
  extents at(shape.size(), 0);
  for (std::int64_t n = count_of(shape); n > 0; --n) {
    f(at);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++at[axis] < shape[axis]) break;
      at[axis] = 0;
    }
  }
}

inline std::size_t offset(const extents& shape, const extents& at) {
  std::int64_t place = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) place = place * shape[i] + at[i];
  return static_cast<std::size_t>(place);
}

/// The element that stands at a place of a shape that x is broadcast to.
inline cell broadcast_element(const tensor& x, const extents& at) {
  extents own(x.shape.size());
  for (std::size_t i = 0; i < own.size(); ++i) own[i] = x.shape[i] == 1 ? 0 : at[at.size() - own.size() + i];
  return x.cells[offset(x.shape, own)];
}

/// Computes the nodes of a graph that is pruned, each when it is first asked for.
class interpreter {
 public:
  /// `given` has what inputs and parameters are bound to, by name.
  interpreter(const tl::graph& g, const std::map<std::string, tensor, std::less<>>& given)
      : g_(g), given_(given), known_(static_cast<std::size_t>(g.nodes.size())) {}

  const tensor& operator[](int id) {
    tensor& result = known_[static_cast<std::size_t>(id)];
    if (is_known(id)) return result;
    const tl::node& n = g_.nodes[id];
    if (n.op == &tl::graph::stack_operation || n.op == &tl::graph::last_operation) {
      run_loop(g_.nodes[n.operands[0]].region);
    } else {
      result = computed(n);
      mark(id);
    }
    return result;
  }

 private:
  const tl::graph& g_;
  const std::map<std::string, tensor, std::less<>>& given_;
  std::vector<tensor> known_;
  std::vector<char> marks_;     // nodes that are known
  std::int64_t iteration_ = 0;  // of the loop that is run

  bool is_known(int id) const {
    return static_cast<std::size_t>(id) < marks_.size() && marks_[static_cast<std::size_t>(id)] != 0;
  }
  void mark(int id, bool known = true) {
    marks_.resize(known_.size());
    marks_[static_cast<std::size_t>(id)] = known ? 1 : 0;
  }

  static extents shape_of(const tl::node& n) { return extents(n.shape, n.shape + n.rank); }
  const tensor& operand(const tl::node& n, int k) { return (*this)[n.operands[k]]; }

  static tensor empty(const tl::node& n) {
    tensor result{n.type, shape_of(n), {}};
    result.cells.resize(static_cast<std::size_t>(count_of(result.shape)));
    return result;
  }
  /// f(places) gives each element.
  template <class F>
  static tensor filled(const tl::node& n, F f) {
    tensor result{n.type, shape_of(n), {}};
    result.cells.reserve(static_cast<std::size_t>(count_of(result.shape)));
    for_each_place(result.shape, [&](const extents& at) { result.cells.push_back(f(at)); });
    return result;
  }

  tensor computed(const tl::node& n) {
    switch (n.op->kind) {
      case tl::family::input:
      case tl::family::parameter:
        return bound(n);
      case tl::family::constant:
        return number(n, n.number);
      case tl::family::hyperparameter:
        return number(n, 0);
      case tl::family::iota:
        return filled(n, [&](const extents& at) {
          const std::int64_t index = at[static_cast<std::size_t>(tl::axis_of(n))];
          return tl::is_floating(n.type) ? cell_of(static_cast<double>(index)) : cell_of(index);
        });
      case tl::family::pointwise:
        return pointwise(n);
      case tl::family::reduction:
        return reduction(n);
      case tl::family::product:
        return product(n);
      case tl::family::view:
        return view(n);
      case tl::family::pad:
        return pad(n);
      case tl::family::concat:
        return concat(n);
      case tl::family::overlap:
        return overlap(n);
      case tl::family::gather:
        return gather(n);
      case tl::family::scatter:
        return scatter(n);
      case tl::family::prefix_scan:
        return prefix_scan(n);
      case tl::family::sort:
        return order(n);
      case tl::family::matrix_function:
        return matrix_function(n);
      case tl::family::fourier:
        return fourier(n);
      default:
        throw tl::error("the interpreter has no code for " + std::string(n.op->name));
    }
  }

  tensor bound(const tl::node& n) const {
    const auto found = given_.find(n.label->view());
    if (found == given_.end()) throw tl::error("nothing is given for " + std::string(n.label->view()));
    if (found->second.type != n.type || found->second.shape != shape_of(n))
      throw tl::error("what is given for " + std::string(n.label->view()) + " does not fit");
    return found->second;
  }

  static tensor number(const tl::node& n, double x) {
    return filled(n, [&](const extents&) {
      return tl::is_floating(n.type) ? cell_of(x) : cell_of(static_cast<std::int64_t>(x));
    });
  }

  // Element by element.

  tensor pointwise(const tl::node& n) {
    const int code = tl::pointwise_code(n.op);
    if (code == tl::copy_code) return operand(n, 0);
    if (code == tl::cast_code) return converted(operand(n, 0), n.type);
    tensor result = empty(n);
    [&]<int... Code>(std::integer_sequence<int, Code...>) {
      ((Code == code ? apply<tl::pointwise_operation_at<Code>>(n, result) : void()), ...);
    }(std::make_integer_sequence<int, tl::pointwise_operations::size>());
    return result;
  }

  static tensor converted(const tensor& x, tl::element type) {
    tensor result{type, x.shape, x.cells};
    with_type(x.type, [&](auto from) {
      with_type(type, [&](auto to) {
        for (cell& c : result.cells) {
          const auto value = get<decltype(from)>(c);
          if constexpr (std::is_floating_point_v<decltype(from)> && std::is_integral_v<decltype(to)> &&
                        !std::is_same_v<decltype(to), bool>) {
            c = cell_of(tl::whole_part<decltype(to)>(value));
          } else {
            c = cell_of(static_cast<decltype(to)>(value));
          }
        }
      });
    });
    return result;
  }

  /// Whether an operation is computed in T.
  template <class Operation, class T>
  static constexpr bool takes() {
    constexpr bool is_random = std::is_same_v<Operation, tl::random_operation> ||
                               std::is_same_v<Operation, tl::random_double_operation> ||
                               std::is_same_v<Operation, tl::random_normal_operation>;
    if (is_random) return std::is_same_v<T, std::int64_t>;
    if (std::is_same_v<Operation, tl::abs_operation> && std::is_unsigned_v<T>) return false;
    if (Operation::takes == tl::element_kind::any) return true;
    if (Operation::takes == tl::element_kind::booleans) return std::is_same_v<T, bool>;
    if (Operation::takes == tl::element_kind::integers)
      return std::is_integral_v<T> && !std::is_same_v<T, bool>;
    if (std::is_floating_point_v<T>) return true;
    return Operation::takes == tl::element_kind::numbers &&
           (Operation::first_typed > 0 || !std::is_same_v<T, bool>);
  }

  template <class Operation>
  void apply(const tl::node& n, tensor& result) {
    std::array<const tensor*, 3> x{};
    for (int k = 0; k < n.operand_count; ++k) x[static_cast<std::size_t>(k)] = &operand(n, k);
    with_type(x[Operation::first_typed]->type, [&](auto typed) {
      using T = decltype(typed);
      if constexpr (takes<Operation, T>()) {
        std::size_t next = 0;
        for_each_place(result.shape, [&](const extents& at) {
          const auto y = [&]<int... K>(std::integer_sequence<int, K...>) {
            return Operation::apply(get<std::conditional_t<(K < Operation::first_typed), bool, T>>(
                broadcast_element(*x[K], at))...);
          }(std::make_integer_sequence<int, Operation::arity>());
          with_type(result.type,
                    [&](auto to) { result.cells[next] = cell_of(static_cast<decltype(to)>(y)); });
          ++next;
        });
      } else {
        throw tl::error(std::string(n.op->name) + " takes no " + std::string(tl::name_of(x[0]->type)));
      }
    });
  }

  tensor reduction(const tl::node& n) {
    tensor result = empty(n);
    const int code = tl::reduction_code(n.op);
    [&]<int... Code>(std::integer_sequence<int, Code...>) {
      ((Code == code ? reduce<tl::reduction_operation_at<Code>>(n, result) : void()), ...);
    }(std::make_integer_sequence<int, tl::reduction_operations::size>());
    return result;
  }

  template <class Operation>
  void reduce(const tl::node& n, tensor& result) {
    const tensor& x = operand(n, 0);
    const unsigned axes = tl::axes_of(n);
    with_type(x.type, [&](auto typed) {
      using T = decltype(typed);
      for (cell& c : result.cells) c = cell_of(static_cast<T>(Operation::template identity<T>));
      std::size_t next = 0;
      for_each_place(x.shape, [&](const extents& at) {
        extents kept;
        for (std::size_t i = 0; i < at.size(); ++i)
          if ((axes >> i & 1u) == 0) kept.push_back(at[i]);
        cell& sum = result.cells[offset(result.shape, kept)];
        sum = cell_of(static_cast<T>(Operation::combine(get<T>(sum), get<T>(x.cells[next++]))));
      });
    });
  }

  /// [..., m, k] [..., k, n]
  tensor product(const tl::node& n) {
    const tensor &a = operand(n, 0), &b = operand(n, 1);
    const std::int64_t inner = a.shape.back();
    return filled(n, [&](const extents& at) {
      extents left = at, right = at;
      double sum = 0;
      for (std::int64_t k = 0; k < inner; ++k) {
        left[left.size() - 1] = right[right.size() - 2] = k;
        sum += broadcast_element(a, left).number * broadcast_element(b, right).number;
      }
      return n.type == tl::element::f32 ? cell_of(static_cast<float>(sum)) : cell_of(sum);
    });
  }

  // What moves elements.

  tensor view(const tl::node& n) {
    const tensor& x = operand(n, 0);
    switch (n.op->as<tl::view_kind>()) {
      case tl::view_kind::reshape:
        return {n.type, shape_of(n), x.cells};
      case tl::view_kind::permute:
        return filled(n, [&](const extents& at) {
          extents from(at.size());
          for (std::size_t i = 0; i < at.size(); ++i)
            from[static_cast<std::size_t>(tl::permuted_axis(n, static_cast<int>(i)))] = at[i];
          return x.cells[offset(x.shape, from)];
        });
      case tl::view_kind::expand:
        return filled(n, [&](const extents& at) { return broadcast_element(x, at); });
      case tl::view_kind::slice: {
        const tl::slice_places s = tl::slice_of(n);
        return filled(n, [&](extents at) {
          std::int64_t& place = at[static_cast<std::size_t>(s.axis)];
          place = s.begin + place * s.step;
          return x.cells[offset(x.shape, at)];
        });
      }
      case tl::view_kind::windows: {
        const tl::sliding_windows w = tl::windows_of(n);
        return filled(n, [&](extents at) {
          const std::int64_t within = at.back();
          at.pop_back();
          std::int64_t& place = at[static_cast<std::size_t>(w.axis)];
          place = place * w.each.stride + within * w.each.dilation;
          return x.cells[offset(x.shape, at)];
        });
      }
      case tl::view_kind::iteration:
        return filled(n, [&](extents at) {
          at.insert(at.begin(), iteration_);
          return x.cells[offset(x.shape, at)];
        });
      case tl::view_kind::last:
        break;
    }
    throw tl::error("the interpreter has no view " + std::string(n.op->name));
  }

  tensor pad(const tl::node& n) {
    const tensor& x = operand(n, 0);
    const tl::slice_places s = tl::slice_of(n);
    tensor result = empty(n);
    std::size_t next = 0;
    for_each_place(x.shape, [&](extents at) {
      std::int64_t& place = at[static_cast<std::size_t>(s.axis)];
      place = s.begin + place * s.step;
      result.cells[offset(result.shape, at)] = x.cells[next++];
    });
    return result;
  }

  tensor concat(const tl::node& n) {
    const auto axis = static_cast<std::size_t>(tl::axis_of(n));
    tensor result = empty(n);
    std::int64_t begin = 0;
    for (int k = 0; k < n.operand_count; ++k) {
      const tensor& x = operand(n, k);
      std::size_t next = 0;
      for_each_place(x.shape, [&](extents at) {
        at[axis] += begin;
        result.cells[offset(result.shape, at)] = x.cells[next++];
      });
      begin += x.shape[axis];
    }
    return result;
  }

  tensor overlap(const tl::node& n) {
    const tensor& x = operand(n, 0);
    const tl::sliding_windows w = tl::windows_of(n, g_.nodes[n.operands[0]]);
    tensor result = empty(n);
    std::size_t next = 0;
    for_each_place(x.shape, [&](extents at) {
      const std::int64_t within = at.back();
      at.pop_back();
      std::int64_t& place = at[static_cast<std::size_t>(w.axis)];
      place = place * w.each.stride + within * w.each.dilation;
      result.cells[offset(result.shape, at)].number += x.cells[next++].number;
    });
    return result;
  }

  /// An index's element; one out of range is a mistake, as it is when a program's inputs are bound.
  static std::int64_t index_at(const tensor& index, const extents& at, std::int64_t bound) {
    const std::int64_t i = index.cells[offset(index.shape, at)].whole;
    if (i < 0 || i >= bound)
      throw tl::error("an index is " + std::to_string(i) + " of " + std::to_string(bound));
    return i;
  }

  tensor gather(const tl::node& n) {
    const tensor& x = operand(n, 0);
    const auto axis = static_cast<std::size_t>(tl::axis_of(n));
    switch (n.op->as<tl::gather_kind>()) {
      case tl::gather_kind::flip:
        return filled(n, [&](extents at) {
          at[axis] = x.shape[axis] - 1 - at[axis];
          return x.cells[offset(x.shape, at)];
        });
      case tl::gather_kind::by_index: {
        const tensor& index = operand(n, 1);
        return filled(n, [&](extents at) {
          at[axis] = index_at(index, at, x.shape[axis]);
          return x.cells[offset(x.shape, at)];
        });
      }
    }
    throw tl::error("the interpreter has no gather " + std::string(n.op->name));
  }

  tensor scatter(const tl::node& n) {
    const auto kind = n.op->as<tl::scatter_kind>();
    const tensor &x = operand(n, 0), &index = operand(n, 1);
    const auto axis = static_cast<std::size_t>(tl::axis_of(n));
    tensor result = empty(n);
    std::size_t next = 0;
    with_type(n.type, [&](auto typed) {
      using T = decltype(typed);
      using limits = std::numeric_limits<T>;
      T none = 0;
      if (kind == tl::scatter_kind::largest)
        none = limits::has_infinity ? static_cast<T>(-limits::infinity()) : limits::lowest();
      if (kind == tl::scatter_kind::smallest)
        none = limits::has_infinity ? limits::infinity() : limits::max();
      for (cell& c : result.cells) c = cell_of(none);
      for_each_place(x.shape, [&](extents at) {
        at[axis] = index_at(index, at, result.shape[axis]);
        cell& there = result.cells[offset(result.shape, at)];
        const T a = get<T>(there), b = get<T>(x.cells[next++]);
        T now = static_cast<T>(a + b);
        if (kind == tl::scatter_kind::largest) now = b > a || b != b ? b : a;
        if (kind == tl::scatter_kind::smallest) now = b < a || b != b ? b : a;
        there = cell_of(now);
      });
    });
    return result;
  }

  tensor prefix_scan(const tl::node& n) {
    const tensor& x = operand(n, 0);
    const tl::scan_places s = tl::prefix_scan_of(n);
    const auto axis = static_cast<std::size_t>(s.axis);
    const std::int64_t step = s.from_the_end ? -1 : 1;
    tensor result = x;
    extents lines = x.shape;
    if (count_of(lines) > 0) lines[axis] = 1;
    with_type(n.type, [&](auto typed) {
      using T = decltype(typed);
      for_each_place(lines, [&](extents at) {
        for (std::int64_t k = 1; k < x.shape[axis]; ++k) {
          at[axis] = s.from_the_end ? x.shape[axis] - 1 - k : k;
          const std::size_t here = offset(x.shape, at);
          extents there = at;
          there[axis] -= step;
          const T before = get<T>(result.cells[offset(x.shape, there)]), now = get<T>(x.cells[here]);
          T y{};
          switch (n.op->as<tl::prefix_scan_kind>()) {
            case tl::prefix_scan_kind::sum:
              y = static_cast<T>(before + now);
              break;
            case tl::prefix_scan_kind::product:
              y = static_cast<T>(before * now);
              break;
            case tl::prefix_scan_kind::largest:
              y = tl::larger(before, now);
              break;
            case tl::prefix_scan_kind::recurrence: {
              const extents& factor = s.from_the_end ? there : at;
              const tensor& a = operand(n, 1);
              y = static_cast<T>(now + get<T>(a.cells[offset(a.shape, factor)]) * before);
              break;
            }
            default:
              throw tl::error("the interpreter has no prefix scan " + std::string(n.op->name));
          }
          result.cells[here] = cell_of(y);
        }
      });
    });
    return result;
  }

  /// Where the elements along the last axis stand in their order; equal ones keep theirs.
  tensor order(const tl::node& n) {
    const tensor& x = operand(n, 0);
    tensor result = empty(n);
    const std::int64_t length = x.shape.back();
    with_type(x.type, [&](auto typed) {
      using T = decltype(typed);
      for (std::size_t begin = 0; begin < x.cells.size(); begin += static_cast<std::size_t>(length)) {
        const auto at = [&](std::int64_t i) { return get<T>(x.cells[begin + static_cast<std::size_t>(i)]); };
        std::vector<std::int64_t> places(static_cast<std::size_t>(length));
        std::iota(places.begin(), places.end(), 0);
        const auto before = [&](std::int64_t a, std::int64_t b) {
          return tl::sort_of(n).downward ? tl::sorts_before<true>(at(a), at(b))
                                         : tl::sorts_before<false>(at(a), at(b));
        };
        std::sort(places.begin(), places.end(),
                  [&](std::int64_t a, std::int64_t b) { return before(a, b) || (!before(b, a) && a < b); });
        for (std::size_t i = 0; i < places.size(); ++i) result.cells[begin + i] = cell_of(places[i]);
      }
    });
    return result;
  }

  // Of whole matrices, by the functions that all policies share.

  tensor matrix_function(const tl::node& n) {
    tensor result = empty(n);
    const auto kind = n.op->as<tl::matrix_kind>();
    [&]<int... Kind>(std::integer_sequence<int, Kind...>) {
      ((static_cast<int>(kind) == Kind ? each_matrix<static_cast<tl::matrix_kind>(Kind)>(n, result) : void()),
       ...);
    }(std::make_integer_sequence<int, static_cast<int>(tl::matrix_kind::triangular_solve) + 1>());
    return result;
  }

  template <tl::matrix_kind Kind>
  void each_matrix(const tl::node& n, tensor& result) {
    std::array<std::vector<double>, 3> numbers;  // the operands, and the result
    std::array<std::int64_t, 3> rows{}, columns{};
    const auto describe = [&](std::size_t k, const tensor& x) {
      rows[k] = x.shape[x.shape.size() - 2];
      columns[k] = x.shape[x.shape.size() - 1];
      for (const cell c : x.cells) numbers[k].push_back(c.number);
    };
    for (int k = 0; k < n.operand_count; ++k) describe(static_cast<std::size_t>(k), operand(n, k));
    describe(2, result);
    const std::int64_t size = rows[2] * columns[2];
    const std::int64_t count = size == 0 ? 0 : static_cast<std::int64_t>(result.cells.size()) / size;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto matrix = [&]<class T>(std::size_t k, T* data) {
        return tl::matrix_kernels::matrix<T>{data + i * rows[k] * columns[k], columns[k], 1};
      };
      tl::matrix_kernels::run_plain_loops<Kind, double>(
          matrix(0, static_cast<const double*>(numbers[0].data())),
          matrix(1, static_cast<const double*>(numbers[1].data())), matrix(2, numbers[2].data()), rows[0],
          columns[0], columns[2], tl::triangle_of(n));
    }
    for (std::size_t i = 0; i < result.cells.size(); ++i) result.cells[i] = cell_of(numbers[2][i]);
  }

  // Fourier transforms, by the sums that define them.

  tensor fourier(const tl::node& n) {
    const tensor& x = operand(n, 0);
    tensor result = empty(n);
    const auto kind = n.op->as<tl::fourier_kind>();
    const bool half = kind == tl::fourier_kind::half, whole = kind == tl::fourier_kind::whole;
    const auto places =
        static_cast<std::size_t>(half ? x.shape.back() : result.shape[result.shape.size() - (whole ? 1 : 2)]);
    const std::size_t from = half ? places : 2 * (whole ? places / 2 + 1 : places);
    const std::size_t to = whole ? places : 2 * (half ? places / 2 + 1 : places);
    const double sign = half || kind == tl::fourier_kind::forward ? -1 : 1;
    for (std::size_t line = 0; from != 0 && line < x.cells.size() / from; ++line) {
      const auto number = [&](std::size_t j) -> std::complex<double> {
        const cell* at = x.cells.data() + line * from;
        if (half) return at[j].number;
        if (!whole || 2 * j < places) return {at[2 * j].number, whole && j == 0 ? 0 : at[2 * j + 1].number};
        if (2 * j == places) return at[2 * j].number;
        return {at[2 * (places - j)].number, -at[2 * (places - j) + 1].number};
      };
      for (std::size_t k = 0; k < to / (whole ? 1 : 2); ++k) {
        std::complex<double> sum = 0;
        for (std::size_t j = 0; j < places; ++j)
          sum +=
              number(j) * std::polar(1.0, sign * 2 * std::numbers::pi * static_cast<double>(j * k % places) /
                                              static_cast<double>(places));
        cell* at = result.cells.data() + line * to + (whole ? k : 2 * k);
        at[0] = cell_of(sum.real());
        if (!whole) at[1] = cell_of(sum.imag());
      }
    }
    return result;
  }

  // Loops.

  /// Makes what leaves a loop known: the carries' last values, and stacked ones.
  void run_loop(int region) {
    const tl::loop_region& loop = g_.regions[region - 1];
    std::vector<int> carries, stacks, lasts;
    for (int i = 0; i < g_.nodes.size(); ++i) {
      const tl::node& n = g_.nodes[i];
      const bool leaves = n.op == &tl::graph::stack_operation || n.op == &tl::graph::last_operation;
      if (n.region == region && n.op->kind == tl::family::carry) carries.push_back(i);
      if (!leaves || g_.nodes[n.operands[0]].region != region) continue;
      (n.op == &tl::graph::stack_operation ? stacks : lasts).push_back(i);
    }
    for (const int c : carries) known_[static_cast<std::size_t>(c)] = (*this)[g_.nodes[c].operands[0]];
    for (const int s : stacks) known_[static_cast<std::size_t>(s)] = empty(g_.nodes[s]);
    for (std::int64_t k = 0; k < loop.count; ++k) {
      for (int i = 0; i < g_.nodes.size(); ++i)
        if (g_.nodes[i].region == region) mark(i, g_.nodes[i].op->kind == tl::family::carry);
      iteration_ = loop.reversed ? loop.count - 1 - k : k;
      std::vector<tensor> next;
      for (const int c : carries) next.push_back((*this)[g_.next(c)]);
      for (const int s : stacks) {
        const tensor& x = (*this)[g_.nodes[s].operands[0]];
        std::vector<cell>& all = known_[static_cast<std::size_t>(s)].cells;
        std::copy(x.cells.begin(), x.cells.end(),
                  all.begin() + iteration_ * static_cast<std::int64_t>(x.cells.size()));
      }
      for (std::size_t c = 0; c < carries.size(); ++c) known_[static_cast<std::size_t>(carries[c])] = next[c];
    }
    for (const int l : lasts) {
      known_[static_cast<std::size_t>(l)] = known_[static_cast<std::size_t>(g_.nodes[l].operands[0])];
      mark(l);
    }
    for (const int s : stacks) mark(s);
  }
};

}  // namespace opinfo
