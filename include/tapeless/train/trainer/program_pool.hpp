// SPDX-License-Identifier: BSL-1.0
// One program as often as threads run it at the same time.
#pragma once

#include <array>
#include <memory>

#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/made_later.hpp>
#include <tapeless/graph/core/sole_owner.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/system_mutex.hpp>
#include <tapeless/train/program/bound_program.hpp>
#include <tapeless/train/program/number_entries.hpp>
#include <tapeless/train/program/stored_outputs.hpp>
#include <tapeless/train/trainer/trained_weights.hpp>

namespace tapeless {

/// Copies of one program, each with an arena and resources of its own, on the same parameters. A call takes
/// one that is unused, and makes a new one only where there is none; they are kept until the pool goes. What
/// is computed here is copied, so that a copy of the program is free after each call. What is computed on a
/// device stays there until somebody reads it: the result holds the copy of the program that computed it
/// until each output has been read.
template <class Policy, class Kernels>
class program_pool : public std::enable_shared_from_this<program_pool<Policy, Kernels>> {
  using program = bound_program<typename Policy::program>;

 public:
  using resources = typename Policy::resources;

  /// There is memory for one call's resources. Throws an error where the policy cannot run.
  program_pool(const plan_view& plan, const Kernels& kernels, const Policy& policy)
      : plan_(plan),
        kernels_(kernels),
        policy_(policy),
        outputs_(std::make_shared<output_store>(plan.outputs.size())),
        unused_(new copy(policy)),
        first_(&unused_->shared) {}
  program_pool(const program_pool&) = delete;
  program_pool& operator=(const program_pool&) = delete;
  [[gnu::noinline]] TAPELESS_COLD ~program_pool() {
    while (unused_ != nullptr) unused_ = std::move(unused_->next);  // not as deep as there are copies
  }

  /// The resources that are there from the start, for memory that all copies read.
  resources& first() { return *first_; }

  /// Runs the program on parameters, which are the same in all calls; random numbers are those of the key.
  /// Any number of threads may call it.
  held_outputs run(double random_key, array_view<std::byte* const> parameters,
                   array_view<const bound_elements> inputs, array_view<const bound_extent> extents) {
    loan c(*this);
    if (!c->run) make_program(*c.get(), parameters);
    c->numbers[random_key_entry] = random_key;
    c->run->run(inputs, extents);
    if constexpr (detail::has_streams<resources>) {
      c->shared.finish();  // parameters may be written to after the call
      return outputs_->keep(*c->run, [&] { return c.lend(); });
    } else {
      return outputs_->keep(*c->run);
    }
  }

 private:
  struct copy final : lent_program {
    TAPELESS_COLD explicit copy(const Policy& policy) : shared(policy) {}
    [[gnu::noinline]] TAPELESS_COLD ~copy() override = default;  // compiled once, not wherever one may end
    resources shared;
    std::array<double, first_rule_entry> numbers{};
    made_later<program> run;
    sole_owner<copy> next;
    std::shared_ptr<program_pool> home;  // while it is lent

    const std::byte* output(std::size_t i) const override { return run->output(i); }
    void give_back(sole_owner<lent_program> self) override {
      const std::shared_ptr<program_pool> pool = std::move(home);  // goes after what it gets back
      pool->give_back(sole_owner<copy>(static_cast<copy*>(self.release())));
    }
  };
  class loan {
   public:
    explicit loan(program_pool& from) : from_(from), copy_(from.take()) {}
    loan(const loan&) = delete;
    loan& operator=(const loan&) = delete;
    ~loan() {
      if (copy_ != nullptr) from_.give_back(std::move(copy_));
    }
    sole_owner<lent_program> lend() {
      copy_->home = from_.shared_from_this();
      return sole_owner<lent_program>(copy_.release());
    }
    copy* operator->() const { return copy_.get(); }
    copy* get() const { return copy_.get(); }

   private:
    program_pool& from_;
    sole_owner<copy> copy_;
  };

  plan_view plan_;
  const Kernels& kernels_;
  Policy policy_;
  std::shared_ptr<output_store> outputs_;
  system_mutex mutex_;
  sole_owner<copy> unused_;
  resources* first_;

  TAPELESS_COLD void make_program(copy& of, array_view<std::byte* const> parameters) {
    of.run.emplace(
        plan_, kernels_,
        program_memory<typename Policy::program::resources>{parameters, {}, of.numbers, &of.shared});
  }
  [[gnu::noinline]] sole_owner<copy> take() {
    {
      const mutex_lock lock(mutex_);
      if (unused_ != nullptr) {
        sole_owner<copy> c = std::move(unused_);
        unused_ = std::move(c->next);
        return c;
      }
    }
    return sole_owner<copy>(new copy(policy_));
  }
  [[gnu::noinline]] void give_back(sole_owner<copy> c) {
    const mutex_lock lock(mutex_);
    c->next = std::move(unused_);
    unused_ = std::move(c);
  }
};

}  // namespace tapeless
