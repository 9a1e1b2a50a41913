// SPDX-License-Identifier: BSL-1.0
// All that a trainer on tl::bare goes on from, as the bytes of a safetensors file: beside its parameters the
// rule's states, the number of steps and the place in the random numbers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tapeless/graph/core/name.hpp>
#include <tapeless/train/bare/bare_file.hpp>
#include <tapeless/train/program/graph_summary.hpp>
#include <tapeless/train/trainer/trainer_state.hpp>

namespace tapeless::detail {

/// Of what model a checkpoint is, as tl::save_checkpoint has it in its header: "tapeless.model" and 16
/// digits.
template <class Model>
inline constexpr auto identity_in_bare_checkpoint = [] {
  constexpr std::string_view before = "\"__metadata__\":{\"tapeless.model\":\"", behind = "\"}";
  std::array<char, before.size() + 16 + behind.size()> text{};
  character_writer w{text.data()};
  w.put(before);
  for (int digit = 15; digit >= 0; --digit)
    w.put("0123456789abcdef"[constant_summary_of<Model>.hash >> (4 * digit) & 0xf]);
  w.put(behind);
  return text;
}();

/// The content of a checkpoint. Names are those that tl::save_checkpoint writes; instead of the rule's text,
/// which no device has, its states say what it is.
template <class Model, class Layout>
struct bare_checkpoint_tensors {
  // The memories that tensors are in; that of the parameters is number 0, as in a file of them alone.
  static constexpr int in_states = 1, in_progress = 2;

  static constexpr auto tensors = [] {
    constexpr const auto& parameters = bare_parameter_tensors<Model>::tensors;
    constexpr const auto& states = Layout::state_descriptions;
    std::array<bare_tensor, parameters.size() + states.size() + 2> all{};
    std::size_t next = 0;
    for (const bare_tensor& parameter : parameters) all[next++] = parameter;
    for (std::size_t i = 0; i < states.size(); ++i) {
      bare_tensor& state = all[next++] = bare_tensor_of(states[i], Layout::states_of_the_rule[i]);
      state.memory = in_states;
      if (states[i].of >= 0) state.parameter = parameters[static_cast<std::size_t>(states[i].of)].label;
    }
    const auto number = [&](const name& label, std::int64_t at) {
      all[next++] = {&label, nullptr, element::i64, {}, 8, in_progress, 8 * at};
    };
    number(interned<"trainer.steps">, 0);
    number(interned<"trainer.random">, 1);
    return all;
  }();

  static constexpr std::string_view metadata{identity_in_bare_checkpoint<Model>.data(),
                                             identity_in_bare_checkpoint<Model>.size()};
};

/// The checkpoints of a trainer whose states are laid out so.
template <class Model, class Layout>
struct bare_checkpoint {
  using file = bare_file<bare_checkpoint_tensors<Model, Layout>>;
  static constexpr std::size_t bytes = file::bytes;

  static long save(std::byte* parameters, std::byte* states, const trainer_state& position, void* to,
                   std::size_t room) {
    const std::int64_t progress[] = {position.steps, position.random};
    const std::byte* const memories[] = {parameters, states, reinterpret_cast<const std::byte*>(progress)};
    return file::save(memories, to, room);
  }

  /// Returns false, and changes nothing, where the file is another one, or says what cannot be.
  static bool load(const void* from, std::size_t size, std::byte* parameters, std::byte* states,
                   trainer_state& position) {
    if (!file::begins(from, size) || !are_counts(static_cast<const std::byte*>(from))) return false;
    std::int64_t progress[2];
    std::byte* const memories[] = {parameters, states, reinterpret_cast<std::byte*>(progress)};
    file::load(from, size, memories);
    position.steps = progress[0];
    position.random = progress[1];
    return true;
  }

 private:
  // Whether the steps, and the states that count something, are numbers that they can be.
  static bool are_counts(const std::byte* from) {
    for (std::size_t i = 0; i < file::tensors.size(); ++i) {
      if (file::tensors[i].type != element::i64 || file::tensors[i].label == &interned<"trainer.random">)
        continue;
      for (std::int64_t k = 0; k < file::tensors[i].bytes; k += 8) {
        std::uint64_t number = 0;
        for (int byte = 0; byte < 8; ++byte)
          number |= static_cast<std::uint64_t>(from[file::offsets_in_file[i] + k + byte]) << (8 * byte);
        if (number > static_cast<std::uint64_t>(most_steps)) return false;
      }
    }
    return true;
  }
};

}  // namespace tapeless::detail
