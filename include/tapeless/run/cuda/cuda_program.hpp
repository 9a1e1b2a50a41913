// SPDX-License-Identifier: BSL-1.0
// A program on a GPU: the first run for given extents captures all its commands as a CUDA graph, later ones
// start that graph. Nothing waits but who reads a result.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include <tapeless/graph/core/aligned.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/run/common/program_core.hpp>
#include <tapeless/run/cuda/captured_graph.hpp>
#include <tapeless/run/cuda/cuda_backend.hpp>
#include <tapeless/run/cuda/host_copies.hpp>
#include <tapeless/run/cuda/staging.hpp>

namespace tapeless::cuda_kernels {

class program {
 public:
  using resources = cuda_kernels::resources;
  static constexpr bool whole_windows = program_core<backend>::whole_windows;
  static constexpr attention_support whole_attention = program_core<backend>::whole_attention;
  static constexpr bool can_leave_out = true;

  program(const plan_view& plan, const backend::kernel_table& kernels,
          const program_memory<resources>& memory)
      : core_(plan, kernels, memory),
        shared_(*memory.resources),
        hyperparameters_(memory.hyperparameters),
        input_offsets_(plan.inputs.size()),
        input_bytes_(plan.inputs.size()),
        inputs_there_(plan.inputs.size()) {}
  ~program() { cudaStreamSynchronize(shared_.steps()); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  const plan_view& plan() const { return core_.plan(); }
  std::int64_t extent(std::int64_t e) const { return core_.extent(e); }
  std::int64_t arena_bytes() const { return core_.arena_bytes(); }

  template <class Symbols>
  void prepare(Symbols symbols) {
    const on_device here(shared_.device());
    check(cudaStreamSynchronize(shared_.steps()), "cudaStreamSynchronize", {{}, core_.backend().model()});
    for (captured_step& t : captured_steps_) t = {};
    core_.prepare(symbols);
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < input_bytes_.size(); ++i) {
      input_bytes_[i] = bytes_of(plan().inputs[i]);
      input_offsets_[i] = bytes;
      bytes += aligned(input_bytes_[i]);
    }
    hyperparameter_offset_ = bytes;
    bytes += aligned(static_cast<std::int64_t>(hyperparameters_.size_bytes()));
    for (captured_step& t : captured_steps_) t.slot = staging_slot(bytes);
    lay_out_outputs();
  }

  int device() const { return shared_.device(); }

  /// Copies the inputs, from the device where they are there, and starts all commands. Those here may be
  /// written to again afterwards. An observer that takes part in the run adds work of its own to the graph:
  /// it is told of the capture's begin, of each command, and of the end, with where the numbers for rules
  /// are. The graph is captured anew where others.capture() is another number than it was.
  template <class... Observer>
  void run(array_view<const std::byte* const> inputs, array_view<const std::byte* const> on_device_already,
           Observer&... others) {
    const on_device here(shared_.device());
    shared_.send_changes();
    captured_step& now = captured_steps_[next_step_];
    next_step_ = 1 - next_step_;
    std::byte* staged = now.slot.begin();
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (on_device_already[i] == nullptr)
        copy_on_host(staged + input_offsets_[i], inputs[i], input_bytes_[i]);
    std::copy_n(reinterpret_cast<const std::byte*>(hyperparameters_.data()), hyperparameters_.size_bytes(),
                staged + hyperparameter_offset_);
    send(now.slot, on_device_already);
    check(cudaGraphLaunch(graph_of(now, others...), shared_.steps()), "cudaGraphLaunch",
          {{}, core_.backend().model()});
    now.slot.end(shared_);
    shared_.changed_there();
    for (output_copy& o : outputs_) o.is_here = false;
    (others.launched(), ...);
  }
  /// Adds all commands to what is being captured on the trainer's stream, with the numbers for rules that are
  /// there on the device. Precondition: it is prepared, and has no inputs.
  template <class Observer>
  void add_to_capture(const std::byte* hyperparameters, Observer& observer) {
    core_.run_observed({}, hyperparameters, observer);
  }
  /// How many commands are one launch from this one on.
  std::size_t commands_at_once(std::size_t command) const {
    const planned_command& c = plan().commands[command];
    return c.may_be_launched_with_others() ? core_.backend().commands_at_once(c) : 1;
  }

  /// The number that the capture had whose graph the next run with an observer starts; 0 where there is none.
  std::uint64_t next_capture() const { return captured_steps_[next_step_].capture; }

