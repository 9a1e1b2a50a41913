// SPDX-License-Identifier: BSL-1.0
// save_bytes(net), load_bytes(net, bytes) and the same of checkpoints: the files of save and save_checkpoint,
// in memory.
#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <vector>

#include <tapeless/io/bytes_reader.hpp>
#include <tapeless/io/safetensors.hpp>
#include <tapeless/train/files/checkpoint_file.hpp>
#include <tapeless/train/files/save.hpp>
#include <tapeless/train/program/save_options.hpp>

namespace tapeless {

/// Bytes side by side in memory: a vector, array or span of std::byte or characters.
template <class Bytes>
concept contiguous_bytes = std::ranges::contiguous_range<Bytes> && std::ranges::sized_range<Bytes> &&
                           sizeof(std::ranges::range_value_t<Bytes>) == 1;

namespace detail {

template <contiguous_bytes Bytes>
io::safetensors safetensors_in(const Bytes& bytes) {
  const auto all = std::as_bytes(std::span(std::ranges::data(bytes), std::ranges::size(bytes)));
  return io::safetensors::read_from(io::bytes_reader(all));
}

}  // namespace detail

/// The bytes of the file that save writes, for a file of your own, a message or a program that holds its
/// weights. Options are those of save. Empty on ranks of a cluster that write no file; all ranks call it.
template <detail::no_stub Net>
TAPELESS_WARM std::vector<std::byte> save_bytes(Net&& net, const save_options& options = {}) {
  detail::check_patterns(options, net.parameter_descriptions(), "the bytes");
  if (!detail::writes_files(net)) return {};
  return io::safetensors_bytes(detail::named_tensors(net, false, options));
}
template <detail::no_stub Net>
TAPELESS_WARM std::vector<std::byte> save_bytes(Net&& net, masters_t, const save_options& options = {}) {
  static_assert(detail::has_masters<Net>,
                "tapeless: save_bytes(net, masters): this trainer keeps no float copies");
  detail::check_patterns(options, net.parameter_descriptions(), "the bytes");
  if (!detail::writes_masters(net)) return {};
  return io::safetensors_bytes(detail::named_tensors(net, true, options));
}

/// Reads the parameters back from such bytes, or those of a safetensors file from elsewhere. Options and
/// errors are those of load.
template <detail::no_stub Net, contiguous_bytes Bytes>
TAPELESS_WARM void load_bytes(Net& net, const Bytes& bytes, const load_options& options = {}) {
  const io::safetensors file = detail::safetensors_in(bytes);
  detail::take_tensors(net, file.entries(), options, {"the bytes", "the file"});
}

/// The bytes of the file that save_checkpoint writes of a trainer. All ranks of a cluster call it, and have
/// the same.
template <detail::no_stub Net>
TAPELESS_WARM std::vector<std::byte> save_checkpoint_bytes(Net& net) {
  if constexpr (requires { net.collect_for_checkpoint("save_checkpoint_bytes"); })
    net.collect_for_checkpoint("save_checkpoint_bytes");
  std::vector<std::byte> bytes;
  detail::write_checkpoint(net, {}, [&](const auto& entries, const io::texts_by_name& identity) {
    bytes = io::safetensors_bytes(entries, identity);
  });
  return bytes;
}

/// Reads such bytes back as load_checkpoint does a file.
template <detail::no_stub Net, contiguous_bytes Bytes>
TAPELESS_WARM void load_checkpoint_bytes(Net& net, const Bytes& bytes) {
  detail::load_checkpoint_file(net, detail::safetensors_in(bytes));
}

// Of a trainer whose model's error has been reported.
inline std::vector<std::byte> save_bytes(error_stub&, const save_options& = {}) { return {}; }
template <contiguous_bytes Bytes>
void load_bytes(error_stub&, const Bytes&, const load_options& = {}) {}
inline std::vector<std::byte> save_checkpoint_bytes(error_stub&) { return {}; }
template <contiguous_bytes Bytes>
void load_checkpoint_bytes(error_stub&, const Bytes&) {}

}  // namespace tapeless
