// SPDX-License-Identifier: BSL-1.0
// Checks what is bound to a program's inputs, and runs it.
#pragma once

#include <algorithm>
#include <array>

#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/plan/plan_view.hpp>
#include <tapeless/train/binding/input_copies.hpp>
#include <tapeless/train/binding/run_stamp.hpp>
#include <tapeless/train/binding/run_time_extents.hpp>
#include <tapeless/train/program/inputs_without_elements.hpp>

namespace tapeless {

/// A policy's program with its inputs' checks; one class for all models of a policy.
template <class Program>
class bound_program {
 public:
  template <class... Arguments>
  TAPELESS_COLD explicit bound_program(const plan_view& plan, Arguments&&... arguments)
      : program_(plan, std::forward<Arguments>(arguments)...),
        extents_(program_.plan()),
        last_(plan.inputs.size()),
        data_(plan.inputs.size()),
        device_data_(plan.inputs.size()) {
    if constexpr (!requires { Program::exchanges; })
      for (const run_node& n : plan.nodes)
        if (n.exchange != rank_exchange::none) refuse_exchange();
  }

  /// Runs the program on inputs in the plan's order. Throws an error that names the input, what was expected
  /// and what came.
  template <class... Observer>
  void run(array_view<const bound_elements> inputs, array_view<const bound_extent> extents,
           Observer&... observer) {
    check(inputs, extents);
    runs_.next();
    if constexpr (requires { program_.device(); }) {
      for (std::size_t i = 0; i < inputs.size(); ++i) device_data_[i] = inputs[i].device_data;
      program_.run(data_, device_data_, observer...);
    } else {
      program_.run(data_, observer...);
    }
  }

  /// Runs the program on elements that are plain, all extents being known while compiling, if nothing else
  /// needs a look: false, and nothing is run, where it has never run, or writes where one of them is. Of
  /// several codes that the program has for some extents it is the one of this number, or false.
  [[gnu::always_inline]] bool run_plain(const std::byte* const* inputs, array_view<const std::size_t> bytes,
                                        std::size_t code) {
    if (!prepared_ || !program_.is_code(code) || !take_plain(inputs, bytes)) return false;
    runs_.next();
    program_.run(data_);
    return true;
  }
  /// The same of a static program, whose only code is of the graph builder Line.
  template <class Line>
  [[gnu::always_inline]] bool run_plain(const std::byte* const* inputs, array_view<const std::size_t> bytes) {
    if (!prepared_ || !take_plain(inputs, bytes)) return false;
    runs_.next();
    program_.template run_in_line<Line>(data_);
    return true;
  }

  /// The same of code that changes nothing but the program's arena, which is there. Preconditions: run_plain
  /// has run this code last, and no input is in the arena.
  template <class Line>
  [[gnu::always_inline]] run_stamp run_in_arena(const std::byte* const* inputs, std::byte* arena) {
    program_.template run_in_arena<Line>(inputs, arena);
    return runs_.next();  // behind all that is stored, so that what reads the result knows the number
  }

  /// Throws what run would throw because of these inputs, and runs nothing. Post-condition: keep can be
  /// called.
  void check(array_view<const bound_elements> inputs, array_view<const bound_extent> extents);

