// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <tapeless/graph/transform/forward.hpp>
#include <tapeless/graph/transform/prune.hpp>
#include <tapeless/graph/transform/reverse.hpp>
#include <tapeless/ops/pointwise/arithmetic.hpp>
#include <tapeless/ops/reduction/sum.hpp>
#include <tapeless/ops/reduction/sum_to.hpp>
#include "interpreter.hpp"

namespace opinfo {
namespace {

template <class T>
void append(tensor& to, const tl::io::tensor_entry& entry) {
  for (const T x : entry.as<T>()) to.cells.push_back(cell_of(x));
}

tensor tensor_of(const tl::io::tensor_entry& entry) {
  tensor t{entry.type, entry.shape, {}};
  with_type(entry.type, [&](auto typed) { append<decltype(typed)>(t, entry); });
  return t;
}

/// The fixed number that stands at a place of cotangents and directions; opinfo.py has the same.
double weight(std::size_t place, int of) {
  return (static_cast<double>((place * 37 + static_cast<std::size_t>(of) * 19 + 11) % 64) - 31.5) / 32;
}

/// The largest difference, infinite where shapes differ, or one has a NaN or an infinity where the other has
/// not.
double distance(const tensor& got, const tensor& want) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (got.shape != want.shape) return infinity;
  double most = 0, worst = 0;
  for (std::size_t i = 0; i < want.cells.size(); ++i) {
    if (!tl::is_floating(want.type) || !tl::is_floating(got.type)) {
      if (tl::is_floating(want.type) != tl::is_floating(got.type)) return infinity;
      if (got.cells[i].whole != want.cells[i].whole) return infinity;
      continue;
    }
    const double a = got.cells[i].number, b = want.cells[i].number;
    if (std::isnan(a) != std::isnan(b) || std::isinf(a) != std::isinf(b)) return infinity;
    if (std::isnan(b) || a == b) continue;
    if (std::isinf(b)) return infinity;
    worst = std::max(worst, std::abs(a - b));
    most = std::max(most, std::abs(b));
  }
  return worst / (1 + most);
}

/// One graph with a case's outputs, and what is asked of it.
class case_graph {
 public:
  case_graph(const sample_case& one, const tl::io::safetensors& stored) : stored_(stored), name_(one.name) {
    g_.training = true;
    one.build(g_);
    if (g_.failed()) throw tl::error(std::string(g_.error.view()));
    for (int i = 0; i < g_.nodes.size(); ++i)
      if (g_.nodes[i].op->kind == tl::family::input) {
        const std::string label(g_.nodes[i].label->view());
        inputs_.emplace(label, i);
        given_.emplace(label, tensor_of(stored_[name_ + "." + label]));
      }
    for (const tl::graph_output& o : g_.outputs)
      if (o.label != nullptr) outputs_.emplace(std::string(o.label->view()), o.node);
    g_.outputs.clear();
  }

  comparison compare() {
    comparison result;
    std::vector<std::pair<int, tensor>> values;
    for (const auto& [label, id] : outputs_)
      if (has(label)) values.emplace_back(ask(id), wanted(label));
    if (values.empty()) throw tl::error("no value is stored");

    std::vector<std::pair<int, tensor>> gradients, second;
    int modes = -1, product = -1;
    if (has_prefix("g")) {
      tl::value total = weighted_outputs();
      std::vector<int> sources;
      for (const auto& [label, id] : inputs_)
        if (has("g" + label.substr(1))) sources.push_back(id);
      const std::vector<tl::value> found = differentiated(total, sources);
      std::size_t next = 0;
      tl::value along, tangent;
      for (const auto& [label, id] : inputs_) {
        if (!has("g" + label.substr(1))) continue;
        const tl::value gradient = found[next++];
        gradients.emplace_back(ask(gradient.id), wanted("g" + label.substr(1)));
        const tl::value v = weights(gradient, 7 + std::stoi(label.substr(1)));
        along = added(along, sum(gradient * v));
        if (tl::is_floating(total.type())) {
          const tl::value part = tl::forward(total, tl::value{&g_, id}, v);
          if (part.exists()) tangent = added(tangent, part);
        }
      }
      product = ask(along.id);
      modes = tangent.exists() ? ask(tangent.id) : ask(tl::make_constant(g_, 0, total.type()).id);
      if (has_prefix("h")) {
        const std::vector<tl::value> twice = differentiated(along, sources);
        next = 0;
        for (const auto& [label, id] : inputs_)
          if (has("g" + label.substr(1))) {
            const tl::value one = twice[next++];
            if (has("h" + label.substr(1))) second.emplace_back(ask(one.id), wanted("h" + label.substr(1)));
          }
      }
    }
    if (g_.failed()) throw tl::error(std::string(g_.error.view()));

    tl::graph pruned;
    tl::prune(g_, pruned, false);
    if (pruned.failed()) throw tl::error(std::string(pruned.error.view()));
    interpreter run(pruned, given_);
    const auto result_of = [&](int place) -> const tensor& { return run[pruned.outputs[place].node]; };
    const auto worst = [&](const std::vector<std::pair<int, tensor>>& all) {
      double most = all.empty() ? -1 : 0;
      for (const auto& [place, want] : all) most = std::max(most, distance(result_of(place), want));
      return most;
    };
    result.values = worst(values);
    result.gradients = worst(gradients);
    result.second = worst(second);
    if (modes >= 0) result.modes = distance(result_of(modes), result_of(product));
    return result;
  }

