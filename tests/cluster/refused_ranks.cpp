// SPDX-License-Identifier: BSL-1.0
// Ranks that do not do the same, and one that fails: all are told so.
#include <string>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

using test::adam, test::own_samples, test::weights_of;

constexpr auto model = test::small_net<7>;

}  // namespace

TEST_CASE("A rank with another rule or other shapes is refused by name") {
  const auto other_rule = [](tl::process_group& world) {
    if (world.rank() == 0) tl::trainer net{model, tl::data_parallel(world, test::clipped_adam())};
    if (world.rank() == 1) tl::trainer net{model, tl::data_parallel(world, adam())};
  };
  const auto other_shape = [](tl::process_group& world) {
    if (world.rank() == 0) tl::trainer net{model, tl::data_parallel(world, adam())};
    if (world.rank() == 1) tl::trainer net{test::small_net<8>, tl::data_parallel(world, adam())};
  };
  for (const int rank : {0, 1}) {
    CHECK_THROWS_WITH(test::on_ranks(2, other_rule, rank),
                      Catch::Contains("rank 0 has the rule chain(clip_by_global_norm"));
    CHECK_THROWS_WITH(
        test::on_ranks(2, other_shape, rank),
        Catch::Contains("\"fc1.weight\", double[7, 3], and rank 1 has") && Catch::Contains("[8, 3]"));
  }
}

TEST_CASE("A rank whose gradients travel in another way is refused; so are buckets without bytes") {
  const auto other_buckets = [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, adam(), {.bucket_bytes = 100 + world.rank()})};
  };
  CHECK_THROWS_WITH(
      test::on_ranks(2, other_buckets),
      Catch::Contains("rank 0 has gradients that travel in buckets of 100 bytes, and rank 1 has"));
  const auto empty_buckets = [](tl::process_group& world) {
    tl::data_parallel(world, adam(), {.bucket_bytes = 0});
  };
  CHECK_THROWS_WITH(test::on_ranks(1, empty_buckets),
                    Catch::Contains("data_parallel: bucket_bytes is 0; it must be 1 or more"));
}

TEST_CASE("What fails on one rank fails on all, which go on") {
  test::on_ranks(3, [](tl::process_group& world) {
    tl::trainer net{model, tl::data_parallel(world, adam(), {.bucket_bytes = 64})};
    own_samples own(world.rank());
    net.step("x"_t = own.x, "y"_t = own.y);
    const auto before = weights_of(net);
    if (world.rank() == 1) own.y.push_back(0);
    const std::string said = test::sentence_of([&] { net.step("x"_t = own.x, "y"_t = own.y); });
    test::check(
        said.find(world.rank() == 1 ? "input \"y\"" : "rank 1 has failed in a step: tapeless: input") !=
        std::string::npos);
    test::check(weights_of(net) == before);
    test::check(net.steps() == 1);
    if (world.rank() == 1) own.y.pop_back();
    net.step("x"_t = own.x, "y"_t = own.y);
    test::check(world.all([&](int) { return net.steps() == 2; }));
    test::check(!world.is_broken());
  });
  test::on_ranks(2, [](tl::process_group& world) {
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) world.sum(1);
      if (world.rank() == 1) world.any([](int) { return true; });
    });
    test::check(said.find("rank 0 is at world.gather or world.sum (4), rank 1 at world.any; all ranks must "
                          "make the same calls") != std::string::npos);
    test::check(world.is_broken());
  });
}

TEST_CASE("Ranks that do not do the same are told so in the words of their calls") {
  const auto check = [](const char* expected, const auto& body) {
    test::on_ranks(2, [&](tl::process_group& world) {
      tl::trainer net{model, tl::data_parallel(world, tl::sharded_states(adam()))};
      const own_samples own(world.rank());
      net.step("x"_t = own.x, "y"_t = own.y);
      const std::string said = test::sentence_of([&] {
        body(net, world.rank());
        net.step("x"_t = own.x, "y"_t = own.y);
      });
      test::check(said.find(expected) != std::string::npos);
    });
  };
  check("rank 0 is at save_checkpoint (1), rank 1 at a step (2)", [](auto& net, int rank) {
    if (rank == 0) tl::save_checkpoint(net, "of_one_rank.safetensors");
  });
  check("rank 0 is at the start of fit, or net.synchronize(), rank 1 at a step (2)", [](auto& net, int rank) {
    if (rank == 0) net.synchronize();
  });
  check("rank 0 is at the validation of fit (5), rank 1 at the decision whether fit goes on",
        [](auto& net, int rank) {
          const auto data = test::samples(20);
          tl::fit_options o{.batch = 5};
          if (rank == 0) o.validation = data;
          tl::fit(net, data, o);
        });
  check("rank 0 is at a step (6), rank 1 at a batch of fit (6)",
        [](auto& net, int rank) { tl::fit(net, test::samples(20), {.epochs = 1 + rank, .batch = 5}); });
}
