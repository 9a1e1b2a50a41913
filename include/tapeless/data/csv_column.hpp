// SPDX-License-Identifier: BSL-1.0
// What fields of a CSV file become: numbers of a type, or numbers of classes.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/classified.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/cmath.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/element.hpp>
#include <tapeless/graph/core/list.hpp>
#include <tapeless/io/decimal.hpp>
#include <tapeless/io/extents.hpp>
#include <tapeless/io/similar_names.hpp>
#include <tapeless/io/utf8.hpp>

namespace tapeless::data {

/// An input, and the columns of a CSV file that it is made of.
struct csv_input {
  std::string name;                    ///< of the input
  std::vector<std::string> from = {};  ///< names of columns, or patterns with one *; its own name without any
  std::optional<element> type = {};    ///< f32, f64, i32 or i64; f32 for numbers, i32 for classes
  bool classes = false;  ///< fields are names of classes, numbered in the names' order from 0 on
  std::vector<std::string> class_names = {};  ///< all that there are, in this order; others are an error then
  std::optional<double> missing = {};         ///< stands for a missing value; without, that is an error
  /// Of a sample: [] for one column and [n] for n, if nothing is said.
  std::optional<std::vector<std::int64_t>> shape = {};
};

namespace detail {

/// The values of one input, record after record.
class csv_column {
 public:
  /// Throws tl::error with the file if what is said of the input is a contradiction.
  TAPELESS_COLD csv_column(const csv_input& input, std::vector<std::size_t> places, const std::string& path)
      : input_(input), places_(std::move(places)) {
    const bool classes = input.classes || !input.class_names.empty();
    type_ = input.type.value_or(classes ? element::i32 : element::f32);
    const auto wrong = [&](std::initializer_list<text_piece> problem) {
      throw_error({path, ": input \"", input.name, "\": ", join(problem)});
    };
    if (type_ != element::f32 && type_ != element::f64 && type_ != element::i32 && type_ != element::i64)
      wrong({"expected the type f32, f64, i32 or i64, found ", name_of(type_)});
    if (classes && is_floating(type_))
      wrong({"classes have numbers of type i32 or i64, not ", name_of(type_)});
    const auto count = static_cast<std::int64_t>(places_.size());
    if (input.shape && io::checked_product(*input.shape) != count)
      wrong({count, " columns do not make the shape ", io::shape_text(*input.shape)});
    if (input.missing && !fits(*input.missing))
      wrong({"what stands for a missing value does not fit into ", name_of(type_)});
    for (const std::string& name : input.class_names)
      if (!known_.emplace(name, static_cast<std::int64_t>(known_.size())).second)
        wrong({"the class \"", io::shown(name), "\" is named twice"});
    is_class_ = classes;
  }

  /// Which columns of the file it is made of.
  const std::vector<std::size_t>& places() const { return places_; }

  /// Takes over a field; what is wrong with it, if anything is.
  std::optional<std::string> add(std::string_view field, const std::vector<std::string>& missing) {
    const std::string_view text = is_class_ ? field : trimmed(field);
    if (std::find(missing.begin(), missing.end(), text) != missing.end()) {
      if (!input_.get().missing) return says_missing();
      if (is_class_ && input_.get().class_names.empty()) missing_.push_back(integers_.size());
      return put(*input_.get().missing);
    }
    if (is_class_) return add_class(text);
    if (is_floating(type_)) return add_real(text);
    std::int64_t number = 0;
    const auto [end, problem] =
        std::from_chars(text.data() + has_plus(text), text.data() + text.size(), number);
    if (problem == std::errc::invalid_argument || end != text.data() + text.size() || text.empty())
      return expected("an integer", field);
    if (problem != std::errc() || (type_ == element::i32 && !fits(static_cast<double>(number))))
      return expected(join({"an integer in the range of ", name_of(type_)}), field);
    integers_.push_back(number);
    return std::nullopt;
  }

