// SPDX-License-Identifier: BSL-1.0
// The commands of a plan in words: what each computes, reads and writes, and how much.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/plan/fuse.hpp>
#include <tapeless/train/inspect/described_net.hpp>
#include <tapeless/train/inspect/layers.hpp>
#include <tapeless/train/inspect/memory_traffic.hpp>

namespace tapeless {

/// One command of a plan.
struct described_kernel {
  std::string kind;        // "fused kernel", "product", "convolution", ...
  std::string operations;  // "add, relu"
  std::string shape;       // of its loops, or "64x2 by 2xbatch" of a product
  phase part = phase::update;
  int layer = program_layers::none;
  int loop = -1;  // whose iterations run it
  extent_polynomial flops, bytes_read, bytes_written;
  std::vector<int> reads, writes;  // nodes that own the elements
};

inline constexpr const char* prologue = "prologue";  // a kind of described_kernel

namespace detail {

/// "add, mul (2), relu": names in their order, each with how often it follows itself.
TAPELESS_COLD inline std::string in_order(const std::vector<std::string_view>& names, std::size_t room) {
  std::string text;
  for (std::size_t i = 0, same = 1; i < names.size(); i += same) {
    for (same = 1; i + same < names.size() && names[i + same] == names[i];) ++same;
    std::string one(names[i]);
    if (same > 1) append(one, {" (", same, ")"});
    if (text.size() + one.size() > room && !text.empty())
      return join({text, ", ... (", names.size(), " in all)"});
    append(text, {text.empty() ? "" : ", ", one});
  }
  return text;
}

/// What the elements are called that a node owns: a name, or the node's number.
TAPELESS_COLD inline std::string node_name(const described_program& program, int id) {
  const plan_view& plan = *program.plan;
  const auto i = static_cast<std::size_t>(id);
  const bool is_node = i < program.nodes.size();
  if (is_node && program.nodes[i].kind == family::hyperparameter) return "numbers of the step";
  if (is_node && program.nodes[i].kind == family::input) return std::string(program.nodes[i].label->view());
  const placement& place = plan.place[i];
  if (place.kind != storage::parameter && place.kind != storage::state) return join({"%", id});
  const family kind = place.kind == storage::parameter ? family::parameter : family::state;
  for (std::size_t k = 0; k < program.nodes.size(); ++k) {
    const described_node& n = program.nodes[k];
    if (n.kind != kind || plan.place[k].index != place.index) continue;
    std::string name = join({k == i ? "" : "new ", n.label == nullptr ? "state" : n.label->view()});
    for (const described_node& p : program.nodes)
      if (kind == family::state && p.kind == family::parameter && p.parameter == n.parameter)
        append(name, {" of ", p.label->view()});
    return name;
  }
  return join({"%", id});
}

class kernel_describer {
 public:
  kernel_describer(const described_program& program, const program_layers& layers, const known_extents& known)
      : program_(program), plan_(*program.plan), layers_(layers), known_(known) {}

  TAPELESS_COLD std::vector<described_kernel> all() const {
    std::vector<described_kernel> kernels;
    std::vector<int> numbers;  // that the prologue has computed, while it goes on
    int loop = -1;
    for (const planned_command& c : plan_.commands) {
      kernels.push_back(describe(c, loop, numbers));
      if (const described_kernel& k = kernels.back(); k.kind == prologue && fills_a_kernel(c))
        numbers.insert(numbers.end(), k.writes.begin(), k.writes.end());
      else
        numbers.clear();
      if (c.kind == planned_command::kind::loop_begin) loop = c.index;
      if (c.kind == planned_command::kind::loop_end) loop = -1;
    }
    return kernels;
  }

 private:
  const described_program& program_;
  const plan_view& plan_;
  const program_layers& layers_;
  const known_extents& known_;

  bool fills_a_kernel(const planned_command& c) const {
    return c.kind == planned_command::kind::fused_kernel &&
           plan_.fused_kernels[static_cast<std::size_t>(c.index)].instructions == max_prologue_size;
  }

  TAPELESS_COLD described_kernel describe(const planned_command& c, int loop,
                                          const std::vector<int>& numbers) const {
    described_kernel k;
    k.loop = loop;
    extent_polynomial times(1);
    if (loop >= 0)
      times = extent_polynomial::of_extent(plan_.loops[static_cast<std::size_t>(loop)].count, known_);
    for_each_movement(
        plan_, c,
        [&](const work& w, int id) {
          k.bytes_read += times * extent_polynomial(w, known_);
          add(k.reads, id);
        },
        [&](const work& w, int id) {
          k.bytes_written += times * extent_polynomial(w, known_);
          add(k.writes, id);
        });
    describe_kind(c, k);
    k.flops = times * k.flops;
    find_place(k, numbers);
    return k;
  }

