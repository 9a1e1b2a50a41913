// SPDX-License-Identifier: BSL-1.0
// Where the operands of a program's commands are, once extents are known.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/plan/layout.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/run/common/left_out_commands.hpp>

namespace tapeless {

/// Where a program's operands are that it does not own, and what it shares with its trainer's others.
template <class Resources>
struct program_memory {
  array_view<std::byte* const> parameters;  // by the parameter's number
  array_view<std::byte* const> states;      // by the state's number
  array_view<const double> hyperparameters;
  Resources* resources = nullptr;
  const left_to_others* others = nullptr;  // where they do something
};

/// What a plan's nodes have of memory: parameters, states and numbers of its trainer, and an arena of its
/// own. The plan must outlive it.
template <class Backend>
class program_operands {
 public:
  using resources = typename Backend::resources;

  TAPELESS_COLD program_operands(const plan_view& plan, const program_memory<resources>& memory)
      : plan_(plan), memory_(memory), extents_(plan.extents.size(), -1), offsets_(plan.buffers.size()) {
    find_shared();
  }
  program_operands(const program_operands&) = delete;
  program_operands& operator=(const program_operands&) = delete;

  const plan_view& plan() const { return plan_; }
  std::int64_t extent(std::int64_t e) const {
    return e >= 0 ? e : extents_[static_cast<std::size_t>(-1 - e)];
  }
  std::int64_t arena_bytes() const { return arena_.size(); }

  /// Takes the symbols' values; symbols(k) gives that of derived extent k, a symbol.
  template <class Symbols>
  TAPELESS_COLD void set_extents(Symbols symbols) {
    if (const int k = evaluate_extents(plan_.extents, symbols, extents_); k >= 0) refuse_extents(k, symbols);
  }
  /// Lays the arena out for them, and for the commands that the backend runs at once.
  TAPELESS_COLD void lay_out(const Backend& backend) {
    find_lifetimes(backend);
    slots_.resize(buffers_.size(), {});
    const auto bytes = [&](int i) {
      const planned_buffer& b = buffers_[i];
      return extent(b.count) * static_cast<std::int64_t>(size_of(b.type));
    };
    hold_arena(assign_offsets(buffers_.data(), buffers_.size(), bytes, offsets_.data(), slots_.data()));
  }

  /// Whether a run, or what prepares it, may change these bytes or give them back.
  bool overwrites(array_view<const std::byte> bytes) const {
    if (overlap(bytes, {arena_.program_data(), static_cast<std::size_t>(arena_.size())})) return true;
    if (!overlap(bytes, shared_)) return false;
    for (std::size_t id = 0; id < plan_.nodes.size(); ++id)
      if (is_shared(id) && overlap(bytes, bytes_of(id))) return true;
    return false;
  }

  /// Where the arena begins, once extents are known.
  std::byte* arena() const { return arena_.program_data(); }
  /// Where the elements of an output can be read, until the next run.
  const std::byte* output(int id) const { return address(id); }
  /// The same of an output whose place is known while compiling.
  const std::byte* output_at(const placement& p) const { return address(p); }

  /// For code that lays the arena out itself, until it is laid out again: so many bytes at least, and where
  /// in them a buffer is that is read after a run.
  TAPELESS_COLD void hold_arena(std::int64_t bytes) {
    if (bytes <= arena_.size()) return;
    arena_ = {};  // gives the old one back first
    arena_ = memory_.resources->allocate(bytes);
  }
  void place_buffer(std::size_t buffer, std::int64_t offset) { offsets_[buffer] = offset; }

  /// Where a node's elements are, of a node that owns some and is no input.
  std::byte* address(int id) const { return address(plan_.place[static_cast<std::size_t>(id)]); }
  std::byte* address(const placement& p) const {
    const auto i = static_cast<std::size_t>(p.index);
    switch (p.kind) {
      case storage::parameter:
        return memory_.parameters[i];
      case storage::state:
        return memory_.states[i];
      case storage::hyperparameter:
        return reinterpret_cast<std::byte*>(const_cast<double*>(memory_.hyperparameters.data() + i));
      case storage::arena:
        return arena_.program_data() + offsets_[i];
      case storage::input:
      case storage::none:
        break;
    }
    return nullptr;
  }

 protected:
  const plan_view& plan_;

  // The numbers of a run, where no others are given.
  const std::byte* hyperparameters() const {
    return reinterpret_cast<const std::byte*>(memory_.hyperparameters.data());
  }

 private:
  program_memory<resources> memory_;
  std::vector<std::int64_t> extents_;
  std::vector<std::int64_t> offsets_;
  typename Backend::memory arena_;
  array_view<const std::byte> shared_;  // from the first to the last of the parameters and states
  // What lay_out works on; kept, so that other extents take no memory for it.
  list<planned_buffer> buffers_;
  list<arena_slot> slots_;

  // As std::less has it, whose header brings maps and more.
  static bool before(const std::byte* a, const std::byte* b) { return std::compare_three_way{}(a, b) < 0; }
  static bool overlap(array_view<const std::byte> a, array_view<const std::byte> b) {
    return !a.empty() && !b.empty() && before(a.begin(), b.end()) && before(b.begin(), a.end());
  }
  bool is_shared(std::size_t id) const {
    return plan_.place[id].kind == storage::parameter || plan_.place[id].kind == storage::state;
  }
  array_view<const std::byte> bytes_of(std::size_t id) const {
    std::int64_t bytes = static_cast<std::int64_t>(size_of(plan_.nodes[id].type));
    for (int d = 0; d < plan_.nodes[id].rank; ++d) bytes *= extent(plan_.nodes[id].shape[d]);
    return {address(static_cast<int>(id)), static_cast<std::size_t>(bytes)};
  }
  TAPELESS_COLD void find_shared() {
    shared_ = {};
    for (std::size_t id = 0; id < plan_.nodes.size(); ++id) {
      if (!is_shared(id)) continue;
      const array_view<const std::byte> b = bytes_of(id);
      const std::byte* begin =
          shared_.empty() || before(b.begin(), shared_.begin()) ? b.begin() : shared_.begin();
      const std::byte* end = shared_.empty() || before(shared_.end(), b.end()) ? b.end() : shared_.end();
      shared_ = {begin, static_cast<std::size_t>(end - begin)};
    }
  }

  template <class Symbols>
  [[noreturn]] TAPELESS_COLD void refuse_extents(int k, Symbols symbols) const {
    std::string given;
    for (std::size_t s = 0; s <= static_cast<std::size_t>(k); ++s)
      if (plan_.extents[s].kind == extent_kind::symbol)
        append(given,
               {given.empty() ? "" : ", ", "\"", plan_.extents[s].symbol->view(), "\" = ", symbols(s)});
    throw_error(
        {"the run-time extents are too large: with ", given, ", a tensor has more than 2^48 elements"});
  }

  TAPELESS_COLD void find_lifetimes(const Backend& backend) {
    buffers_.clear();
    buffers_.reserve(static_cast<int>(plan_.buffers.size()));
    for (const planned_buffer& b : plan_.buffers) buffers_.push(b);
    live_through_launches(buffers_, static_cast<int>(plan_.commands.size()), [&](int s) {
      const planned_command& command = plan_.commands[static_cast<std::size_t>(s)];
      return command.may_be_launched_with_others() ? backend.commands_at_once(command) : 1;
    });
  }
};

}  // namespace tapeless
