// SPDX-License-Identifier: BSL-1.0
// save(net, path), load(net, path): a trainer's parameters as a safetensors file.
#pragma once

#include <concepts>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/train/parameters.hpp>
#include <tapeless/train/unsound.hpp>

namespace tapeless {

namespace detail {

inline io::tensor_entry entry_of(const parameter_description& p, const std::byte* data) {
  return {std::string(p.label->view()),
          p.type,
          {p.extents().begin(), p.extents().end()},
          {data, static_cast<std::size_t>(p.bytes())}};
}

}  // namespace detail

/// Writes the parameters, under the names that the model gives them and in PyTorch's layouts. The file is
/// replaced as a whole or not at all.
template <class Net>
  requires(!std::derived_from<Net, unsound>)
void save(Net& net, const std::string& path) {
  std::vector<io::tensor_entry> entries;
  const auto descriptions = net.parameter_descriptions();
  for (std::size_t i = 0; i < descriptions.size(); ++i)
    entries.push_back(detail::entry_of(descriptions[i], net.parameter_data()[i]));
  io::write_safetensors(path, entries);
}

/// Reads the parameters back. Throws an error, and changes nothing, if the file lacks one, or one has another
/// type or shape; tensors that the model does not know are no error.
template <class Net>
  requires(!std::derived_from<Net, unsound>)
void load(Net& net, const std::string& path) {
  const io::safetensors file = io::safetensors::read(path);
  const auto descriptions = net.parameter_descriptions();
  for (const parameter_description& p : descriptions) {
    const io::tensor_entry& entry = file[p.label->view()];
    if (entry.type != p.type ||
        !std::equal(entry.shape.begin(), entry.shape.end(), p.extents().begin(), p.extents().end()))
      throw error({path, ": the parameter \"", entry.name, "\" is ", name_of(p.type),
                   io::shape_text(p.extents()), ", but the file holds ", name_of(entry.type),
                   io::shape_text(entry.shape)});
  }
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const io::tensor_entry& entry = file[descriptions[i].label->view()];
    std::copy(entry.bytes.begin(), entry.bytes.end(), net.parameter_data()[i]);
  }
}

// Of a trainer whose model's error has been reported.
inline void save(unsound&, const std::string&) {}
inline void load(unsound&, const std::string&) {}

}  // namespace tapeless