  /// Makes a column of the dataset of them.
  TAPELESS_COLD void move_to(classified& to) {
    std::vector<std::int64_t> shape;
    if (places_.size() != 1) shape.push_back(static_cast<std::int64_t>(places_.size()));
    if (input_.get().shape) shape = *input_.get().shape;
    if (is_class_) to.class_names.emplace(input_.get().name, sorted_classes());
    const std::string& name = input_.get().name;
    if (type_ == element::f32) to.set.add(name, std::move(shape), std::move(floats_));
    if (type_ == element::f64) to.set.add(name, std::move(shape), std::move(doubles_));
    if (type_ == element::i64) to.set.add(name, std::move(shape), std::move(integers_));
    if (type_ == element::i32)
      to.set.add(name, std::move(shape), std::vector<std::int32_t>(integers_.begin(), integers_.end()));
  }

 private:
  std::reference_wrapper<const csv_input> input_;
  std::vector<std::size_t> places_;
  element type_{};
  bool is_class_ = false;
  std::vector<float> floats_;
  std::vector<double> doubles_;
  std::vector<std::int64_t> integers_;
  std::map<std::string, std::int64_t, std::less<>> known_;  // classes, and their numbers so far
  std::vector<std::size_t> missing_;                        // values that are no numbers of classes

  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  }
  static std::ptrdiff_t has_plus(std::string_view text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '-' ? 1 : 0;
  }

  // Whether the type has such a number: what is not too large for float is rounded, an infinity stays one.
  bool fits(double number) const {
    if (type_ == element::f32) return std::abs(number) < 0x1.ffffffp127 || !std::isfinite(number);
    if (type_ == element::f64) return true;
    const double most = type_ == element::i32 ? 0x1p31 : 0x1p63;
    return number >= -most && number < most && number == std::floor(number);
  }

  TAPELESS_COLD static std::string expected(std::string_view what, std::string_view field) {
    return join({"expected ", what, ", found \"", io::shown(field), "\""});
  }
  TAPELESS_COLD static std::string says_missing() {
    return "the value is missing, and the input has no .missing to stand for it";
  }

  std::optional<std::string> put(double number) {
    if (type_ == element::f32) {
      constexpr auto most = static_cast<double>(std::numeric_limits<float>::max());
      if (std::isfinite(number)) number = std::clamp(number, -most, most);
      floats_.push_back(static_cast<float>(number));
    } else if (type_ == element::f64) {
      doubles_.push_back(number);
    } else {
      integers_.push_back(static_cast<std::int64_t>(number));
    }
    return std::nullopt;
  }

  std::optional<std::string> add_real(std::string_view text) {
    constexpr std::string_view parts = "0123456789+-.eE";
    double number = 0;
    if (text.empty() || text.find_first_not_of(parts) != std::string_view::npos)
      return expected("a number", text);
    const std::errc problem =
        io::read_decimal(text.data() + has_plus(text), text.data() + text.size(), number);
    if (problem == std::errc::result_out_of_range) return expected("a number in the range of double", text);
    if (problem != std::errc()) return expected("a number", text);
    if (!fits(number)) return expected("a number in the range of float", text);
    return put(number);
  }

  std::optional<std::string> add_class(std::string_view name) {
    auto found = known_.find(name);
    if (found == known_.end()) {
      if (!input_.get().class_names.empty()) return unknown_class(name);
      found = known_.emplace(std::string(name), static_cast<std::int64_t>(known_.size())).first;
    }
    integers_.push_back(found->second);
    return std::nullopt;
  }
  TAPELESS_COLD std::string unknown_class(std::string_view name) const {
    list<std::string_view> names;
    for (const std::string& known : input_.get().class_names) names.push(known);
    return join({"no class \"", io::shown(name), "\"; similar: ", io::similar_names(name, names)});
  }

  // Classes that were not named come to have numbers in the order of their names, so that the order of the
  // records does not matter.
  std::vector<std::string> sorted_classes() {
    if (!input_.get().class_names.empty()) return input_.get().class_names;
    std::vector<std::string> names;
    std::vector<std::int64_t> number(known_.size());
    for (const auto& [name, first] : known_) {
      number[static_cast<std::size_t>(first)] = static_cast<std::int64_t>(names.size());
      names.push_back(name);
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < integers_.size(); ++i) {
      if (next < missing_.size() && missing_[next] == i) {
        ++next;
      } else {
        integers_[i] = number[static_cast<std::size_t>(integers_[i])];
      }
    }
    return names;
  }
};

}  // namespace detail

}  // namespace tapeless::data
