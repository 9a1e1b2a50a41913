// SPDX-License-Identifier: BSL-1.0
// Batches for a program: reads the chosen samples of the columns that its inputs are named after.
#pragma once

#include <algorithm>

#include <tapeless/data/source.hpp>
#include <tapeless/graph/core/compiled_once.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/binding/tensor_view.hpp>
#include <tapeless/train/loop/read_ahead.hpp>
#include <tapeless/train/program/call.hpp>

namespace tapeless {

namespace detail {

/// An input as data see it: the first axis counts samples.
struct input_description {
  const name* label;
  element type;
  int rank;
  std::array<std::int64_t, max_rank> extents;  // negative: not known while compiling
};

template <class GraphBuilder>
inline constexpr auto described_inputs = [] {
  constexpr auto& g = constant_graph_of<GraphBuilder>;
  constexpr auto& inputs = plan_of<GraphBuilder>.inputs;
  std::array<input_description, inputs.size()> all{};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto& node = g.nodes[static_cast<std::size_t>(inputs[i])];
    all[i] = {node.label, node.type, node.rank, {}};
    for (std::size_t d = 0; d < static_cast<std::size_t>(node.rank); ++d) all[i].extents[d] = node.shape[d];
  }
  return all;
}();

[[noreturn]] TAPELESS_COLD inline void fail_without_column(const data::source& from, std::string_view name) {
  list<std::string_view> names;
  for (const data::column_description& c : from.columns()) names.push(c.name);
  throw_error({"no column \"", name, "\" in the dataset, which has ", io::similar_names(name, names)});
}

/// The column that an input asks a source for which does not tell of one with its name.
TAPELESS_COLD inline data::column_description column_for(const input_description& input) {
  const std::string_view name = input.label->view();
  if (input.rank == 0)
    throw_error({"input \"", name, "\" is a scalar: it has no axis for the samples of a batch"});
  data::column_description c{std::string(name), input.type, {}};
  for (std::size_t d = 1; d < static_cast<std::size_t>(input.rank); ++d) {
    if (input.extents[d] < 0)
      throw_error({"input \"", name,
                   "\" leaves more than its first extent open: the source of samples must say the others, by "
                   "columns() const, which returns tl::data::column_of<T>(\"",
                   name, "\", {extents}) among others"});
    c.sample_shape.push_back(input.extents[d]);
  }
  return c;
}

TAPELESS_COLD inline void add_columns(data::batch_memory& memory, array_view<const input_description> inputs,
                                      const data::source& from) {
  for (const input_description& input : inputs) {
    const data::column_description* found = from.find(input.label->view());
    if (found == nullptr && from.describes_all()) fail_without_column(from, input.label->view());
    memory.add(found != nullptr ? *found : column_for(input));
  }
}

/// Memory for batches of the columns that these inputs are named after, in their order. Throws an error where
/// the source has none for one of them.
template <class = compiled_once>
TAPELESS_WARM data::batch_memory memory_for(array_view<const input_description> inputs,
                                            const data::source& from) {
  data::batch_memory memory;
  add_columns(memory, inputs, from);
  return memory;
}

/// Throws where an input takes parts of `part` samples as those of a `whole` batch alone, and a pass ends
/// with a batch of `last` samples, whose parts are others. The batches are this rank's shares where there are
/// ranks.
template <class = compiled_once>
TAPELESS_COLD void require_last_batch_fits(array_view<const input_description> inputs, std::int64_t part,
                                           std::int64_t whole, std::int64_t last, bool are_shares) {
  for (const input_description& input : inputs) {
    const std::int64_t taken = input.rank > 0 ? input.extents[0] : -1;
    const auto fits = [&](std::int64_t batch) {
      return batch == 0 || (taken > 0 && std::min(batch, part) == taken && batch % taken == 0);
    };
    if (fits(whole) && !fits(last))
      throw_error({"fit: input \"", input.label->view(), "\" takes batches of ", taken, " samples, but ",
                   are_shares ? "a rank's share of " : "", "the last one of an epoch has ",
                   last > part ? last % part : last,
                   ": give fit the option .last_batch = tl::data::last_batch::drop, or fill"});
  }
}

/// Binds the inputs to the columns of a batch of these samples.
[[gnu::noinline]] inline void bind_columns(data::batch_memory& memory, array_view<const std::int64_t> samples,
                                           array_view<bound_elements> inputs) {
  const auto size = static_cast<std::int64_t>(samples.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    data::batch_column& c = memory.columns()[i];
    bound_elements& e = inputs[i];
    e = bound_elements();  // member by member: nvcc hands g++ no designators that leave some out
    e.given = true;
    e.data = c.begin();
    e.type = c.description.type;
    e.count = size * c.sample_size;
    e.samples = samples.data();
    e.rank = 1 + static_cast<int>(c.description.sample_shape.size());
    e.shape[0] = size;
    for (std::size_t d = 0; d < c.description.sample_shape.size(); ++d)
      e.shape[d + 1] = c.description.sample_shape[d];
  }
}

}  // namespace detail

