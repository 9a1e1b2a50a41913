// SPDX-License-Identifier: BSL-1.0
// Prints what each room makes of one small model. docs/architecture.md quotes every line, and a test compares
// them.
#include <tapeless/tapeless.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tl = tapeless;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 4, 3>;
  auto y = tl::input<"y", float, 4, 2>;
  auto w = tl::param<"w", float, 3, 2>;
  return tl::mean(tl::square(tl::matmul(x, w) - y));
};

using model_type = std::remove_const_t<decltype(model)>;
using rule = decltype(tl::sgd({.learning_rate = 0.1f}));
using net_type = tl::trainer<model_type, rule, tl::cpu_by_tables>;

struct gradients {  // the model and its derivative
  static constexpr void build(tl::graph& g) {
    tl::list<int> parameters, gradients;
    tl::detail::build_gradients<model_type, rule>(g, parameters, gradients);
  }
};
using forward = tl::lower<model_type>;
using whole = tl::step_graph_builder<model_type, rule>;  // the model, its derivative and the rule
using step = net_type::step_program;                     // what of it is needed, ready for planning
constexpr auto& plan = tl::plan_of<step>;

void print(const std::string& line) { std::printf("%s\n", line.c_str()); }
std::string number(auto i) { return std::to_string(i); }
std::string decimal(double x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%g", x);
  return digits;
}
std::string padded(std::string s, std::size_t width) {
  return s.append(s.size() < width ? width - s.size() : 0, ' ');
}

template <class Extents>
std::string list_of(const Extents& extents, int rank) {
  std::string s = "[";
  for (int i = 0; i < rank; ++i) s += (i > 0 ? ", " : "") + number(extents[i]);
  return s + "]";
}

/// The operation's name before its operands, or between them where it is a sign.
std::string formula(std::string_view name, const std::vector<std::string>& operands) {
  if (operands.size() == 2 && name.size() == 1)
    return operands[0] + ' ' + std::string(name) + ' ' + operands[1];
  std::string s(name);
  for (const std::string& o : operands) s += ' ' + o;
  return s;
}

// 1. The chain of statements, which is a type.

template <class Op>
std::string short_name() {
  std::string_view s = __PRETTY_FUNCTION__;  // ... [with Op = tapeless::sub_operation; ...]
  s.remove_prefix(s.find("Op = ") + 5);
  s = s.substr(0, s.find_first_of("<;]"));
  return std::string(s.substr(s.rfind(':') + 1));
}

template <class Chain>
void print_chain() {
  if constexpr (Chain::size > 0) {
    print_chain<typename Chain::prev>();
    std::string s = "statement<" + number(Chain::size) + ", " + short_name<typename Chain::op>();
    print(s + ", " + number(Chain::a) + ", " + number(Chain::b) + ", ...>");
  }
}

// 2. The graph: the model's nodes, those of its derivative, those of the rule; and which of them are needed.

template <class Graph>
std::vector<bool> needed_of(const Graph& g) {
  std::vector<bool> needed(g.nodes.size());
  for (const tl::graph_output& o : g.outputs) needed[std::size_t(o.node)] = true;
  for (const tl::graph_effect& e : g.effects)
    needed[std::size_t(e.node)] = needed[std::size_t(e.target)] = true;
  for (std::size_t i = g.nodes.size(); i-- > 0;)
    for (int k = 0; k < g.nodes[i].operand_count; ++k)
      if (needed[i]) needed[std::size_t(g.nodes[i].operands[k])] = true;
  return needed;
}

std::string node_text(const tl::node& n) {
  std::vector<std::string> operands;
  if (n.label != nullptr) operands.emplace_back(n.label->view());
  if (n.op->kind == tl::family::constant) operands.push_back(decimal(n.number));
  for (int k = 0; k < n.operand_count; ++k) operands.push_back('%' + number(n.operands[k]));
  return formula(n.op->name, operands);
}

/// Each node of the whole graph, who added it, and its number in the pruned one.
void print_graph() {
  constexpr auto& g = tl::constant_graph_of<whole>;
  constexpr auto& pruned = tl::constant_graph_of<step>;
  const std::vector<bool> needed = needed_of(g);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < g.nodes.size(); ++i) {
    const tl::node& n = g.nodes[i];
    const bool stays = needed[i] && kept < pruned.nodes.size() && pruned.nodes[kept].op == n.op;
    const std::string from = i < tl::constant_graph_of<forward>.nodes.size()     ? "model"
                             : i < tl::constant_graph_of<gradients>.nodes.size() ? "reverse mode"
                                                                                 : "sgd";
    print(padded('%' + number(i), 4) + "= " + padded(node_text(n), 16) + padded(list_of(n.shape, n.rank), 8) +
          padded(from, 14) + (stays ? '%' + number(kept) : "cut off"));
    kept += stays ? 1 : 0;
  }
  for (const tl::graph_output& o : g.outputs) print("output  %" + number(o.node));
  for (const tl::graph_effect& e : g.effects)
    print("effect  %" + number(e.target) + " becomes %" + number(e.node));
  if (kept != pruned.nodes.size()) print("but the pruned graph is another one");
}

// 3. The plan: buffers with offsets, commands with their kernels and launch arguments.

/// Addresses of a program that is never run.
struct program {
  static constexpr bool joins_loops = true;  // as on the CPU
  std::array<std::byte, 4096> arena{};
  std::array<std::byte, 64> inputs[2]{}, parameter{}, hyperparameters{};
  std::array<std::int64_t, plan.buffers.size()> offsets{};
  std::int64_t arena_bytes = 0;

