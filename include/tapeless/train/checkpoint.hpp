// SPDX-License-Identifier: BSL-1.0
// save_checkpoint(net, path), load_checkpoint(net, path): all that training goes on from, as one file.
#pragma once

#include <cstring>

#include <tapeless/graph/array_view.hpp>
#include <tapeless/train/position.hpp>
#include <tapeless/train/save.hpp>

namespace tapeless {

namespace detail {

/// A state's name in a file: "adam.mu.fc1.weight", or its own where it belongs to no parameter.
inline std::string name_of_state(const state_description& s,
                                 array_view<const parameter_description> parameters) {
  std::string name(s.label->view());
  if (s.of >= 0) append(name, {".", parameters[static_cast<std::size_t>(s.of)].label->view()});
  return name;
}

inline io::tensor_entry number_entry(const char* name, const std::int64_t& number) {
  return {name, element::i64, {}, {reinterpret_cast<const std::byte*>(&number), sizeof number}};
}

/// Everything that a checkpoint holds, with the trainer's own memory behind it; `position` outlives it.
template <class Net>
std::vector<io::tensor_entry> checkpoint_entries(Net& net, const trainer_position& position) {
  std::vector<io::tensor_entry> entries;
  const auto parameters = net.parameter_descriptions();
  for (std::size_t i = 0; i < parameters.size(); ++i)
    entries.push_back(entry_of(parameters[i], net.parameter_data()[i]));
  const auto states = net.state_descriptions();
  for (std::size_t i = 0; i < states.size(); ++i) {
    io::tensor_entry entry = entry_of(states[i], net.state_data()[i]);
    entry.name = name_of_state(states[i], parameters);
    entries.push_back(std::move(entry));
  }
  const auto gradients = net.collected_gradients();  // none where no step waits for its update
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    io::tensor_entry entry = entry_of(net.gradient_descriptions()[i], gradients[i]);
    entry.name.insert(0, "gradient.");
    entries.push_back(std::move(entry));
  }
  entries.push_back(number_entry("trainer.steps", position.steps));
  entries.push_back(number_entry("trainer.collected", position.collected));
  entries.push_back(number_entry("trainer.random", position.random));
  return entries;
}

inline std::int64_t number_in(const io::safetensors& file, const std::string& path, const char* name) {
  const io::tensor_entry& entry = file[name];
  std::int64_t number = 0;
  if (entry.type != element::i64 || entry.bytes.size() != sizeof(number))
    throw error({path, ": \"", name, "\" is ", name_of(entry.type), io::shape_text(entry.shape),
                 ", but a checkpoint has one std::int64_t there"});
  std::memcpy(&number, entry.bytes.data(), sizeof(number));
  return number;
}

}  // namespace detail

/// Writes parameters, the rule's states (adam.mu.fc1.weight, ...), gradients that wait for their update, the
/// number of steps, by which schedules go, and the place in the random numbers. The file is replaced as a
/// whole or not at all. Throws an error where it cannot be written.
template <class Net>
  requires(!std::derived_from<Net, unsound>)
void save_checkpoint(Net& net, const std::string& path) {
  const trainer_position position = net.position();
  io::write_safetensors(path, detail::checkpoint_entries(net, position));
}

/// Reads a checkpoint back into a trainer of the same model and rule, which goes on bit for bit as the one
/// that wrote it. Throws an error, and changes nothing, if the file lacks something, or has it in another
/// type or shape.
template <class Net>
  requires(!std::derived_from<Net, unsound>)
void load_checkpoint(Net& net, const std::string& path) {
  const io::safetensors file = io::safetensors::read(path);
  const trainer_position position{detail::number_in(file, path, "trainer.steps"),
                                  detail::number_in(file, path, "trainer.collected"),
                                  detail::number_in(file, path, "trainer.random")};
  const auto before = net.position();
  net.set_position(position);  // so that there is room for gradients where the file has some
  const auto entries = detail::checkpoint_entries(net, position);
  for (const io::tensor_entry& own : entries) {
    const io::tensor_entry* stored = nullptr;
    try {
      stored = &file[own.name];
      if (stored->type != own.type || stored->shape != own.shape)
        throw error({path, ": \"", own.name, "\" is ", name_of(own.type), io::shape_text(own.shape),
                     ", but the file holds ", name_of(stored->type), io::shape_text(stored->shape)});
    } catch (...) {
      net.set_position(before);
      throw;
    }
  }
  for (const io::tensor_entry& own : entries)
    if (!own.name.starts_with("trainer."))
      std::copy(file[own.name].bytes.begin(), file[own.name].bytes.end(),
                const_cast<std::byte*>(own.bytes.data()));  // the trainer's own memory
}

// Of a trainer whose model's error has been reported.
inline void save_checkpoint(unsound&, const std::string&) {}
inline void load_checkpoint(unsound&, const std::string&) {}

}  // namespace tapeless
