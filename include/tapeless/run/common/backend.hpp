// SPDX-License-Identifier: BSL-1.0
// What runs the commands of a plan, and the memory that they work on: the contracts of backends.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/run/common/host_shadow.hpp>
#include <tapeless/run/common/launch_arguments.hpp>

namespace tapeless {

/// The contract of memory: of a program's arena, of parameters and states. It is empty where it is made
/// without arguments, and moves. It has
///   size()                how many bytes
///   data()                where they can be read and written here
///   data_to_overwrite()   the same, for those who write to all of them
///   program_data()        where programs find them
///   copied_by()           what brings them here, where programs work elsewhere; null where they do not
/// Laws:
///   it starts at a multiple of arena_alignment;
///   what programs write is in data(), and what is written there programs find, from their next run on;
///   where copied_by() is null, data() and program_data() are the same, and neither throws.
template <class Memory>
struct memory_contract {
  using subject = Memory;
  static constexpr std::string_view noun = "memory of a backend";
  static constexpr bool moves = std::default_initializable<Memory> && std::movable<Memory>;
  static constexpr bool has_size = requires(const Memory& m) {
    { m.size() } -> std::convertible_to<std::int64_t>;
  };
  static constexpr bool has_data = requires(const Memory& m) {
    { m.data() } -> std::convertible_to<std::byte*>;
  };
  static constexpr bool overwrites = requires(const Memory& m) {
    { m.data_to_overwrite() } -> std::convertible_to<std::byte*>;
  };
  static constexpr bool has_program_data = requires(const Memory& m) {
    { m.program_data() } -> std::convertible_to<std::byte*>;
  };
  static constexpr bool says_who_copies = requires(const Memory& m) {
    { m.copied_by() } -> std::convertible_to<host_shadow*>;
  };
  static constexpr demand demands[6] = {
      {moves, "a start without arguments, and moves"},
      {has_size, "size() const"},
      {has_data, "data() const"},
      {overwrites, "data_to_overwrite() const"},
      {has_program_data, "program_data() const"},
      {says_who_copies, "copied_by() const"},
  };
};
template <class Memory>
concept is_memory = is_kept<memory_contract<Memory>>();

/// The contract of a backend. It has
///   kernel_table   what it knows of a program's commands while compiling
///   resources      what the programs of one trainer share
///   memory         see memory_contract, made by resources.allocate(bytes)
///   a constructor from a kernel_table and resources
///   prepare(i, arguments, type)   makes product number i ready, whose extents are known from now on
///   commands_at_once(command)     how many it runs at once from this fused kernel or product on
///   run_fused_kernel(commands, arguments)   runs it, and those that are run with it
///   run_product(commands, arguments, of_fused_kernels)   runs it, and the fused kernels that are run with it
/// and for each kernel family F that it has kernels for, at least those that have no expansion,
///   run(i, planned, arguments)      runs number i of an F, `planned` being the plan's
///   prepare(i, planned, arguments)  makes it ready, where that takes something
/// and, where a family's type does not matter, in place of being called with it,
///   run_family(family, i, all)      the same by its place in the list; `all` are the F::arguments of all
///   prepare_family(family, i, all)  its commands
/// and, if it runs loops as functions,
///   function_of_loop(loop)          that of loop number `loop`, or null: its commands are not run by
///   themselves
/// and, if a run needs it,
///   begin_run()   what it returns lives during the run
/// and, if it looks at all that there is to do before it prepares any of it,
///   work          adds up add(arguments, times), for each fused kernel and product, with its runs in a run
///   weigh(work)   takes the sum
/// and, if it has kernels for attention,
///   attention     for which (attention_support); where it does not say, for those of floats
/// Laws:
///   commands take effect in their order, and all of them before what is read of them is read here;
///   the same arguments give the same bits;
///   only prepare allocates, and what it throws leaves the program as before.
template <class Backend>
struct backend_contract {
  using subject = Backend;
  static constexpr std::string_view noun = "backend";
  using commands = array_view<const planned_command>;
  static constexpr bool has_kernels = requires { typename Backend::kernel_table; };
  static constexpr bool has_resources = requires { typename Backend::resources; };
  static constexpr bool allocates = requires(typename Backend::resources& r, std::int64_t bytes) {
    { r.allocate(bytes) } -> std::same_as<typename Backend::memory>;
  };
  static constexpr bool is_made = requires {
    requires std::constructible_from<Backend, const typename Backend::kernel_table&,
                                     typename Backend::resources&>;
  };
  static constexpr bool prepares = requires(Backend& b, std::size_t i, const product_arguments& a,
                                            element type) { b.prepare(i, a, type); };
  static constexpr bool groups = requires(const Backend& b, const planned_command& c) {
    { b.commands_at_once(c) } -> std::convertible_to<std::size_t>;
  };
  static constexpr bool runs_kernels =
      requires(Backend& b, commands c, const fused_kernel_arguments* a) { b.run_fused_kernel(c, a); };
  static constexpr bool runs_products = requires(Backend& b, commands c, const product_arguments& a,
                                                 const fused_kernel_arguments* f) { b.run_product(c, a, f); };
  static constexpr demand demands[8] = {
      {has_kernels, "the type kernel_table"},
      {has_resources, "the type resources"},
      {allocates, "the type memory, which resources.allocate(bytes) returns"},
      {is_made, "a constructor from a kernel_table and resources"},
      {prepares, "prepare(i, arguments, type)"},
      {groups, "commands_at_once(command) const"},
      {runs_kernels, "run_fused_kernel(commands, arguments)"},
      {runs_products, "run_product(commands, arguments, of_fused_kernels)"},
  };
};
template <class Backend>
concept is_backend = is_kept<backend_contract<Backend>>();

}  // namespace tapeless