  program() {
    std::array<tl::arena_slot, plan.buffers.size()> slots{};
    const auto bytes = [](int i) {
      const tl::planned_buffer& b = plan.buffers[std::size_t(i)];
      return b.count * std::int64_t(tl::size_of(b.type));
    };
    arena_bytes = tl::assign_offsets(plan.buffers.data(), int(plan.buffers.size()), bytes, offsets.data(),
                                     slots.data());
  }
  static std::int64_t extent(std::int64_t e) { return e; }
  std::byte* address(const tl::placement& p) const {
    const std::byte* a =
        p.kind == tl::storage::parameter ? parameter.data() : arena.data() + offsets[std::size_t(p.index)];
    return const_cast<std::byte*>(a);
  }
  std::string name_of(const std::byte* data) const {
    const auto within = [&](const auto& memory) {
      return data >= memory.data() && data < memory.data() + memory.size();
    };
    if (within(inputs[0])) return "x";
    if (within(inputs[1])) return "y";
    if (within(parameter)) return "w";
    if (within(hyperparameters)) return "hyper+" + number(data - hyperparameters.data());
    return "arena+" + number(data - arena.data());
  }
};

void print_buffers(const program& p) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
    const tl::planned_buffer& b = plan.buffers[i];
    print("arena+" + padded(number(p.offsets[i]), 5) + padded(number(b.count) + " x f32", 9) + "%" +
          padded(number(b.node), 4) + "commands " + number(b.first) + " to " + number(b.last));
  }
  print(number(p.arena_bytes) + " bytes");
}

std::string operand_text(const program& p, const tl::fused_kernel_operand& o, int rank) {
  if (o.data == nullptr) return decimal(o.number);
  return p.name_of(o.data) + list_of(o.strides, rank);
}

void print_fused_kernel(const program& p, std::size_t i, const tl::fused_kernel_arguments& a) {
  const tl::planned_fused_kernel& kernel = plan.fused_kernels[i];
  print("fused kernel " + number(i) + " over " + list_of(a.extents, a.rank));
  const auto source = [&](int operand) {
    return operand < 0 ? operand_text(p, a.operands[-1 - operand], a.rank) : "t" + number(operand);
  };
  for (int k = 0; k < kernel.instructions; ++k) {
    const tl::planned_instruction& instruction = plan.instructions[std::size_t(kernel.first_instruction + k)];
    std::vector<std::string> operands;
    for (int o = 0; o < instruction.operand_count; ++o) operands.push_back(source(instruction.operands[o]));
    print("    t" + number(k) + " = " + formula(instruction.op->name, operands));
  }
  for (int k = 0; k < kernel.stores; ++k) {
    const tl::planned_store& store = plan.stores[std::size_t(kernel.first_store + k)];
    const std::string s = source(store.source);
    print("    " + operand_text(p, a.operands[kernel.loads + k], a.rank) + " = " +
          (store.reduction == nullptr ? s : std::string(store.reduction->name) + " of " + s));
  }
}

void print_product(const program& p, std::size_t i, const tl::product_arguments& a) {
  const auto operand = [&](const tl::product_operand& o) {
    return p.name_of(o.data) + list_of(o.strides, 2);
  };
  print("product " + number(i) + ": m = " + number(a.m) + ", n = " + number(a.n) + ", k = " + number(a.k));
  print("    " + operand(a.c) + " = " + operand(a.a) + " times " + operand(a.b));
}

void print_commands(const program& p) {
  tl::launch_argument_tables arguments(tl::view_of_plan<step>());
  arguments.clear();
  for (const tl::planned_command& c : plan.commands) arguments.make(c, p);
  const std::byte* inputs[] = {p.inputs[0].data(), p.inputs[1].data()};
  arguments.moving.set_starts({inputs, 2}, p.hyperparameters.data());
  int t = 0;
  for (const tl::planned_command& c : plan.commands) {
    std::printf("%d  ", t++);
    const auto i = std::size_t(c.index);
    if (c.kind == tl::planned_command::kind::product)
      print_product(p, i, arguments.products[int(i)]);
    else
      print_fused_kernel(p, i, arguments.fused_kernels[int(i)]);
  }
}

// 4. What the last fused kernel is compiled for.

std::string_view name_of(tl::lane kind) {
  constexpr std::string_view names[] = {"contiguous", "broadcast", "strided", "number", "index"};
  return names[static_cast<std::size_t>(kind)];
}

template <tl::load_key... Loads, tl::instruction_key... Instructions, tl::store_key... Stores, bool Reduced>
void print_key(tl::kernel_key<tl::load_keys<Loads...>, tl::instruction_keys<Instructions...>,
                              tl::store_keys<Stores...>, Reduced>*) {
  const auto lanes = [](const auto&... keys) {
    std::string s;
    (((s += s.empty() ? "" : ", ") +=
      std::string(name_of(keys.kind)) + ' ' + std::string(tl::name_of(keys.type))),
     ...);
    return s;
  };
  print("loads         " + lanes(Loads...));
  std::string formulas;
  const auto add = [&](int code, int a, int b) {
    for (const tl::planned_instruction& x : plan.instructions)
      if (tl::pointwise_code(x.op) == code)
        return void(formulas += (formulas.empty() ? "" : ", ") + formula(x.op->name, {number(a), number(b)}));
  };
  (add(Instructions.code, Instructions.a, Instructions.b), ...);
  print("instructions  " + formulas);
  print("stores        " + lanes(Stores...));
}

}  // namespace

int main() {
  print("# chain");
  print_chain<tl::model_expression<model_type>::chain>();
  print("# graph");
  print_graph();
  const program p;
  print("# buffers");
  print_buffers(p);
  print("# commands");
  print_commands(p);
  print("# kernel key");
  print_key(tl::kernel_key_of<step, plan.fused_kernels.size() - 1>(nullptr));
}