  /// Post-condition: the inputs, which were run or checked last, can be given to further runs, whatever these
  /// write.
  void keep(array_view<bound_elements> inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].data = data_[i];
      inputs[i].strided_axes = 0;
    }
  }

  /// The moment after the last run: results are outdated with the next one.
  run_stamp stamp() const { return runs_.stamp(); }

  /// Throws an error where an input is empty that may not be, or all are whose extents are known at run time
  /// only: a mean over no sample would turn all parameters into NaN.
  void refuse_empty(array_view<const bound_elements> inputs, array_view<const without_elements> none) const {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].given && inputs[i].count == 0 &&
          !(none[i] == without_elements::is_taken && have_some(inputs, none)))
        throw_error({"input \"", label(i), "\" has no elements: one sample or more is needed"});
  }

  const Program& program() const { return program_; }
  Program& program() { return program_; }

  /// The elements of output number i; valid until the next run.
  const std::byte* output(std::size_t i) const { return program_.output(plan().outputs[i].node); }
  /// Writes an output's shape and returns its rank.
  std::size_t output_shape(std::size_t i, std::array<std::int64_t, max_rank>& shape) const {
    const run_node& n = plan().nodes[static_cast<std::size_t>(plan().outputs[i].node)];
    for (int d = 0; d < n.rank; ++d) shape[static_cast<std::size_t>(d)] = program_.extent(n.shape[d]);
    return static_cast<std::size_t>(n.rank);
  }
  /// How many bytes an output of that shape has.
  std::int64_t output_bytes(std::size_t i, const std::array<std::int64_t, max_rank>& shape) const {
    const run_node& n = plan().nodes[static_cast<std::size_t>(plan().outputs[i].node)];
    auto bytes = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) bytes *= shape[static_cast<std::size_t>(d)];
    return bytes;
  }

 private:
  TAPELESS_COLD static bool have_some(array_view<const bound_elements> inputs,
                                      array_view<const without_elements> none) {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (none[i] != without_elements::is_none && inputs[i].count > 0) return true;
    return false;
  }

  Program program_;
  run_time_extents extents_;
  list<bound_elements> last_;
  list<bound_extent> last_extents_;
  list<const std::byte*> data_, device_data_;
  input_copies copies_;
  run_counter runs_;
  bool prepared_ = false;

  const plan_view& plan() const { return program_.plan(); }
  // Elements are where they were not in the last run: of its own, so that calls which bind the same do not
  // hold its code. Returns false where they cannot be read there.
  [[gnu::noinline]] bool take_plain(std::size_t i, array_view<const std::byte> elements) {
    if (elements.size() == 0 || program_.overwrites(elements)) return false;
    data_[i] = elements.data();
    return true;
  }
  [[gnu::always_inline]] bool take_plain(const std::byte* const* inputs,
                                         array_view<const std::size_t> bytes) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
      if (inputs[i] != data_[i] && !take_plain(i, {inputs[i], bytes[i]})) return false;
    return true;
  }
  // Most inputs have the extents of the last ones, and can be read where they are; then nothing else needs a
  // look. Returns false at the first one of which that is not so.
  bool take_plain(array_view<const bound_elements> inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bound_elements& now = inputs[i];
      if (!same_extents(now, last_[i]) || now.data == nullptr || now.device_data != nullptr ||
          now.strided_axes != 0)
        return false;
      if (now.data != data_[i] &&
          !take_plain(i, {now.data, static_cast<std::size_t>(now.count) * size_of(now.type)}))
        return false;
    }
    return true;
  }
  static bool same_extents(const bound_elements& now, const bound_elements& before) {
    if (!now.given || now.type != before.type || now.count != before.count || now.rank != before.rank)
      return false;
    for (int d = 0; d < now.rank; ++d)
      if (now.shape[static_cast<std::size_t>(d)] != before.shape[static_cast<std::size_t>(d)]) return false;
    return true;
  }
  bool same_extents(array_view<const bound_elements> inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (!same_extents(inputs[i], last_[i])) return false;
    return true;
  }

  bool same_values(array_view<const bound_extent> extents) const {
    if (extents.size() != static_cast<std::size_t>(last_extents_.size())) return false;
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (extents[i] != last_extents_[i]) return false;
    return true;
  }

  void prepare(array_view<const bound_elements> inputs, array_view<const bound_extent> extents) {
    prepared_ = false;
    extents_.find(inputs, extents);
    runs_.next();  // results move
    program_.prepare([this](std::size_t k) { return extents_[k]; });
    check_slices();
    if (const derived_extent* e = negative_extent(plan().extents, [&](auto k) { return program_.extent(k); }))
      refuse_negative(plan().extents, *e, program_.extent(e->left) - program_.extent(e->right));
    for (std::size_t i = 0; i < inputs.size(); ++i) last_[i] = inputs[i];
    last_extents_.clear();
    for (const bound_extent& e : extents) last_extents_.push(e);
    prepared_ = true;
  }

  std::string_view label(std::size_t i) const { return input_node(plan(), i).label->view(); }

  // A slice of a run-time axis can only be checked once the extent is known.
  void check_slices() const {
    for (const run_node& n : plan().nodes) {
      if (!n.is_slice) continue;
      const auto axis = static_cast<std::size_t>(n.slice.axis);
      const run_node& whole = plan().nodes[static_cast<std::size_t>(n.operand)];
      const std::int64_t count = std::max<std::int64_t>(program_.extent(n.shape[axis]), n.is_window ? 1 : 0);
      const std::int64_t extent = program_.extent(whole.shape[axis]);
      const std::int64_t last = program_.extent(n.slice.begin) + (count - 1) * n.slice.step;
      if (count > 0 && last >= extent) refuse_slice(whole, last, axis);
    }
  }
  [[noreturn]] TAPELESS_COLD void refuse_slice(const run_node& whole, std::int64_t last,
                                               std::size_t axis) const {
    std::int64_t shape[max_rank] = {};
    for (int d = 0; d < whole.rank; ++d) shape[d] = program_.extent(whole.shape[d]);
    const std::string what =
        whole.label == nullptr ? std::string("a value") : join({"\"", whole.label->view(), "\""});
    throw_error({"element ", last, " along axis ", axis, " is asked for, but the run-time extent there is ",
                 shape[axis], ": ", what, " has the shape ",
                 io::shape_text({shape, static_cast<std::size_t>(whole.rank)})});
  }

  [[noreturn]] TAPELESS_COLD static void refuse_exchange() {
    throw_error(
        "the model has all_reduce, all_gather, vary_by_rank or own_part, which need other ranks: give the "
        "trainer the policy tl::cpu_ranks(world)");
  }

  void check_devices(array_view<const bound_elements> inputs) const {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].device_data == nullptr) continue;
      if constexpr (requires { program_.device(); }) {
        if (inputs[i].device != program_.device())
          throw_error({"input \"", label(i), "\" is on device ", inputs[i].device,
                       ", but the program is on device ", program_.device()});
      } else {
        throw_error({"input \"", label(i), "\" is on device ", inputs[i].device,
                     ", but the program runs on the CPU"});
      }
    }
  }

  void check_indices(array_view<const bound_elements> inputs) const {
    for (const index_bound& b : plan().index_bounds)
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (plan().inputs[i] == b.node) {
          index_bound known = b;
          known.for_each_extent([&](std::int64_t& e) { e = program_.extent(e); });
          if (inputs[i].type == element::i32) check_indices<std::int32_t>(i, inputs[i], known);
          if (inputs[i].type == element::i64) check_indices<std::int64_t>(i, inputs[i], known);
          if (inputs[i].type == element::u8) check_indices<std::uint8_t>(i, inputs[i], known);
          if (inputs[i].type == element::i8) check_indices<std::int8_t>(i, inputs[i], known);
          if (inputs[i].type == element::i16) check_indices<std::int16_t>(i, inputs[i], known);
          if (inputs[i].type == element::u32) check_indices<std::uint32_t>(i, inputs[i], known);
        }
  }

  template <class T>
  void check_indices(std::size_t i, const bound_elements& in, const index_bound& b) const {
    const T* items = reinterpret_cast<const T*>(data_[i]);
    for (std::int64_t k = 0; k < in.count; ++k) {
      const std::int64_t item = items[k];
      if ((item < 0 || item >= b.bound) && item != b.ignored && b.elements.has(k))
        refuse_index(i, item, place_text(in, k), b.bound, b.ignored);
    }
  }
  // Of samples of a data set, which may have been shuffled, by their numbers there.
  TAPELESS_COLD static std::string place_text(const bound_elements& in, std::int64_t position) {
    if (in.samples == nullptr) return join({" at position ", position});
    const std::int64_t sample_size = in.count / in.shape[0], sample = in.samples[position / sample_size];
    if (sample_size == 1) return join({" in sample ", sample, " of the data set"});
    return join({" at position ", position % sample_size, " of sample ", sample, " of the data set"});
  }
  [[noreturn]] TAPELESS_COLD void refuse_index(std::size_t i, std::int64_t item, const std::string& place,
                                               std::int64_t bound, std::int64_t ignored) const {
    const bool ignores = ignored != index_bound::none;
    throw_error({"input \"", label(i), "\" holds ", item, place, "; as an index it must be from 0 to ",
                 bound - 1, ignores ? join({", or ignore_index = ", ignored}) : std::string()});
  }
};

// Behind the class, and so not inline: it need not be compiled in each program, see compiled.hpp.
template <class Program>
void bound_program<Program>::check(array_view<const bound_elements> inputs,
                                   array_view<const bound_extent> extents) {
  if (!prepared_ || !same_values(extents) || !take_plain(inputs)) {
    copies_.gather(program_, inputs, data_);
    if (!prepared_ || !same_extents(inputs) || !same_values(extents)) prepare(inputs, extents);
    check_devices(inputs);
  }
  if (!plan().index_bounds.empty()) check_indices(inputs);
}

}  // namespace tapeless