 private:
  const tl::io::safetensors& stored_;
  std::string name_;
  tl::graph g_;
  std::map<std::string, int> inputs_, outputs_;
  std::map<std::string, tensor, std::less<>> given_;
  std::vector<tl::name> labels_;

  bool has(const std::string& role) const { return stored_.find(name_ + "." + role) != nullptr; }
  bool has_prefix(const std::string& letter) const {
    return std::any_of(inputs_.begin(), inputs_.end(),
                       [&](const auto& one) { return has(letter + one.first.substr(1)); });
  }
  tensor wanted(const std::string& role) const { return tensor_of(stored_[name_ + "." + role]); }

  /// Post-condition: the place of the node among the outputs.
  int ask(int id) {
    g_.outputs.push({id, nullptr});
    return g_.outputs.size() - 1;
  }

  static tl::value sum(tl::value x) {
    return x.rank() == 0 ? x : tl::sum_operation::build(x, (1u << x.rank()) - 1, false);
  }
  static tl::value added(tl::value a, tl::value b) { return a.exists() ? a + b : b; }

  /// Fixed numbers in a value's shape, as a sum of what a counter gives: (place * 37 + ...) mod 64.
  tl::value weights(tl::value like, int of) {
    const std::string label = "w" + std::to_string(given_.size());
    const tl::shape_list shape = tl::shape_of(like);
    tensor t{like.type(), extents(shape.extents, shape.extents + shape.rank), {}};
    for (std::size_t i = 0; i < static_cast<std::size_t>(count_of(t.shape)); ++i)
      t.cells.push_back(cell_of(weight(i, of)));
    given_.emplace(label, std::move(t));
    return tl::make_input(g_, interned(label), like.type(), shape);
  }
  static const tl::name* interned(const std::string& label) {
    static std::map<std::string, tl::name> all;
    const auto [found, is_new] = all.try_emplace(label);
    if (is_new) std::copy(label.begin(), label.end(), found->second.characters);
    return &found->second;
  }

  /// The sum of all floating outputs that have a gradient, each with its cotangent.
  tl::value weighted_outputs() {
    tl::value total;
    for (const auto& [label, id] : outputs_) {
      const tl::value y{&g_, id};
      if (!tl::is_floating(y.type()) || !has(label)) continue;
      total = added(total, sum(y * weights(y, std::stoi(label.substr(1)))));
    }
    return total;
  }

  std::vector<tl::value> differentiated(tl::value y, const std::vector<int>& sources) {
    tl::list<int> wrt, found;
    for (const int id : sources) wrt.push(id);
    tl::reverse(y, tl::make_constant(g_, 1, y.type()), wrt, found);
    std::vector<tl::value> results;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const int id = found[static_cast<int>(i)];
      const tl::value x{&g_, sources[i]};
      const tl::value zero = tl::make_constant(g_, 0, x.type());
      results.push_back(tl::expand(id < 0 ? zero : tl::value{&g_, id}, tl::shape_of(x)));
    }
    return results;
  }
};

}  // namespace

comparison compare(const sample_case& one, const tapeless::io::safetensors& stored) {
  try {
    return case_graph(one, stored).compare();
  } catch (const std::exception& e) {
    comparison failed;
    failed.problem = e.what();
    return failed;
  }
}

}  // namespace opinfo
