// SPDX-License-Identifier: BSL-1.0
// The order in which passes over the data take the samples.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/data/any_source.hpp>
#include <tapeless/error.hpp>
#include <tapeless/graph/core/array_view.hpp>
#include <tapeless/graph/core/compiler.hpp>
#include <tapeless/graph/core/random_stream.hpp>

namespace tapeless::data {

namespace detail {

/// Puts the items into a random order (Fisher and Yates, 1938; Durstenfeld, 1964).
inline void shuffle(array_view<std::int64_t> samples, random_stream random) {
  for (std::size_t i = samples.size(); i > 1; --i)
    std::swap(samples[i - 1], samples[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
}

/// 0, 1, ... size - 1.
inline std::vector<std::int64_t> first_numbers(std::int64_t size) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  return numbers;
}

/// The same in an order that depends on the seed alone. Everybody who shuffles once and for all does so by
/// this: a loader's order is a fit's.
inline std::vector<std::int64_t> shuffled_numbers(std::int64_t size, std::uint64_t seed) {
  std::vector<std::int64_t> numbers = first_numbers(size);
  shuffle(numbers, random_stream(seed, 0));
  return numbers;
}

}  // namespace detail

/// What becomes of the last batch of a pass where the samples are no multiple of the batch.
enum class last_batch : std::uint8_t {
  keep,  ///< it is smaller
  drop,  ///< it is left out: each pass leaves others out, where it shuffles
  fill   ///< it is filled with the first samples of the pass, which come twice
};

namespace detail {

/// How many samples a pass takes.
inline std::int64_t samples_in_pass(std::int64_t samples, std::int64_t batch, last_batch last) {
  const std::int64_t rest = samples == endless ? 0 : samples % batch;
  if (last == last_batch::keep || rest == 0) return samples;
  if (last == last_batch::fill && batch > samples)
    throw_error({"a batch of ", batch, " is too large to be filled with ", samples, " samples"});
  return last == last_batch::drop ? samples - rest : samples - rest + batch;
}

}  // namespace detail

/// The samples of one pass after the other, in a new order in each. The order of a pass depends on its number
/// and the seed alone, whatever passes came before.
class sample_order {
 public:
  /// Each pass takes these samples: as they stand, or shuffled; of the last batch of that size it keeps what
  /// it is told. Pre-condition: batch > 0.
  TAPELESS_SELDOM sample_order(std::vector<std::int64_t> samples, std::uint64_t seed, bool shuffle,
                               std::int64_t batch = 1, last_batch last = last_batch::keep)
      : samples_(std::move(samples)),
        size_(detail::samples_in_pass(static_cast<std::int64_t>(samples_.size()), batch, last)),
        seed_(seed),
        shuffle_(shuffle) {}
  /// Samples without an end, in the order of their numbers.
  sample_order() : size_(endless) {}

  /// Samples in a pass.
  std::int64_t size() const { return size_; }

  /// The samples at places first .. first + count - 1 of that pass; valid until the next call.
  /// Pre-condition: there are as many.
  TAPELESS_SELDOM array_view<const std::int64_t> take(std::int64_t pass, std::int64_t first,
                                                      std::int64_t count) {
    if (now_.pass != pass && next_.pass == pass) std::swap(now_, next_);
    return taken(now_, pass, first, count);
  }
  /// The same, of a batch that is prepared while one that was taken is in use, which stays valid.
  array_view<const std::int64_t> look_ahead(std::int64_t pass, std::int64_t first, std::int64_t count) {
    return taken(now_.pass == pass && size_ != endless ? now_ : next_, pass, first, count);
  }

 private:
  struct order {
    std::vector<std::int64_t> samples;
    std::int64_t pass = -1;
  };
  std::vector<std::int64_t> samples_;
  order now_, next_;
  std::int64_t size_;
  std::uint64_t seed_ = 0;
  bool shuffle_ = false;

  array_view<const std::int64_t> taken(order& of, std::int64_t pass, std::int64_t first, std::int64_t count) {
    const auto begin = static_cast<std::size_t>(first), n = static_cast<std::size_t>(count);
    if (size_ == endless) {
      if (of.samples.size() < n) of.samples = std::vector<std::int64_t>(n);
      for (std::size_t i = 0; i < n; ++i) of.samples[i] = first + static_cast<std::int64_t>(i);
      return array_view<const std::int64_t>(of.samples).first(n);
    }
    if (of.pass != pass) arrange(of, pass);
    return array_view<const std::int64_t>(of.samples).subspan(begin, n);
  }

  TAPELESS_COLD void arrange(order& of, std::int64_t pass) {
    const std::size_t all = samples_.size(), taken = static_cast<std::size_t>(size_);
    if (of.samples.empty()) of.samples = std::vector<std::int64_t>(std::max(all, taken));
    if (shuffle_ || of.pass < 0) {
      for (std::size_t i = 0; i < all; ++i) of.samples[i] = samples_[i];
      if (shuffle_)
        detail::shuffle(array_view<std::int64_t>(of.samples).first(all),
                        random_stream(seed_, 1 + static_cast<std::uint64_t>(pass)));
      for (std::size_t i = all; i < taken; ++i) of.samples[i] = of.samples[i - all];  // fills the last batch
    }
    of.pass = pass;
  }
};

}  // namespace tapeless::data
