// SPDX-License-Identifier: BSL-1.0
// A model's parameters on tl::bare: in the object, or where a file's bytes are.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>
#include <utility>

#include <tapeless/expr/compile_error.hpp>
#include <tapeless/run/common/element_types.hpp>
#include <tapeless/train/bare/bare_file.hpp>
#include <tapeless/train/bare/bare_initial_values.hpp>
#include <tapeless/train/program/output_names.hpp>
#include <tapeless/train/program/parameter_description.hpp>
#include <tapeless/train/trainer/weights_in_memory.hpp>

namespace tapeless::detail {

/// Memory in the object; none where nothing is kept.
template <std::int64_t Bytes>
struct bare_bytes {
  alignas(bare_kernels::bare_alignment) std::byte bytes[static_cast<std::size_t>(Bytes)];
  std::byte* data() { return bytes; }
};
template <>
struct bare_bytes<0> {
  std::byte* data() { return nullptr; }
};

/// As long as it lives, so many bytes have other values; then they are again what they were.
template <std::int64_t Bytes>
class replaced_bytes {
 public:
  /// `replace` gives them their other values.
  template <class Replace>
  replaced_bytes(std::byte* bytes, const Replace& replace) : at_(bytes) {
    copy(bytes, kept_.data());
    replace();
  }
  ~replaced_bytes() { copy(kept_.data(), at_); }
  replaced_bytes(const replaced_bytes&) = delete;
  replaced_bytes& operator=(const replaced_bytes&) = delete;

 private:
  std::byte* at_;
  bare_bytes<Bytes> kept_;

  static void copy(const std::byte* from, std::byte* to) {
    for (std::int64_t i = 0; i < Bytes; ++i) to[i] = from[i];
  }
};

/// The number of a model's parameter of that name, or a sentence with the names that there are, and -1.
template <class Model, name Name>
constexpr int bare_parameter_index() {
  constexpr int index = [] {
    const auto& all = parameters_of_model<Model>;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i].label == &interned<Name>) return static_cast<int>(i);
    return -1;
  }();
  if constexpr (index < 0) {
    constexpr auto labels = [] {
      std::array<const name*, parameters_of_model<Model>.size()> all{};
      for (std::size_t i = 0; i < all.size(); ++i) all[i] = parameters_of_model<Model>[i].label;
      return all;
    }();
    constexpr text message = unknown_name("parameter", Name.view(), labels);
    static_assert(compile_error<sentence_of<message.size>(message)>::reported);
  }
  return index;
}

/// Where a parameter's first element is, of parameters at these offsets.
template <class Model, name Name, class Byte, class Offsets>
auto* bare_parameter(Byte* data, const Offsets& offsets) {
  constexpr int index = bare_parameter_index<Model, Name>();
  if constexpr (index < 0) {
    return static_cast<std::conditional_t<std::is_const_v<Byte>, const float, float>*>(nullptr);
  } else {
    using stored = storage_of<parameters_of_model<Model>[index].type>;
    using element = std::conditional_t<std::is_const_v<Byte>, const stored, stored>;
    return reinterpret_cast<element*>(data + offsets[index]);
  }
}

/// Parameters in the object that has them.
template <class Model>
class bare_parameters {
  using content = bare_parameter_tensors<Model>;
  using file = bare_file<content>;
  static constexpr const auto& all_ = parameters_of_model<Model>;

 public:
  /// Where each is, and behind them how many bytes there are.
  static constexpr auto& offsets = content::offsets;

  /// They start from the seed, each by its own initializer, as they do on every policy.
  explicit bare_parameters(std::uint64_t seed) { initialize(seed, std::make_index_sequence<all_.size()>{}); }

  /// The first element of a parameter, in row-major order.
  template <name Name>
  auto* parameter() {
    return bare_parameter<Model, Name>(bytes_.data(), offsets);
  }

  /// Writes all parameters as tl::save does. Returns the number of bytes; 0 where there is less
  /// room, and then nothing is written.
  long save(void* to, std::size_t room) {
    const std::byte* const memory = data();
    return file::save(&memory, to, room);
  }
  /// Reads what save or, on another machine, tl::save of a trainer of the same model has written. Returns
  /// false, and changes nothing, where the file's header is another one.
  bool load(const void* from, std::size_t size) {
    std::byte* const memory = data();
    return file::load(from, size, &memory);
  }
  /// The same of an array or span of bytes.
  template <range_of_bytes R>
  long save(R&& to) {
    return save(std::data(to), std::size(to));
  }
  template <range_of_bytes R>
  bool load(const R& from) {
    return load(std::data(from), std::size(from));
  }
  /// The bytes that save writes.
  static constexpr std::size_t saved_bytes() { return file::bytes; }

 protected:
  std::byte* data() { return bytes_.data(); }
  static constexpr bool are_there() { return true; }

 private:
  [[no_unique_address]] bare_bytes<offsets[all_.size()]> bytes_;

  template <std::size_t... I>
  void initialize([[maybe_unused]] std::uint64_t seed, std::index_sequence<I...>) {
    (bare_kernels::initialize<all_[I].type, all_[I].start.kind>(
         bytes_.data() + offsets[I], all_[I].count, all_[I].start.value, all_[I].start.given, seed, I),
     ...);
  }
};

/// Parameters in a file's bytes, which are only read: nothing of them is in the object but where they are.
template <class Model>
class bare_parameters_in_memory {
  using file = bare_file<bare_parameter_tensors<Model>>;

 public:
  static constexpr auto& offsets = file::offsets_in_file;

  explicit bare_parameters_in_memory(weights_in_memory all)
      : bytes_(is_aligned(all.bytes) && file::begins(all.bytes, all.size) ? all.bytes : nullptr) {}

  /// The first element of a parameter, in row-major order; nullptr where the bytes are none of this model's.
  template <name Name>
  const auto* parameter() const {
    return are_there() ? bare_parameter<Model, Name>(bytes_, offsets) : nullptr;
  }

 protected:
  // What computes outputs only reads them.
  std::byte* data() const { return const_cast<std::byte*>(bytes_); }
  bool are_there() const { return bytes_ != nullptr; }

 private:
  const std::byte* bytes_;

  // Vectors are loaded from where they may begin.
  static bool is_aligned(const std::byte* bytes) {
    return reinterpret_cast<std::uintptr_t>(bytes) % bare_kernels::bare_alignment == 0;
  }
};

/// By what a function's weights are.
template <class Model, class Weights>
using bare_parameters_by = std::conditional_t<std::is_same_v<Weights, weights_in_memory>,
                                              bare_parameters_in_memory<Model>, bare_parameters<Model>>;

}  // namespace tapeless::detail
