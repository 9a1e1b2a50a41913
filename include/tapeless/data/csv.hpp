// SPDX-License-Identifier: BSL-1.0
// CSV files with a header: columns become inputs by name, names of classes become numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/classified.hpp>
#include <tapeless/data/csv_column.hpp>
#include <tapeless/data/csv_scanner.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/file.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::data {

/// How a CSV file is written.
struct csv_options {
  char separator = ',';
  std::vector<std::string> missing = {""};  ///< fields without a value, such as {"", "NA", "?"}
};

namespace detail {

/// Columns of the file with these names, in the order of the names. One * in a name stands for any
/// characters, unless a column has it as its name; the columns that fit are in the file's order.
class csv_header {
 public:
  explicit csv_header(const csv_scanner& from) : path_(from.path()), names_(from.record()) {}

  std::size_t size() const { return names_.size(); }
  std::string_view operator[](std::size_t i) const { return names_[i]; }

  TAPELESS_COLD std::vector<std::size_t> find(const csv_input& input) const {
    std::vector<std::size_t> found;
    if (input.from.empty()) add(input.name, found);
    for (const std::string& name : input.from) add(name, found);
    return found;
  }

 private:
  std::string path_;
  csv_record names_;

  void add(const std::string& name, std::vector<std::size_t>& found) const {
    const std::size_t before = found.size();
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) found.push_back(i);
    if (found.size() > before + 1)
      throw_error({path_, ": ", found.size() - before, " columns are named \"", name, "\""});
    const std::size_t star = name.find('*');
    if (found.size() == before && star != std::string::npos) {
      const std::string_view begin = std::string_view(name).substr(0, star),
                             end = std::string_view(name).substr(star + 1);
      for (std::size_t i = 0; i < names_.size(); ++i)
        if (names_[i].size() >= begin.size() + end.size() && names_[i].starts_with(begin) &&
            names_[i].ends_with(end))
          found.push_back(i);
    }
    if (found.size() > before) return;
    list<std::string_view> names;
    constexpr std::size_t most = 10'000;
    for (std::size_t i = 0; i < names_.size() && i < most; ++i) names.push(names_[i]);
    throw_error({path_, ": no column \"", name, "\"; similar: ", io::similar_names(name, names)});
  }
};

TAPELESS_COLD inline classified read_csv(const std::string& path, const std::vector<csv_input>& inputs,
                                         const csv_options& options) {
  csv_scanner file(path, options.separator);
  if (!file.next()) throw_error({file.path(), ": expected a header with the names of the columns"});
  const csv_header header(file);
  std::vector<csv_column> columns;
  for (const csv_input& input : inputs) columns.emplace_back(input, header.find(input), file.path());
  std::int64_t records = 0;
  while (file.next()) {
    if (file.is_empty() && header.size() > 1) continue;
    const csv_record& record = file.record();
    if (record.size() != header.size())
      throw_error({file.path(), ": line ", file.line(), ": expected ", header.size(),
                   " fields, as in the header, found ", record.size()});
    for (csv_column& column : columns)
      for (const std::size_t i : column.places())
        if (const std::optional<std::string> problem = column.add(record[i], options.missing))
          throw_error(
              {file.path(), ": line ", file.line(), ", column \"", io::shown(header[i]), "\": ", *problem});
    ++records;
  }
  if (records == 0) throw_error({file.path(), ": expected records after the header, found none"});
  classified result;
  for (csv_column& column : columns) column.move_to(result);
  return result;
}

}  // namespace detail

/// Reads columns of the CSV file at `path` (or `path + ".gz"`), whose first record names them:
///   auto [set, class_names] = csv("iris.csv", {{.name = "x", .from = {"sepal *", "petal *"}},
///                                              {.name = "y", .from = {"species"}, .classes = true}});
/// The file is read once, and only the values that are asked for are kept. Empty lines are passed over where
/// there are several columns. Throws tl::error with the file, and
///   the name of a column that is not there, with similar ones, or is there twice
///   the line of a record that has too few or too many fields, or quotes that do not fit
///   the line and the column of a field that is no number, or does not fit the type, of a class that is not
///   among class_names, or of a missing value that nothing stands for
TAPELESS_COLD inline classified csv(const std::string& path, const std::vector<csv_input>& inputs,
                                    const csv_options& options = {}) {
  return io::with_memory_for(path, [&] { return detail::read_csv(path, inputs, options); });
}

}  // namespace tapeless::data
