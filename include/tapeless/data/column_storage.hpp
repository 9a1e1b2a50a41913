// SPDX-License-Identifier: BSL-1.0
// Who owns the elements of columns: a vector that has been moved there, or a mapped file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/io/mapped_file.hpp>

namespace tapeless::data::detail {

// std::shared_ptr is compiled for this type alone, not for each type of vector.
struct column_owner {
  virtual ~column_owner() = default;
};
template <class T>
struct owner_of_vector final : column_owner {
  explicit owner_of_vector(std::vector<T> moved) : values(std::move(moved)) {}
  std::vector<T> values;
};
struct owner_of_file final : column_owner {
  explicit owner_of_file(const std::string& path) : file(path) {}
  io::mapped_file file;
};

/// The bytes of the elements.
template <class T>
TAPELESS_COLD std::shared_ptr<const std::byte> stored(std::vector<T> values) {
  if constexpr (std::is_same_v<T, bool>) {  // std::vector packs these into bits
    const auto copy = std::make_shared<bool[]>(values.size());
    std::copy(values.begin(), values.end(), copy.get());
    return {copy, reinterpret_cast<const std::byte*>(copy.get())};
  } else {
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    const auto* const owner = new owner_of_vector<T>(std::move(values));
    return {std::shared_ptr<const column_owner>(static_cast<const column_owner*>(owner)), data};
  }
}

struct stored_bytes {
  std::shared_ptr<const std::byte> storage;
  std::int64_t size = 0;
};

/// The file's bytes; throws tl::error with the path if it cannot be mapped.
TAPELESS_COLD inline stored_bytes stored_file(const std::string& path) {
  const auto* const owner = new owner_of_file(path);
  std::shared_ptr<const column_owner> holder(static_cast<const column_owner*>(owner));
  return {{std::move(holder), owner->file.data()}, static_cast<std::int64_t>(owner->file.size())};
}

}  // namespace tapeless::data::detail
