// SPDX-License-Identifier: BSL-1.0
// explain(net): what the compiler has made of a model, in words.
#pragma once

#include <string>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/common/loop_function.hpp>
#include <tapeless/train/inspect/kernel_text.hpp>
#include <tapeless/train/inspect/summary.hpp>
#include <tapeless/train/inspect/text_table.hpp>

namespace tapeless {

namespace detail {

/// "1 kernel", "2 kernels"
TAPELESS_COLD inline std::string counted(std::int64_t n, std::string_view noun) {
  return join({n, " ", noun, n == 1 ? "" : "s"});
}

/// The functions that a program's kernels are compiled to.
struct compiled_functions {
  bool are_one = false;      // the program is one
  std::int64_t loops = 0;    // of them are one each
  std::int64_t kernels = 0;  // fused, outside of such loops
  std::int64_t fused = 0;    // functions there are for these; 0 where that is not known
};

class explanation {
 public:
  TAPELESS_COLD explanation(const described_net& net, array_view<const bound_extent> extents,
                            const compiled_functions& functions)
      : net_(net),
        functions_(functions),
        program_(*net.program),
        plan_(*net.program->plan),
        known_{plan_.extents, extents},
        layers_(program_),
        kernels_(describe_kernels(program_, layers_, known_)) {}

  TAPELESS_COLD std::string text() const {
    std::string text =
        join({"# The graph\n\n", graph(), "\n# The kernels, in the order in which they run\n\n", kernels(),
              "\n# The memory\n\n"});
    if (const name* symbol = unknown_symbol(known_)) {
      append(text,
             {"How large buffers are depends on ", symbol->view(), ". For one value of it, explain(net, \"",
              symbol->view(), "\"_t = 32) shows where each is.\n"});
    } else {
      text += memory();
    }
    return text;
  }

 private:
  const described_net& net_;
  compiled_functions functions_;
  const described_program& program_;
  const plan_view& plan_;
  known_extents known_;
  program_layers layers_;
  std::vector<described_kernel> kernels_;

  TAPELESS_COLD std::string graph() const {
    std::int64_t nodes[3] = {}, views = 0, shared = 0;
    std::vector<int> readers(program_.nodes.size());
    for (std::size_t i = 0; i < program_.nodes.size(); ++i) {
      const described_node& n = program_.nodes[i];
      ++nodes[static_cast<int>(layers_.phase_of(static_cast<int>(i)))];
      views += n.kind == family::view ? 1 : 0;
      for (int k = 0; k < n.operand_count; ++k) ++readers[static_cast<std::size_t>(n.operands[k])];
    }
    for (std::size_t i = 0; i < readers.size(); ++i)
      shared += readers[i] > 1 && source_of(program_.nodes[i].kind) == element_source::kernel ? 1 : 0;
    std::string text = join({"The program of ", net_.what, " is a graph of ",
                             counted(static_cast<std::int64_t>(program_.nodes.size()), "node"), ": ",
                             nodes[0], " compute the outputs (forward)"});
    if (nodes[1] > 0)
      append(text, {",\n", nodes[1], " more the gradients (backward), and ", nodes[2],
                    " the new parameters and states (update)"});
    append(text,
           {".\nEqual nodes are one: ", counted(shared, "result"),
            shared == 1 ? " is computed once and read" : " are computed once and read",
            " by several nodes.\n", counted(views, "view"),
            views == 1 ? " (a reshape, permute, slice, ...) costs" : " (reshape, permute, slice, ...) cost",
            " nothing: readers get other strides.\n"});
    return text;
  }

  // The run-time extents of a function: "batch" = 1, "time" = 20
  TAPELESS_COLD std::string values_text(const described_line& line, std::string_view is) const {
    std::string text;
    for (std::size_t k = 0; k < line.extents.size(); ++k)
      if (line.extents[k] >= 0 && plan_.extents[k].kind == extent_kind::symbol)
        append(text,
               {text.empty() ? "\"" : ", \"", plan_.extents[k].symbol->view(), "\"", is, line.extents[k]});
    return text;
  }

  bool is_of_prologue(int id) const {
    for (const described_kernel& k : kernels_)
      if (k.kind == prologue && std::find(k.writes.begin(), k.writes.end(), id) != k.writes.end())
        return true;
    return false;
  }

