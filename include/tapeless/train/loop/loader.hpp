// SPDX-License-Identifier: BSL-1.0
// loader: batches of a source for a loop of one's own.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <tapeless/data/sample_order.hpp>
#include <tapeless/data/source.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_seed.hpp>
#include <tapeless/train/loop/batches.hpp>
#include <tapeless/train/loop/read_ahead.hpp>

namespace tapeless {

namespace data {

/// In what batches a loader gives the samples, and in what order.
struct loader_options {
  std::int64_t batch = 32;
  random_seed seed = 0;  ///< of the order of the samples
  bool shuffle = true;   ///< a new order in each pass; samples without an end come by their numbers
  data::last_batch last_batch = data::last_batch::keep;  ///< of a pass, where it is not full
  std::vector<column_description> columns = {};          ///< what is read; none: all that the source tells of
};

/// Batches of a source. The next one is read while the one before is computed with, on a thread of its own,
/// unless the samples are in memory:
///   tl::data::loader batches(data, {.batch = 50, .seed = 1});
///   for (int pass = 0; pass < 10; ++pass)
///     for (const tl::data::batch& b : batches.pass(pass))
///       net.step("x"_t = b.get<float>("x"), "y"_t = b.get<std::int32_t>("y"));
/// The order of a pass depends on its number and the seed alone, and is that of a fit with these options. A
/// batch is valid until the next one. A loader belongs to one thread at a time.
class loader {
  class iterator;

 public:
  /// Throws tl::error where there are no samples, options cannot be meant, or nobody says which columns there
  /// are: tl::columns_of(net) has those that a model needs.
  TAPELESS_WARM loader(const source& from, loader_options options)
      : batch_(checked(options, from)),
        order_(order_of(from, options)),
        reader_(from, memory_of(from, options)) {
    if (order_.size() == 0)
      throw_error({"loader: the last batch is dropped, and ", from.size(), " samples make none of ", batch_});
  }

  /// Batches in a pass; `endless` where the samples are.
  std::int64_t size() const { return order_.size() == endless ? endless : (order_.size() - 1) / batch_ + 1; }

  /// Goes through the batches of the pass with that number, from batch `first` on, both counted from 0.
  /// Throws tl::error where one of them is below 0.
  auto pass(std::int64_t number, std::int64_t first = 0) {
    if (number < 0 || first < 0)
      throw_error({"loader: pass ", number, " from batch ", first, "; both must be 0 or more"});
    struct range {
      loader* of;
      std::int64_t pass, first;
      iterator begin() const { return iterator(of, pass, first); }
      iterator end() const { return iterator(of, pass, of->size()); }
    };
    return range{this, number, std::min(first, size())};
  }

  /// Batch `number` of that pass; valid until the next one. Pre-conditions: pass >= 0, 0 <= number < size().
  data::batch read(std::int64_t pass, std::int64_t number) {
    batch_memory& memory = reader_.read(order_.take(pass, number * batch_, size_of(number)), pass);
    if (reader_.runs_ahead()) {
      const bool is_last = number + 1 == size();
      const std::int64_t next = is_last ? 0 : number + 1, its_pass = is_last ? pass + 1 : pass;
      reader_.expect(order_.look_ahead(its_pass, next * batch_, size_of(next)), its_pass);
    }
    return data::batch(memory);
  }

 private:
  std::int64_t batch_;
  sample_order order_;
  read_ahead reader_;

  class iterator {
   public:
    iterator(loader* of, std::int64_t pass, std::int64_t number) : of_(of), pass_(pass), number_(number) {}
    data::batch operator*() const { return of_->read(pass_, number_); }
    iterator& operator++() { return ++number_, *this; }
    bool operator!=(const iterator& other) const { return number_ != other.number_; }

   private:
    loader* of_;
    std::int64_t pass_, number_;
  };

  std::int64_t size_of(std::int64_t number) const {
    return std::min(batch_, order_.size() - number * batch_);
  }

  // As a fit does, with the seed 0 for those that it would hold back.
  TAPELESS_COLD static sample_order order_of(const source& from, const loader_options& o) {
    if (from.is_endless()) return {};
    return {o.shuffle ? detail::shuffled_numbers(from.size(), 0) : detail::first_numbers(from.size()), o.seed,
            o.shuffle, o.batch, o.last_batch};
  }

  static std::int64_t checked(const loader_options& o, const source& from) {
    if (o.batch < 1) throw_error({"loader: batch is ", o.batch, "; it must be 1 or more"});
    if (from.size() == 0) throw_error("loader: there are no samples");
    return o.batch;
  }

  TAPELESS_COLD static batch_memory memory_of(const source& from, const loader_options& o) {
    batch_memory memory;
    if (o.columns.empty() && from.columns().empty())
      throw_error(
          "loader: the source does not say which columns it has: give "
          "it columns(), or the loader the option "
          ".columns = tl::columns_of(net)");
    if (o.columns.empty())
      for (const column_description& c : from.columns()) memory.add(c);
    for (const column_description& c : o.columns) {
      const column_description* found = from.find(c.name);
      if (found == nullptr && from.describes_all()) tapeless::detail::fail_without_column(from, c.name);
      memory.add(found != nullptr ? *found : c);
    }
    return memory;
  }
};

}  // namespace data

}  // namespace tapeless