  static void add(std::vector<int>& ids, int id) {
    for (const int known : ids)
      if (known == id) return;
    ids.push_back(id);
  }

  TAPELESS_COLD void describe_kind(const planned_command& c, described_kernel& k) const {
    const auto i = static_cast<std::size_t>(c.index);
    switch (c.kind) {
      case planned_command::kind::fused_kernel: {
        const planned_fused_kernel& p = plan_.fused_kernels[i];
        k.kind = "fused kernel";
        k.shape = shape_text(p.extents, p.rank, known_);
        k.flops = extent_polynomial(operations_of(p, program_.instructions, program_.reductions), known_);
        std::vector<std::string_view> names;
        for (int n = 0; n < p.instructions; ++n)
          names.push_back(program_.instructions[static_cast<std::size_t>(p.first_instruction + n)].name);
        for (int n = 0; n < p.stores; ++n)
          if (const described_operation& r = program_.reductions[static_cast<std::size_t>(p.first_store + n)];
              !r.name.empty())
            names.push_back(r.name);
        k.operations = names.empty() ? "fill or copy" : in_order(names, 40);
        return;
      }
      case planned_command::kind::product: {
        const planned_product& p = plan_.products[i];
        k.kind = "product";
        k.operations = "matmul";
        if (p.batch_rank > 0) append(k.shape, {shape_text(p.batch, p.batch_rank, known_), " of "});
        const std::int64_t left[] = {p.m, p.k}, right[] = {p.k, p.n};
        append(k.shape, {shape_text(left, 2, known_), " times ", shape_text(right, 2, known_)});
        k.flops = extent_polynomial(operations_of(p), known_);
        return;
      }
      case planned_command::kind::of_family:
        return for_family(kernel_families{}, c.family, [&]<class F>() {
          const F& planned = plan_.families.template of<F>()[i];
          k.kind = F::label;
          k.flops = extent_polynomial(operations_of(planned), known_);
          const int target = planned.target().base;
          if (static_cast<std::size_t>(target) >= program_.nodes.size()) return;
          const described_node& n = program_.nodes[static_cast<std::size_t>(target)];
          k.operations = n.operation;
          k.shape = shape_text(n.shape, n.rank, known_);
        });
      case planned_command::kind::loop_begin:
        k.kind = "loop";
        k.operations = join({extent_text(plan_.loops[i].count, known_), " iterations",
                             plan_.loops[i].reversed ? ", from the last to the first" : ""});
        return;
      case planned_command::kind::loop_end:
        k.kind = "end of loop";
        return;
    }
  }

  // Where what it writes belongs to: of several, to the first phase and the last layer. What reads nothing
  // but the step's numbers, and the prologue's own, is the prologue, and belongs to all.
  void find_place(described_kernel& k, const std::vector<int>& numbers) const {
    bool reads_numbers = !k.reads.empty();
    for (const int id : k.reads)
      reads_numbers = reads_numbers && static_cast<std::size_t>(id) < program_.nodes.size() &&
                      (program_.nodes[static_cast<std::size_t>(id)].kind == family::hyperparameter ||
                       std::find(numbers.begin(), numbers.end(), id) != numbers.end());
    if (reads_numbers) {
      k.kind = prologue;
      return;
    }
    for (int id : k.writes) {
      if (static_cast<std::size_t>(id) >= program_.nodes.size()) continue;
      // where a loop keeps its iterations' values: as they
      const described_node& n = program_.nodes[static_cast<std::size_t>(id)];
      if (n.kind == family::stacked) id = n.operands[0];
      k.part = std::min(k.part, layers_.phase_of(id));
      k.layer = std::max(k.layer, layers_.layer_of(id));
    }
  }
};

}  // namespace detail

/// A program's commands, in their order. Of those in loops, the work of all iterations.
TAPELESS_COLD inline std::vector<described_kernel> describe_kernels(const described_program& program,
                                                                    const program_layers& layers,
                                                                    const known_extents& known) {
  return detail::kernel_describer(program, layers, known).all();
}

}  // namespace tapeless