  TAPELESS_COLD std::string names(const std::vector<int>& ids) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> names;
    for (const int id : ids) {
      const std::string name = is_of_prologue(id) ? "numbers of the prologue" : node_name(program_, id);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    // "adam.mu, adam.nu of fc1.weight"
    for (std::size_t i = 1; i < names.size();) {
      const std::size_t of = names[i].find(" of "), before = names[i - 1].find(" of ");
      const bool is_new = names[i].starts_with("new ");
      if (of == std::string::npos || before == std::string::npos ||
          names[i].substr(of) != names[i - 1].substr(before) || is_new != names[i - 1].starts_with("new ")) {
        ++i;
        continue;
      }
      names[i - 1].insert(before, ", " + names[i].substr(is_new ? 4 : 0, of - (is_new ? 4 : 0)));
      names.erase(names.begin() + static_cast<std::ptrdiff_t>(i));
    }
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
      append(text, {text.empty() ? "" : ", ", names[i]});
    return text.empty() ? "nothing" : names.size() > most ? text + ", ..." : text;
  }

  TAPELESS_COLD std::string kernels() const {
    std::int64_t fused = 0, operations = 0;
    for (const planned_fused_kernel& p : plan_.fused_kernels) {
      fused += 1;
      operations += p.instructions;
      for (int s = 0; s < p.stores; ++s)
        operations += program_.reductions[static_cast<std::size_t>(p.first_store + s)].name.empty() ? 0 : 1;
    }
    std::string text =
        join({counted(operations, "operation"), " on elements ", operations == 1 ? "is" : "are",
              " fused into ", counted(fused, "kernel"),
              ": each is one pass over memory, and what one of its operations\nhands to the next "
              "stays in registers. "});
    if (functions_.fused > 0 && functions_.fused < functions_.kernels)
      append(text, {"Equal kernels are compiled once: there ", functions_.fused == 1 ? "is " : "are ",
                    counted(functions_.fused, "function"), " for all ",
                    functions_.loops > 0 ? "outside of loops that are one.\n" : "of them.\n"});
    if (functions_.loops > 0)
      append(text, {counted(functions_.loops, "loop"), functions_.loops == 1 ? " is" : " are",
                    " one function each, with all kernels in it.\n"});
    if (functions_.are_one) text += "They run one after the other as one function.\n";
    for (const described_line& line : net_.lines)
      append(text,
             {"Where ", values_text(line, " = "), " other kernels run as one function, see explain(net, ",
              values_text(line, "_t = "), ").\n"});
    append(text, {"There ", plan_.products.size() == 1 ? "is " : "are ",
                  counted(static_cast<std::int64_t>(plan_.products.size()), "matrix product"),
                  ". %12 is the result of node 12.\n\n"});
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      const described_kernel& d = kernels_[k];
      const std::string indent = d.loop >= 0 && d.kind != "end of loop" ? "  " : "";
      append(text, {k < 10 ? " " : "", k, "  ", indent, d.kind, d.operations.empty() ? "" : ": ",
                    d.operations, d.shape.empty() ? "" : ", over ", d.shape});
      if (d.writes.empty() || d.kind == "loop") {
        text += "\n";
        continue;
      }
      append(text, {"\n    ", indent, d.kind == prologue ? "known before the step" : name_of(d.part),
                    d.layer >= 0 ? " of " : "",
                    d.layer >= 0 ? layers_.names()[static_cast<std::size_t>(d.layer)] : std::string_view(),
                    ", ", counted_text(d.flops, "operation"), ", ",
                    polynomial_text(d.bytes_read + d.bytes_written, known_, &byte_text), "\n    ", indent,
                    names(d.writes), " from ", names(d.reads), "\n"});
    }
    return text;
  }

  std::string counted_text(const extent_polynomial& p, std::string_view noun) const {
    const std::string number = polynomial_text(p, known_);
    return join({number, " ", noun, number == "1" ? "" : "s"});
  }

  // A buffer's life, as a bar over the commands.
  TAPELESS_COLD std::string life(const planned_buffer& b) const {
    const int commands = static_cast<int>(plan_.commands.size()), width = std::min(commands, 48);
    std::string bar(static_cast<std::size_t>(width), '.');
    const int last = std::min(b.last, commands - 1);
    for (int c = b.first * width / commands; c <= last * width / commands; ++c)
      bar[static_cast<std::size_t>(c)] = b.last >= commands ? '>' : '#';
    return bar;
  }

