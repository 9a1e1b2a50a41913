// SPDX-License-Identifier: BSL-1.0
// Which gradients travel together, and how many bytes that are.
#include <cstdint>
#include <utility>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/run/cpu/straight_line_at.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using tl::detail::best_bucket_bytes, tl::detail::bucket_costs, tl::detail::for_each_bucket,
    tl::detail::time_behind_pass;

using bucket = std::pair<std::size_t, std::size_t>;
std::vector<bucket> buckets(const std::vector<std::int64_t>& bytes, std::int64_t size) {
  std::vector<bucket> all;
  for_each_bucket(bytes, size, [&](std::size_t first, std::size_t end) { all.push_back({first, end}); });
  return all;
}

constexpr std::int64_t time_of(std::vector<std::int64_t> bytes, std::vector<std::size_t> after,
                               std::int64_t message, std::int64_t size, std::int64_t passes = 1) {
  return time_behind_pass(bytes, after, message, size, passes);
}
constexpr std::int64_t best_of(std::vector<std::int64_t> bytes, std::vector<std::size_t> after,
                               bucket_costs costs) {
  return best_bucket_bytes(bytes, after, costs);
}
/// So many layers of as many bytes each, whose gradients come evenly, the last layer's first.
constexpr std::int64_t best_of_even(std::size_t layers, std::int64_t bytes, bucket_costs costs) {
  std::vector<std::int64_t> all(layers, bytes);
  std::vector<std::size_t> after;
  for (std::size_t i = layers; i > 0; --i) after.push_back(i);
  return best_bucket_bytes(all, after, costs);
}

constexpr auto batch = tl::dyn<"batch">;
constexpr auto classifier = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc1", 500>(x));
  return tl::cross_entropy(tl::linear<"fc2", 10>(hidden), y);
};
constexpr auto deep = [] {
  auto x = tl::input<"x", float, batch, 784>;
  auto y = tl::input<"y", std::int32_t, batch>;
  auto hidden = tl::relu(tl::linear<"fc2", 500>(tl::relu(tl::linear<"fc1", 500>(x))));
  return tl::cross_entropy(tl::linear<"fc3", 10>(hidden), y);
};

constexpr auto small = [] { return tl::mean(tl::square(tl::param<"w", float, 3>)); };

template <class Model, class Policy = tl::cpu>
using net_of = decltype(tl::trainer{std::declval<Model>(),
                                    tl::data_parallel(std::declval<tl::process_group&>(), tl::sgd({})),
                                    std::declval<Policy>()});

}  // namespace

TEST_CASE("Buckets are whole gradients, from the end on, of so many bytes or more") {
  CHECK(buckets({10, 20, 30, 5}, 1) == std::vector<bucket>{{3, 4}, {2, 3}, {1, 2}, {0, 1}});
  CHECK(buckets({10, 20, 30, 5}, 35) == std::vector<bucket>{{2, 4}, {0, 2}});
  CHECK(buckets({10, 20, 30, 5}, 36) == std::vector<bucket>{{1, 4}, {0, 1}});
  CHECK(buckets({10, 20, 30, 5}, 1000) == std::vector<bucket>{{0, 4}});
  CHECK(buckets({}, 1).empty());
}

TEST_CASE("Buckets travel one after the other, when all of a bucket is there") {
  // 60 bytes, which are there behind the first and the last of 4 commands: at 0 and at 60
  static_assert(time_of({20, 40}, {7, 3}, 5, 1) == 20 + 5);
  static_assert(time_of({20, 40}, {7, 3}, 5, 60) == 60 + 5);
  // a message as long as the pass, and with a pass of 4 times the bytes
  static_assert(time_of({20, 40}, {7, 3}, 60, 1) == 40 + 60 - 60 + 20 + 60);
  static_assert(time_of({20, 40}, {7, 3}, 60, 1, 4) == 20 + 60);
  // what comes early waits for those that are under way: 40 at 60, 20 behind them
  static_assert(time_of({20, 40}, {3, 7}, 5, 1) == 40 + 5 + 20 + 5);
  // all at once: each bucket is one message more
  static_assert(time_of({20, 40}, {3, 3}, 5, 1) == 60 + 2 * 5);
  static_assert(time_of({20, 40}, {3, 3}, 5, 60) == 60 + 5);
}

TEST_CASE("The size is the one with which all have travelled first") {
  static_assert(best_of({20, 40}, {7, 3}, {5, 16}) == 32);    // 2 buckets, by the largest size that has 2
  static_assert(best_of({20, 40}, {7, 3}, {110, 16}) == 64);  // a message of 110 is more than it hides
  static_assert(best_of({20, 40}, {3, 3}, {5, 16}) == 64);    // there is nothing to hide behind
  static_assert(best_of({1}, {0}, {5, 16}) == 16);            // none is smaller
  static_assert(best_of({0}, {0}, {5, 16}) == 16);
  static_assert(best_of({20, 40}, {}, {5, 16}) == 1 << 20);  // nothing is known
  constexpr bucket_costs two_ranks = tl::detail::gradient_exchange::costs(2);
  static_assert(best_of_even(1024, 1 << 16, two_ranks) == 1 << 19);  // about sqrt(64 MiB * 6.5 KiB)
  static_assert(best_of_even(1024, 1 << 12, two_ranks) == 1 << 17);
  static_assert(best_of_even(4, 1 << 10, two_ranks) == 1 << 16);  // one bucket
}

TEST_CASE("A trainer's buckets follow from its plan while compiling") {
  using shallow_net = net_of<decltype(classifier)>;
  using deep_net = net_of<decltype(deep)>;
  // fc1's gradient is the last, and what fc2 has is too little for a message of its own: one bucket
  static_assert(shallow_net::bucket_bytes(2) > 500 * 10 * 4 + 500 * 784 * 4);
  // fc2 goes while fc1's gradient is computed, which it could not in buckets of 1 MiB: fc2 and fc3 have less
  constexpr std::int64_t few = deep_net::bucket_bytes(2);
  static_assert(few < 500 * 500 * 4);
  // each of many ranks sends many messages
  static_assert(deep_net::bucket_bytes(1024) > 2 * few);
  // what an option says counts; as bf16 gradients have half the bytes
  static_assert(deep_net::bucket_bytes(2, {.bucket_bytes = 7}) == 7);
  static_assert(deep_net::bucket_bytes(1024, {.compression = tl::gradient_compression::bf16}) <
                deep_net::bucket_bytes(1024));
  // where nobody looks before the end
  static_assert(net_of<decltype(small), tl::straight_line>::bucket_bytes(2) == 1 << 20);
}

TEST_CASE("all commands of a loop wait for what one of them needs: it may be one function") {
  using kind = enum tl::planned_command::kind;
  const std::vector<tl::planned_command> commands{
      {kind::loop_begin, 0}, {kind::product, 0}, {kind::product, 1}, {kind::loop_end, 0}, {kind::product, 0}};
  std::vector<tl::planned_product> products(2);
  products[0].a.base = products[0].b.base = products[0].c.base = 0;
  products[1].a.base = products[1].b.base = 1;
  products[1].c.base = 0;
  const std::vector<tl::placement> place{{tl::storage::arena, 0}, {tl::storage::state, 2}};
  tl::plan_view plan;
  plan.commands = commands;
  plan.products = products;
  plan.place = place;
  struct one_bucket {
    std::size_t first, end;
  };
  const std::vector<one_bucket> all{{3, 4}, {0, 3}};
  CHECK(tl::detail::buckets_before(all, plan, 4) == std::vector<std::size_t>{2, 2, 2, 2, 0});
}