  /// Whether a run, or what prepares it, may change these bytes here or give them back.
  bool overwrites(array_view<const std::byte> bytes) const {
    const std::less<const std::byte*> before;
    const auto* const begin = static_cast<const std::byte*>(outputs_here_.get());
    return begin != nullptr && before(bytes.begin(), begin + output_bytes_) && before(begin, bytes.end());
  }

  /// Where the elements of an output can be read, until the next run: waits for the steps.
  const std::byte* output(int id) const {
    for (const output_copy& o : outputs_) {
      if (o.node != id) continue;
      std::byte* const to = static_cast<std::byte*>(outputs_here_.get()) + o.offset;
      if (o.is_here) return to;
      const on_device here(shared_.device());
      if (o.bytes > 0)
        check(cudaMemcpyAsync(to, core_.output(id), static_cast<std::size_t>(o.bytes), cudaMemcpyDefault,
                              shared_.steps()),
              "cudaMemcpyAsync", {{}, core_.backend().model()});
      shared_.wait();
      o.is_here = true;
      return to;
    }
    return nullptr;
  }

 private:
  struct captured_step {
    staging_slot slot;
    executable_graph graph, graph_with_others;
    std::uint64_t capture = 0;  // of the latter
  };
  struct output_copy {
    int node;
    std::int64_t offset, bytes;
    mutable bool is_here = false;
  };

  program_core<backend> core_;
  resources& shared_;
  array_view<const double> hyperparameters_;
  std::vector<std::int64_t> input_offsets_, input_bytes_;
  std::int64_t hyperparameter_offset_ = 0;
  std::vector<const std::byte*> inputs_there_;
  std::array<captured_step, 2> captured_steps_;
  std::size_t next_step_ = 0;
  pinned_pointer outputs_here_;
  std::int64_t output_bytes_ = 0;
  std::vector<output_copy> outputs_;

  // In as few copies as may be: what is here is contiguous.
  void send(staging_slot& slot, array_view<const std::byte* const> on_device_already) const {
    slot.begin_sending(shared_);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < on_device_already.size(); ++i) {
      if (on_device_already[i] == nullptr) continue;
      slot.send(begin, input_offsets_[i] - begin, shared_);
      slot.take(input_offsets_[i], on_device_already[i], input_bytes_[i], shared_);
      begin = input_offsets_[i] + aligned(input_bytes_[i]);
    }
    const auto end = hyperparameter_offset_ + static_cast<std::int64_t>(hyperparameters_.size_bytes());
    slot.send(begin, end - begin, shared_);
    slot.end_sending(shared_);
  }

  static std::int64_t aligned(std::int64_t bytes) { return tapeless::detail::aligned(bytes, 256); }

  std::int64_t bytes_of(int id) const {
    const run_node& n = plan().nodes[static_cast<std::size_t>(id)];
    auto bytes = static_cast<std::int64_t>(size_of(n.type));
    for (int d = 0; d < n.rank; ++d) bytes *= extent(n.shape[d]);
    return bytes;
  }

  void lay_out_outputs() {
    outputs_.clear();
    std::int64_t bytes = 0;
    for (const graph_output& o : plan().outputs) {
      outputs_.push_back({o.node, bytes, bytes_of(o.node)});
      bytes += aligned(outputs_.back().bytes);
    }
    outputs_here_ = {};
    output_bytes_ = bytes;
    outputs_here_ = pinned_memory(bytes > 0 ? bytes : 1);
  }

  cudaGraphExec_t graph_of(captured_step& now) {
    if (!now.graph) now.graph = captured(now, no_observer());
    return now.graph.get();
  }
  template <class Observer>
  cudaGraphExec_t graph_of(captured_step& now, Observer& others) {
    if (!others.takes_part()) return graph_of(now);
    if (now.capture != others.capture()) {
      now.capture = 0;
      now.graph_with_others = {};
      now.graph_with_others = captured(now, others);
      now.capture = others.capture();
    }
    return now.graph_with_others.get();
  }

  template <class Observer>
  executable_graph captured(const captured_step& now, Observer&& others) {
    for (std::size_t i = 0; i < inputs_there_.size(); ++i)
      inputs_there_[i] = now.slot.there() + input_offsets_[i];
    return captured_graph(shared_.steps(), {{}, core_.backend().model()}, [&] {
      if constexpr (requires { others.begin_capture(); }) others.begin_capture();
      const std::byte* const numbers = now.slot.there() + hyperparameter_offset_;
      core_.run_observed(inputs_there_, numbers, others);
      if constexpr (requires { others.end_capture(numbers); }) others.end_capture(numbers);
    });
  }
};

}  // namespace tapeless::cuda_kernels
