// SPDX-License-Identifier: BSL-1.0
// save(net, path), load(net, path): a trainer's parameters as a safetensors file.
#pragma once

#include <concepts>

#include <tapeless/io/safetensors.hpp>
#include <tapeless/train/program/parameters.hpp>
#include <tapeless/train/trainer/error_stub.hpp>

namespace tapeless {

namespace detail {

inline io::tensor_entry entry_of(const parameter_description& p, const std::byte* data) {
  return {std::string(p.label->view()),
          p.type,
          {p.extents().begin(), p.extents().end()},
          {data, static_cast<std::size_t>(p.bytes())}};
}

/// Whether the trainer keeps float copies of parameters of 16 bits.
template <class Net>
concept has_masters = requires(Net& net) { net.master_data(0); };

template <class Net>
std::byte* master_of(Net& net, std::size_t i) {
  if constexpr (has_masters<Net>) return net.master_data(i);
  return nullptr;
}

/// The parameter as a file has it: as it is, or as its float copy.
template <class Net>
io::tensor_entry entry_in_file(Net& net, std::size_t i, bool as_master) {
  parameter_description p = net.parameter_descriptions()[i];
  const std::byte* data = net.parameter_data()[i];
  if (const std::byte* master = master_of(net, i); as_master && master != nullptr) {
    p.type = element::f32;
    data = master;
  }
  return entry_of(p, data);
}

/// Elements of 16 bits or float, in another of these types.
inline void convert_elements(element from_type, const std::byte* from, element to_type, std::byte* to,
                             std::int64_t count) {
  const auto read = [&](std::int64_t i) -> float {
    if (from_type == element::bf16) return reinterpret_cast<const bf16*>(from)[i];
    if (from_type == element::f16) return reinterpret_cast<const f16*>(from)[i];
    float x;
    std::memcpy(&x, from + 4 * i, sizeof(x));
    return x;
  };
  for (std::int64_t i = 0; i < count; ++i)
    store_number(read(i), to_type, to + i * static_cast<std::int64_t>(size_of(to_type)));
}

template <class Net>
void write_parameters(Net& net, const std::string& path, bool as_masters) {
  std::vector<io::tensor_entry> entries;
  for (std::size_t i = 0; i < net.parameter_descriptions().size(); ++i)
    entries.push_back(entry_in_file(net, i, as_masters));
  io::write_safetensors(path, entries);
}

}  // namespace detail

/// Passed to save so that the float copies are written where the model is stored in 16 bits.
struct masters_t {};
inline constexpr masters_t masters;

/// Writes the parameters, under the names that the model gives them and in PyTorch's layouts; under mixed
/// precision in 16 bits, or, save(net, path, masters), as the float copies. The file is replaced as a whole
/// or not at all. Throws an error where it cannot be written.
template <class Net>
  requires(!std::derived_from<Net, error_stub>)
void save(Net& net, const std::string& path) {
  detail::write_parameters(net, path, false);
}
template <class Net>
  requires(!std::derived_from<Net, error_stub>)
void save(Net& net, const std::string& path, masters_t) {
  static_assert(detail::has_masters<Net>,
                "tapeless: save(net, path, masters): this trainer keeps no float copies");
  detail::write_parameters(net, path, true);
}

/// Reads the parameters back; under mixed precision from a file in 16 bits or in float, which the float
/// copies then start from. Throws an error, and changes nothing, if the file lacks one, or one has another
/// type or shape; tensors that the model does not know are no error.
template <class Net>
  requires(!std::derived_from<Net, error_stub>)
void load(Net& net, const std::string& path) {
  const io::safetensors file = io::safetensors::read(path);
  const auto descriptions = net.parameter_descriptions();
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const parameter_description& p = descriptions[i];
    const io::tensor_entry& entry = file[p.label->view()];
    const bool as_master = entry.type == element::f32 && detail::master_of(net, i) != nullptr;
    if ((entry.type != p.type && !as_master) ||
        !std::equal(entry.shape.begin(), entry.shape.end(), p.extents().begin(), p.extents().end()))
      throw_error({path, ": the parameter \"", entry.name, "\" is ", name_of(p.type),
                   io::shape_text(p.extents()), ", but the file holds ", name_of(entry.type),
                   io::shape_text(entry.shape)});
  }
  for (std::size_t i = 0; i < descriptions.size(); ++i) {
    const parameter_description& p = descriptions[i];
    const io::tensor_entry& entry = file[p.label->view()];
    std::byte* data = net.parameter_data()[i];
    if (entry.type == p.type) {
      std::copy(entry.bytes.begin(), entry.bytes.end(), data);
    } else {
      detail::convert_elements(entry.type, entry.bytes.data(), p.type, data, p.count);
    }
    if (std::byte* master = detail::master_of(net, i))
      detail::convert_elements(entry.type, entry.bytes.data(), element::f32, master, p.count);
  }
}

// Of a trainer whose model's error has been reported.
inline void save(error_stub&, const std::string&) {}
inline void load(error_stub&, const std::string&) {}

}  // namespace tapeless
