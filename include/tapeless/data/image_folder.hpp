// SPDX-License-Identifier: BSL-1.0
// Images in files that the user's own function reads: a folder for each class, as torchvision's ImageFolder.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include <tapeless/data/classified.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/maybe.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/file.hpp>

namespace tapeless::data {

/// Files in folders, a class each.
struct labelled_files {
  std::vector<std::string> paths;
  std::vector<std::int32_t> labels;      ///< of each file, into class_names
  std::vector<std::string> class_names;  ///< of the folders
};

namespace detail {

/// The names in a folder in their order, without hidden ones: of folders, or of files with one of the
/// endings.
TAPELESS_COLD inline std::vector<std::string> names_in(const std::string& folder, bool folders,
                                                       const std::vector<std::string>& endings) {
  std::error_code code;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator item(folder, code), end; !code && item != end;
       item.increment(code)) {
    std::string name = item->path().filename().string();
    if (name.starts_with(".") || (folders ? !item->is_directory(code) : !item->is_regular_file(code)))
      continue;
    bool fits = endings.empty() || folders;
    for (const std::string& ending : endings) fits = fits || name.ends_with(ending);
    if (fits) names.push_back(std::move(name));
  }
  if (code) throw_error({"cannot read the folder ", folder, ": ", code.message()});
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace detail

/// The files in the folders of `folder`, in the order of their names: FOLDER/CLASS/FILE has the number of its
/// class. With `endings`, such as {".png", ".jpg"}, only those. Hidden ones are passed over. Throws tl::error
/// where a folder cannot be read, there are no folders in it, or one has no such file.
TAPELESS_COLD inline labelled_files list_files(const std::string& folder,
                                               const std::vector<std::string>& endings = {}) {
  labelled_files all;
  all.class_names = detail::names_in(folder, true, {});
  if (all.class_names.empty()) throw_error({folder, ": expected a folder for each class, found none"});
  for (const std::string& name : all.class_names) {
    const std::string inside = join({folder, "/", name});
    const auto files = detail::names_in(inside, false, endings);
    if (files.empty()) throw_error({inside, ": expected files of the class, found none"});
    for (const std::string& file : files) {
      all.paths.push_back(join({inside, "/", file}));
      all.labels.push_back(static_cast<std::int32_t>(&name - all.class_names.data()));
    }
  }
  return all;
}

/// A column of one sample for each file, which `read(path, pixels)` fills: pixels is a std::span<T> of as
/// many elements as the shape has. What it throws goes through. Throws tl::error where the shape has no
/// elements, or memory is short.
template <element_type T, class Read>
  requires(!std::is_same_v<T, bool> && std::is_invocable_v<Read&, const std::string&, std::span<T>>)
dataset read_images(const std::vector<std::string>& paths, std::vector<std::int64_t> shape, Read read) {
  const maybe<std::int64_t> size = io::checked_product(shape, static_cast<std::int64_t>(paths.size()));
  if (!size || *size == 0)
    throw_error({"read_images: expected files, and a shape with elements, found ", paths.size(),
                 " files and ", io::shape_text(shape)});
  std::vector<T> all;
  io::with_memory_for(paths[0], [&] { all.resize(static_cast<std::size_t>(*size)); });
  const std::size_t each = all.size() / paths.size();
  for (std::size_t i = 0; i < paths.size(); ++i) read(paths[i], std::span<T>(all).subspan(i * each, each));
  dataset result;
  result.add("image", std::move(shape), std::move(all));
  return result;
}

/// The images of FOLDER/CLASS/FILE: columns "image", T [shape], and "label", std::int32_t scalars, and the
/// classes' names:
///   image_folder<float>("pets", {3, 64, 64}, [](const std::string& path, std::span<float> pixels) { ... })
/// Throws as list_files and read_images do.
template <element_type T, class Read>
classified image_folder(const std::string& folder, std::vector<std::int64_t> shape, Read read,
                        const std::vector<std::string>& endings = {}) {
  labelled_files files = list_files(folder, endings);
  classified result{read_images<T>(files.paths, std::move(shape), std::move(read)), {}};
  result.set.add("label", {}, std::move(files.labels));
  result.class_names.emplace("label", std::move(files.class_names));
  return result;
}

}  // namespace tapeless::data
