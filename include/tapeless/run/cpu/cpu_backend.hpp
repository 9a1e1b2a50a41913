// SPDX-License-Identifier: BSL-1.0
// The backend that runs a plan's commands on the CPU, split over a team of threads.
#pragma once

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/run/cpu/cpu_kernel_tables.hpp>
#include <tapeless/run/cpu/threads/denormals.hpp>
#include <tapeless/run/cpu/threads/program_work.hpp>
#include <tapeless/run/cpu/work_split.hpp>

namespace tapeless::cpu_kernels {

class backend {
 public:
  using kernel_table = cpu_kernels::kernel_table;
  using memory = aligned_memory;
  using work = program_work;
  static constexpr bool joins_loops = true;  // of run-time extents, see join_loops()

  /// The threads of all programs of a trainer.
  class resources {
   public:
    /// If `flush_denormals`, programs whose kernels say so flush denormal numbers to zero.
    explicit resources(int threads, bool flush_denormals = false, kernel_options options = {})
        : team_(threads, options), flush_denormals_(flush_denormals) {}
    aligned_memory allocate(std::int64_t bytes) const { return aligned_memory(bytes); }
    thread_team& team() { return team_; }
    bool flush_denormals() const { return flush_denormals_; }

   private:
    thread_team team_;
    bool flush_denormals_;
  };

  backend(const kernel_table& kernels, resources& shared)
      : kernels_(kernels),
        team_(&shared.team()),
        flushes_denormals_(kernels.flushes_denormals && shared.flush_denormals()) {}

  /// What it returns lives during a run.
  flushed_denormals begin_run() const { return flushed_denormals(flushes_denormals_); }

  void weigh(const work& all) { shares_ = !team_->is_single() && all.is_shared(); }

  void prepare(std::size_t i, const product_arguments& arguments, element) {
    if (shares_) return reserve_workspace(*team_, arguments, kernels_.products[i].workspace);
    team_->reserve_workspace(kernels_.products[i].workspace(arguments.m, arguments.n, arguments.k), 1);
  }

  /// Before all products are prepared anew, for which the memory stays.
  void keep_nothing() { kept_count_ = 0; }
  /// Product i of a loop has the same right operand in all iterations: it is packed once.
  void keep_in_loop(std::size_t loop, std::size_t i, const product_arguments& arguments) {
    const std::int64_t bytes = kernels_.products[i].pack(arguments, nullptr);
    if (bytes <= 0) return;
    kept_operand& k = kept_count_ < kept_.size() ? kept_[kept_count_] : kept_.add();
    k.loop = loop;
    k.product = i;
    if (k.memory.size() < bytes) k.memory = aligned_memory(bytes);
    ++kept_count_;
  }
  void begin_loop(std::size_t loop, product_arguments* products) {
    for (int place = 0; place < kept_count_; ++place) {
      kept_operand& k = kept_[place];
      if (k.loop != loop) continue;
      kernels_.products[k.product].pack(products[k.product], k.memory.data());
      products[k.product].packed_b = k.memory.data();
    }
  }

  /// The function that a loop is; null where its commands are run one by one.
  const loop_function* function_of_loop(std::size_t loop) const {
    return kernels_.loops.empty() || kernels_.loops[loop].run == nullptr ? nullptr : &kernels_.loops[loop];
  }

  std::size_t commands_at_once(const planned_command&) const { return 1; }
  void run_fused_kernel(array_view<const planned_command> commands, const fused_kernel_arguments* arguments) {
    const auto i = static_cast<std::size_t>(commands[0].index);
    if (!shares_) return kernels_.fused_kernels[i](arguments[i]);
    run_split(*team_, kernels_.fused_kernels[i], arguments[i]);
  }
  void run_product(array_view<const planned_command> commands, const product_arguments& arguments,
                   const fused_kernel_arguments*) {
    const auto run = kernels_.products[static_cast<std::size_t>(commands[0].index)].run;
    if (!shares_) return run(arguments, team_->workspace(0));
    run_split(*team_, run, arguments);
  }
  void prepare_family(int family, std::size_t i, const void* all) {
    const family_kernel& kernel = kernels_.of_families[static_cast<std::size_t>(family)][i];
    if (kernel.prepare != nullptr) kernel.prepare(all, i, *team_);
  }
  void run_family(int family, std::size_t i, const void* all) {
    kernels_.of_families[static_cast<std::size_t>(family)][i].run(all, i, *team_);
  }
  template <class F>
    requires(families::contains<F>)
  void run(std::size_t i, const F&, const typename F::arguments& arguments) {
    kernels_.of_families[families::place_of<F>][i].run(&arguments, 0, *team_);
  }

 private:
  struct kept_operand {
    std::size_t loop = 0, product = 0;
    aligned_memory memory = {};
  };
  kernel_table kernels_;
  thread_team* team_;
  bool flushes_denormals_, shares_ = false;
  list<kept_operand> kept_;  // the first kept_count_ of them; the others' memory waits
  int kept_count_ = 0;
};

}  // namespace tapeless::cpu_kernels
