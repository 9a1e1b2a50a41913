// SPDX-License-Identifier: BSL-1.0
// cpu_ranks: the policy of models that several processes compute together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tapeless/cluster/process_group.hpp>
#include <tapeless/cluster/shares.hpp>
#include <tapeless/cluster/sum_over_ranks.hpp>
#include <tapeless/plan/order.hpp>
#include <tapeless/run/cpu/cpu.hpp>

namespace tapeless {

namespace detail {

/// What the programs of a trainer share, and the ranks that compute with them.
class rank_resources : public cpu_kernels::backend::resources {
 public:
  rank_resources(process_group& group, const cpu& policy)
      : cpu_kernels::backend::resources(policy.threads, policy.flush_denormals,
                                        {.winograd = policy.winograd}),
        group_(&group) {}
  process_group& group() const { return *group_; }

 private:
  process_group* group_;
};

/// A program of tl::cpu that exchanges what its nodes say behind the commands that compute it. All ranks run
/// the same program at the same time.
class rank_program : public program_core<cpu_kernels::backend> {
  using base = program_core<cpu_kernels::backend>;

 public:
  static constexpr bool exchanges = true;
  using resources = rank_resources;

  rank_program(const plan_view& plan, const cpu_kernels::kernel_table& kernels,
               const program_memory<rank_resources>& memory)
      : base(plan, kernels,
             {memory.parameters, memory.states, memory.hyperparameters, memory.resources, memory.others}),
        group_(&memory.resources->group()),
        numbers_(memory.hyperparameters) {
    int loops = 0;
    for (std::size_t s = 0; s < plan.commands.size(); ++s) {
      const planned_command& command = plan.commands[s];
      if (command.kind == planned_command::kind::loop_begin) ++loops;
      if (command.kind == planned_command::kind::loop_end) --loops;
      for_each_write(plan, command, [&](int id) {
        if (static_cast<std::size_t>(id) >= plan.nodes.size()) return;  // the copy of an effect's value
        const run_node& n = plan.nodes[static_cast<std::size_t>(id)];
        if (n.exchange == rank_exchange::none) return;
        if (loops > 0)
          throw_error(
              "ranks exchange values between the kernels of a program, but not inside scan: write repeat");
        if (n.exchange != rank_exchange::sum && n.shape[0] != group_->size())
          throw_error({"all_gather and own_part are written for ", n.shape[0], " ranks, but there are ",
                       group_->size()});
        exchanges_.push_back({s, id, nullptr});
      });
    }
  }

  template <class Symbols>
  void prepare(Symbols symbols) {
    base::prepare(symbols);
    if (group_->size() == 1) return;
    for (exchange& e : exchanges_) {
      const run_node& n = node_of(e);
      if (n.exchange != rank_exchange::sum) continue;
      const summed_numbers all{address(e.node), count(n), n.type, false, 0};
      e.sum = std::make_unique<sum_over_ranks>(*group_, std::vector{all},
                                               even_ranges(all.end(), group_->size()), true);
    }
  }

  void run(array_view<const std::byte* const> inputs) {
    run_observed(inputs, reinterpret_cast<const std::byte*>(numbers_.data()), no_observer());
  }
  template <class Observer>
  void run_observed(array_view<const std::byte* const> inputs, const std::byte* numbers,
                    const Observer& observer) {
    if (!exchanges_.empty())
      group_->meet("a program of ranks", static_cast<std::int64_t>(plan().commands.size()));
    const exchanging<Observer> both{*this, observer};
    base::run_observed(inputs, numbers, both);
  }

 private:
  struct exchange {
    std::size_t command;  // behind it
    int node;
    std::unique_ptr<sum_over_ranks> sum;
  };
  template <class Observer>
  struct exchanging {
    rank_program& program;
    const Observer& other;
    void before(std::size_t command) const { other.before(command); }
    void after(std::size_t command) const {
      program.exchange_behind(command);
      other.after(command);
    }
  };

  process_group* group_;
  array_view<const double> numbers_;
  std::vector<exchange> exchanges_;  // in the order of commands

  const run_node& node_of(const exchange& e) const { return plan().nodes[static_cast<std::size_t>(e.node)]; }
  std::int64_t count(const run_node& n) const {
    std::int64_t all = 1;
    for (int d = 0; d < n.rank; ++d) all *= extent(n.shape[d]);
    return all;
  }

  void exchange_behind(std::size_t command) {
    for (exchange& e : exchanges_)
      if (e.command == command) carry_out(e);
  }
  void carry_out(exchange& e) {
    const run_node& n = node_of(e);
    std::byte* const elements = address(e.node);
    switch (n.exchange) {
      case rank_exchange::none:
        return;
      case rank_exchange::sum:
        if (e.sum == nullptr) return;
        e.sum->start();
        e.sum->wait_for_parts();
        e.sum->add_up_parts();
        e.sum->wait_for_sums();
        return;
      case rank_exchange::gather: {
        const std::int64_t each = count(n) / group_->size() * static_cast<std::int64_t>(size_of(n.type));
        begin_.resize(static_cast<std::size_t>(group_->size()) + 1);
        for (std::size_t r = 0; r < begin_.size(); ++r) begin_[r] = static_cast<std::int64_t>(r) * each;
        group_->gather_ranges(elements, begin_);
        return;
      }
      case rank_exchange::rank: {
        std::fill_n(reinterpret_cast<std::int32_t*>(elements), count(n), group_->rank());
        return;
      }
    }
  }
  std::vector<std::int64_t> begin_;
};

}  // namespace detail

/// tl::cpu for models of which several processes compute parts, by all_reduce and all_gather:
///   tl::mpi world(argc, argv);
///   tl::trainer net{model, rule, tl::cpu_ranks(world)};
/// Each rank has a trainer of its own, by any rule; all make the same calls with the same samples. A step
/// waits for the others at each exchange.
struct cpu_ranks {
  explicit cpu_ranks(process_group& world, const cpu& policy = {}) : group(&world), on(policy) {}

  process_group* group;
  cpu on;

  using program = detail::rank_program;
  using memory = cpu_kernels::aligned_memory;
  class resources : public detail::rank_resources {
   public:
    explicit resources(const cpu_ranks& policy) : detail::rank_resources(*policy.group, policy.on) {}
  };

  template <class GraphBuilder>
  static constexpr cpu_kernels::kernel_table kernels = cpu_kernels::kernels_of<GraphBuilder>;
};

}  // namespace tapeless