/// Reads batches for one program's inputs, into memory of its own.
template <class GraphBuilder>
class batch_source {
 public:
  /// Throws an error if an input has no column of its name.
  explicit batch_source(const data::source& from)
      : reader_(from, detail::memory_for(detail::described_inputs<GraphBuilder>, from)) {}

  /// The samples with these numbers, in the pass over the data with that number; valid until the next call,
  /// and as long as the numbers are.
  const bindings_of<GraphBuilder>& gather(array_view<const std::int64_t> samples, std::int64_t pass = 0) {
    data::batch_memory& read = reader_.read(samples, pass);
    detail::bind_columns(read, samples, batch_.inputs);
    samples_ = samples;
    return batch_;
  }

  /// What was gathered last.
  const bindings_of<GraphBuilder>& inputs() const { return batch_; }
  /// The numbers of its samples in the data set.
  array_view<const std::int64_t> sample_numbers() const { return samples_; }

  /// Whether batches are read ahead.
  bool runs_ahead() const { return reader_.runs_ahead(); }
  /// The samples that are probably gathered next: they may be read from now on, see data::read_ahead.
  void expect(array_view<const std::int64_t> samples, std::int64_t pass = 0) {
    reader_.expect(samples, pass);
  }

  /// The gathered elements of the input of that name.
  template <name Name>
  auto get() const {
    constexpr int index = detail::input_index<GraphBuilder>(&interned<Name>);
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("input", Name.view(), labels_of_inputs);
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
      return no_output();
    } else {
      const bound_elements& e = batch_.inputs[index];
      using value_type = storage_of<detail::described_inputs<GraphBuilder>[index].type>;
      return tensor_view<const value_type>(reinterpret_cast<const value_type*>(e.data),
                                           {e.shape.data(), static_cast<std::size_t>(e.rank)});
    }
  }

 private:
  static constexpr std::size_t count = plan_of<GraphBuilder>.inputs.size();
  static constexpr std::array<const name*, count> labels_of_inputs = [] {
    std::array<const name*, count> all{};
    for (std::size_t i = 0; i < count; ++i) all[i] = detail::described_inputs<GraphBuilder>[i].label;
    return all;
  }();
  data::read_ahead reader_;
  bindings_of<GraphBuilder> batch_;
  array_view<const std::int64_t> samples_;
};

/// The columns that fit would ask a source for which does not tell of its own: those that the model's inputs
/// are named after. Throws an error where an input leaves more than its first extent open.
template <class Net>
TAPELESS_WARM std::vector<data::column_description> columns_of(const Net&) {
  std::vector<data::column_description> columns;
  for (const detail::input_description& input : detail::described_inputs<typename Net::evaluate_program>)
    columns.push_back(detail::column_for(input));
  return columns;
}

}  // namespace tapeless
