// SPDX-License-Identifier: BSL-1.0
// Batches from a data set: gathers the chosen samples of the columns that a program's inputs are named after.
#pragma once

#include <tapeless/data/dataset.hpp>
#include <tapeless/train/program/call.hpp>

namespace tapeless {

/// Gathers batches for one program's inputs, into memory of its own.
template <class GraphBuilder>
class batch_source {
 public:
  /// Throws an error if an input has no column of its name.
  explicit batch_source(const data::dataset& from) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i] = &from.column(labels_of_inputs[i]->view());
      if (columns_[i]->sample_shape.size() >= max_rank)
        throw_error({"column \"", columns_[i]->name, "\" has samples of ", columns_[i]->sample_shape.size(),
                     " axes; at most ", max_rank - 1, " are possible"});
    }
  }

  /// The samples with these numbers; valid until the next call.
  const bindings_of<GraphBuilder>& gather(array_view<const std::int64_t> samples) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const data::column& c = *columns_[i];
      buffers_[i].resize(samples.size() * c.sample_bytes());
      auto* data = reinterpret_cast<std::byte*>(buffers_[i].data());
      data::copy_samples(c, samples, data);
      bound_elements& e = batch_.inputs[i];
      e = bound_elements();  // member by member: nvcc hands g++ no designators that leave some out
      e.given = true;
      e.data = data;
      e.type = c.type;
      e.count = static_cast<std::int64_t>(samples.size()) * c.sample_size;
      e.rank = 1 + static_cast<int>(c.sample_shape.size());
      e.shape[0] = static_cast<std::int64_t>(samples.size());
      for (std::size_t d = 0; d < c.sample_shape.size(); ++d) e.shape[d + 1] = c.sample_shape[d];
    }
    return batch_;
  }

  /// The gathered elements of the input of that name.
  template <name Name>
  auto get() const {
    constexpr int index = detail::input_index<GraphBuilder>(&interned<Name>);
    if constexpr (index < 0) {
      constexpr text message = detail::unknown_name("input", Name.view(), labels_of_inputs);
      static_assert(compile_error<sentence_of<message.size>(message)>::reported);
    } else {
      const bound_elements& e = batch_.inputs[index];
      using value_type = storage_of<
          constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(plan_of<GraphBuilder>.inputs[index])].type>;
      return tensor_view<const value_type>(reinterpret_cast<const value_type*>(e.data),
                                           {e.shape.data(), static_cast<std::size_t>(e.rank)});
    }
  }

 private:
  static constexpr std::size_t count = plan_of<GraphBuilder>.inputs.size();
  static constexpr std::array<const name*, count>
      labels_of_inputs =
          [] {
            std::array<const name*, count> all{};
            for (std::size_t i = 0; i < count; ++i)
              all[i] = constant_graph_of<GraphBuilder>.nodes[static_cast<std::size_t>(plan_of<GraphBuilder>.inputs[i])].label;
            return all;
          }();
  std::array<const data::column*, count> columns_{};
  std::array<std::vector<unsigned char>, count> buffers_;  // as loaders have them
  bindings_of<GraphBuilder> batch_;
};

}  // namespace tapeless
