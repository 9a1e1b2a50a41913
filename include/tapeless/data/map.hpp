// SPDX-License-Identifier: BSL-1.0
// map: a function of the user's own on each sample, as it is read.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include <tapeless/data/view.hpp>
#include <tapeless/error.hpp>
#include <tapeless/expr/contract.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>

namespace tapeless::data {

/// The contract of a function that is mapped over samples: it is called with a sample, which it changes in
/// place. Laws: what it writes depends on what is in the sample, its number and its pass alone (sample.random
/// has numbers that do). Several threads may call it at once, and a loader's thread does.
template <class Function>
struct sample_function_contract {
  using subject = Function;
  static constexpr std::string_view noun = "function to map over samples";
  static constexpr bool can_be_called = std::invocable<const Function&, sample&>;
  static constexpr demand demands[1] = {{can_be_called, "operator()(tl::data::sample& s) const"}};
};

namespace detail {

/// What all functions share. Columns of its own are written by the function alone, not by the source.
class mapped : public sample_transform {
 public:
  void read(array_view<const std::int64_t> samples, batch& into) const final {
    if (added_.empty()) {
      from_.read(samples, into);
      return call(samples, into, {});
    }
    // The source is asked for what is left of the columns.
    batch_memory& inner = into.memory().inner();
    inner.clear();
    for (const batch_column& c : into.memory().columns())
      if (c.is_asked_for && !is_added(c.description.name)) inner.add(c.description);
    for (const column_description& c : from_.columns())
      if (inner.find(c.name) == nullptr && !is_added(c.name)) inner.add(c);
    inner.resize(into.size(), into.pass());
    batch theirs(inner);
    from_.read(samples, theirs);
    const std::size_t read = inner.columns().size();
    for (const column_description& c : added_) inner.add(c);
    call(samples, theirs, inner.columns().subspan(read));
    if (samples.empty()) return;
    for (batch_column& to : into.memory().columns()) {
      if (!to.is_asked_for) continue;
      const batch_column* from = inner.find(to.description.name);
      std::memcpy(into.begin_of(to), from->memory.data(), samples.size() * to.sample_bytes);
    }
  }

 protected:
  mapped(const source& from, std::vector<column_description> added)
      : sample_transform(from), added_(std::move(added)) {
    for (const column_description& c : added_) {
      if (from.find(c.name) != nullptr) throw_error({"map: the data have a column \"", c.name, "\" already"});
      columns_.push_back(c);
    }
  }

 private:
  std::vector<column_description> added_;

  virtual void call_on(sample& s) const = 0;

  bool is_added(std::string_view name) const {
    for (const column_description& c : added_)
      if (c.name == name) return true;
    return false;
  }
  // The function must write all that it adds.
  void call(array_view<const std::int64_t> samples, const batch& into, array_view<batch_column> added) const {
    for (std::size_t k = 0; k < samples.size(); ++k) {
      for (batch_column& c : added) c.is_written = false;
      sample s = into.at(static_cast<std::int64_t>(k), samples[k]);
      call_on(s);
      for (const batch_column& c : added)
        if (!c.is_written) fail_to_write("the function of map", c, samples[k]);
    }
  }
};

template <class Function>
class mapped_by final : public mapped {
 public:
  mapped_by(const source& from, Function f, std::vector<column_description> added)
      : mapped(from, std::move(added)), function_(std::move(f)) {}

 private:
  Function function_;
  void call_on(sample& s) const override { function_(s); }
};

}  // namespace detail

/// The same samples, changed by f(sample) as they are read:
///   map(data, [](tl::data::sample& s) { for (float& x : s.get<float>("x")) x *= 2; })
/// The sample has the columns that are asked for, which may be the labels alone, as for balance_classes: then
/// this f throws, unless it asks s.has("x") first.
/// Columns that f adds, made of those that the source has, are listed in `added`: the function then sees all
/// that the source tells of. Throws tl::error where one is there already, or f does not write one of them in
/// a sample, and what f throws.
template <class Function>
TAPELESS_WARM source map(const source& from, Function f, std::vector<column_description> added = {}) {
  if constexpr (require_contracts<sample_function_contract<Function>>())
    return source::make<detail::mapped_by<Function>>(from, std::move(f), std::move(added));
  return {};
}

}  // namespace tapeless::data
