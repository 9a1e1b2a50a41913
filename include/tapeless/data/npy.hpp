// SPDX-License-Identifier: BSL-1.0
// Columns of a dataset from NumPy's arrays, whose first axis counts the samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/dataset.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/io/byte_stream.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/mapped_file.hpp>
#include <tapeless/io/npy.hpp>
#include <tapeless/io/npz.hpp>

namespace tapeless::data {

namespace detail {

/// The elements of the array go straight into the column's memory.
template <class T>
TAPELESS_COLD void add_npy_elements(dataset& to, const std::string& name,
                                    std::vector<std::int64_t> sample_shape, const io::npy_header& header,
                                    io::byte_stream& from) {
  using stored =
      std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;  // std::vector packs these into bits
  std::vector<stored> values(static_cast<std::size_t>(header.count));
  io::detail::npy_elements(from, header).read(reinterpret_cast<std::byte*>(values.data()));
  if constexpr (std::is_same_v<T, bool>) {
    to.add(name, std::move(sample_shape), std::vector<bool>(values.begin(), values.end()));
  } else {
    to.add(name, std::move(sample_shape), std::move(values));
  }
}

/// The header of an array that has as many samples as the columns that are there.
TAPELESS_COLD inline io::npy_header read_header_of_samples(const dataset& to, io::byte_stream& from) {
  io::npy_header header = io::read_npy_header(from);
  if (header.shape.empty() || header.count == 0)
    throw_error({from.name(), ": expected samples along the first axis, found the shape ",
                 io::shape_text(header.shape)});
  if (!to.columns().empty() && header.shape[0] != to.size())
    throw_error({from.name(), ": expected ", to.size(), " samples, as column \"", to.columns()[0].name,
                 "\" has, found ", header.shape[0]});
  return header;
}

TAPELESS_COLD inline void add_npy_column(dataset& to, const std::string& name, io::byte_stream& from) {
  const io::npy_header header = read_header_of_samples(to, from);
  const auto add = [&]<class T>(std::type_identity<T>) {
    add_npy_elements<T>(to, name, {header.shape.begin() + 1, header.shape.end()}, header, from);
  };
  switch (header.type.type) {
    case element::f32:
      return add(std::type_identity<float>());
    case element::f64:
      return add(std::type_identity<double>());
    case element::f16:
      return add(std::type_identity<f16>());
    case element::i32:
      return add(std::type_identity<std::int32_t>());
    case element::i64:
      return add(std::type_identity<std::int64_t>());
    case element::u8:
      return add(std::type_identity<std::uint8_t>());
    case element::i8:
      return add(std::type_identity<std::int8_t>());
    case element::i16:
      return add(std::type_identity<std::int16_t>());
    case element::u32:
      return add(std::type_identity<std::uint32_t>());
    case element::boolean:
      return add(std::type_identity<bool>());
    case element::bf16:
    case element::number:
      return;  // no NPY file has these
  }
}

TAPELESS_COLD inline void map_npy_column(dataset& to, const std::string& name, const std::string& path) {
  const auto fail = [&](std::initializer_list<text_piece> problem) {
    throw_error({path, " cannot be mapped: ", join(problem), "; read it instead"});
  };
  const auto held = std::make_shared<const io::mapped_file>(path);
  io::file_stream file(path);
  const std::uint64_t size = file.left();
  const io::npy_header header = read_header_of_samples(to, file);
  const std::size_t each = size_of(header.type.type), bytes = static_cast<std::size_t>(file.left());
  const std::uint64_t offset = size - bytes;
  if (header.fortran_order && header.shape.size() > 1) fail({"its elements are in Fortran's order"});
  if (header.type.type == element::boolean) fail({"not every byte is a bool"});
  if (!header.type.is_native()) fail({"its elements do not lie there as in memory"});
  if (offset % each != 0) fail({"elements of ", each, " bytes begin at byte ", offset});
  if (held->size() != size) fail({"it has become another file"});
  to.add_stored({name, header.type.type, {header.shape.begin() + 1, header.shape.end()}},
                {held, held->data() + offset}, header.count);
}

}  // namespace detail

/// An NPY file and the column that it becomes.
struct npy_column {
  std::string name;
  std::string path;
};

/// How npy takes files.
struct npy_options {
  bool mapped = false;  ///< not read: the system brings in what is looked at
};

/// A dataset of one column for each file: npy({{"image", "x.npy"}, {"label", "y.npy"}}). The first axis of an
/// array counts the samples, the others are a sample's shape; elements become what io::read_npy says. Throws
/// tl::error as that does, and where an array has no samples, or not as many as the others. With {.mapped =
/// true} files can be larger than the memory, and must not change as long as the dataset is there: throws
/// tl::error, too, where elements do not lie in a file as in memory (Fortran's order, another byte order, a
/// type that becomes a larger one, bool).
TAPELESS_COLD inline dataset npy(const std::vector<npy_column>& columns, const npy_options& options = {}) {
  dataset result;
  for (const npy_column& column : columns)
    io::with_memory_for(column.path, [&] {
      if (options.mapped) return detail::map_npy_column(result, column.name, column.path);
      io::file_stream file(column.path);
      detail::add_npy_column(result, column.name, file);
    });
  return result;
}

/// A column and the array of an NPZ file that it is made of.
struct npz_column {
  std::string name;
  std::string array;
};

/// A dataset of the arrays in an NPZ file: npz("mnist.npz", {{"image", "x_train"}, {"label", "y_train"}}), or
/// of all of them, under their own names. The first axis of an array counts the samples. Arrays that are not
/// asked for are not read. Throws tl::error as io::npz does, and where an array has no samples, or not as
/// many as the others.
TAPELESS_COLD inline dataset npz(const std::string& path, const std::vector<npz_column>& columns) {
  return io::with_memory_for(path, [&] {
    io::npz_reader file(path);
    dataset result;
    for (const npz_column& column : columns)
      detail::add_npy_column(result, column.name, *file.open(column.array));
    return result;
  });
}
TAPELESS_COLD inline dataset npz(const std::string& path) {
  std::vector<npz_column> columns;
  const io::npz_reader file(path);
  for (const std::string& name : file.names()) columns.push_back({name, name});
  return npz(path, columns);
}

}  // namespace tapeless::data