  TAPELESS_COLD std::string memory() const {
    const described_arena arena(plan_, known_, net_.at_once);
    const memory_plan m = memory_of(net_, known_);
    const auto bytes = [](std::int64_t n) { return byte_text(static_cast<double>(n)); };
    std::int64_t all = 0;
    for (const std::int64_t b : arena.bytes) all += aligned(b);
    std::string text = join({"Parameters take ", bytes(m.parameters)});
    if (m.optimizer > 0) append(text, {", the rule's states ", bytes(m.optimizer)});
    append(
        text,
        {". What a kernel hands to a later one has a buffer in the arena.\nBuffers that do not live at the "
         "same time share bytes: ",
         counted(static_cast<std::int64_t>(plan_.buffers.size()), "buffer"), " of ", bytes(all),
         " in all, each rounded up to ", arena_alignment, " B, fit into ", bytes(arena.size),
         ".\nAt one time there are at most ", bytes(m.activations), " of activations",
         m.gradients > 0 ? " and " : "", m.gradients > 0 ? bytes(m.gradients) : "",
         m.gradients > 0 ? " of gradients" : "", ". The peak, with parameters",
         m.optimizer > 0 ? " and states" : "", ", is ", bytes(m.peak), ".\n\n"});
    text_table table("rlrl");
    table.add({"bytes", "of", "from byte", "alive, from left to right: a column for each kernel"});
    std::int64_t numbers = 0, bytes_of_numbers = 0;
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const planned_buffer& b = plan_.buffers[i];
      if (kernels_[static_cast<std::size_t>(b.first)].kind == prologue) {
        ++numbers;
        bytes_of_numbers += arena.bytes[i];
        continue;
      }
      std::string what = node_name(program_, b.node);
      if (static_cast<std::size_t>(b.node) < program_.nodes.size()) {
        const described_node& n = program_.nodes[static_cast<std::size_t>(b.node)];
        append(what, {" ", n.operation, " ", shape_text(n.shape, n.rank, known_)});
      }
      table.add({count_text(static_cast<double>(arena.bytes[i])), what, join({arena.offsets[i]}),
                 life(arena.buffers[i])});
    }
    if (numbers > 0)
      table.add({count_text(static_cast<double>(bytes_of_numbers)),
                 counted(numbers, "number") + " of the prologue"});
    return text + table.text() + "# alive, > until the next run: outputs\n";
  }
};

TAPELESS_COLD inline std::string explanation_text(const described_net& net,
                                                  array_view<const bound_extent> extents,
                                                  const compiled_functions& functions) {
  if (net.program == nullptr) return {};
  const known_extents known{net.program->plan->extents, extents};
  check_extents("explain", known);
  const described_line* const line = line_at(net, known);
  if (line == nullptr) return explanation(net, extents, functions).text();
  const described_net alone{net.what, line->program, net.apply, net.parameters};
  return explanation(alone, {}, {.are_one = true}).text();
}

/// The functions of a trainer's step, where a policy has one for each of its fused kernels.
template <class Net>
compiled_functions compiled_functions_of() {
  compiled_functions functions;
  if constexpr (requires {
                  Net::policy_type::template kernels<typename described_program_of<Net>::type>.fused_kernels
                      [0];
                }) {
    constexpr auto& kernels = Net::policy_type::template kernels<typename described_program_of<Net>::type>;
    const auto all = kernels.fused_kernels;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i] == nullptr) continue;
      ++functions.kernels;
      functions.fused += std::find(all.begin(), all.begin() + i, all[i]) == all.begin() + i ? 1 : 0;
    }
    if constexpr (requires { kernels.loops; })
      for (const loop_function& loop : kernels.loops) functions.loops += loop.run != nullptr ? 1 : 0;
  }
  return functions;
}

}  // namespace detail

/// What the compiler has made of a trainer's step, or of a function, in words: the graph, its kernels in
/// their order with what is fused in each, and where buffers are in memory, when they live, and the most that
/// lives at one time. Where extents are known at run time only, numbers are given in terms of them, or for
/// the values that are bound: explain(net, "batch"_t = 32).
///
/// Throws an error where there is no run-time extent of that name.
template <class Net, class... Extents>
TAPELESS_WARM std::string explain(const Net&, const Extents&... extents) {
  constexpr described_net net = detail::describe_net<Net>();
  return detail::explanation_text(net, detail::extents_given(extents...),
                                  detail::compiled_functions_of<Net>());
}

}  // namespace tapeless
