// SPDX-License-Identifier: BSL-1.0
// Ranks whose weights have come apart find out.
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/cluster/same_weights.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

using test::adam, test::own_samples;

TEST_CASE("Any bit of a weight makes another number of the step that looks at it, and all are looked at") {
  std::vector<float> first(5, 0.5f), statistic(100, 1), second(40, 0.25f);
  const std::vector<std::byte*> data{reinterpret_cast<std::byte*>(first.data()),
                                     reinterpret_cast<std::byte*>(statistic.data()),
                                     reinterpret_cast<std::byte*>(second.data())};
  std::vector<tl::parameter_description> described(3);
  described[0].count = 5;
  described[1].count = 100;
  described[1].is_buffer = true;
  described[2].count = 40;
  const auto numbers = [&] {
    std::vector<std::uint64_t> all;
    for (int step = 0; step < 6; ++step)  // 180 bytes
      all.push_back(tl::detail::number_of_weights(data, described, step, 64));
    return all;
  };
  const auto before = numbers();
  const auto differing = [&] {
    const auto after = numbers();
    int count = 0;
    for (std::size_t i = 0; i < after.size(); ++i) count += after[i] != before[i] ? 1 : 0;
    return count;
  };
  const auto flip = [&](std::vector<float>& all, std::size_t i, int bit) {
    reinterpret_cast<unsigned char*>(all.data() + i)[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  };
  for (auto* all : {&first, &second})
    for (std::size_t i = 0; i < all->size(); ++i)
      for (const int bit : {0, 31}) {
        flip(*all, i, bit);
        CHECK(differing() == 2);  // a piece, every third step
        flip(*all, i, bit);
      }
  statistic[7] = 2;
  CHECK(differing() == 0);
}

TEST_CASE(
    "What one rank alone has changed is an error on all, who synchronize and go on; not if it is rank 0, "
    "which synchronizes") {
  for (const bool in_fit : {false, true})
    test::on_ranks(3, [&](tl::process_group& world) {
      tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam(), {.bucket_bytes = 1})};
      const own_samples own(world.rank());
      const auto step = [&] { net.step("x"_t = own.x, "y"_t = own.y); };
      step();
      if (world.rank() == 0) net.parameter<"fc1.weight">()[3] = 5;
      net.synchronize();
      step();
      test::check(net.steps() == 2);
      const auto change = [&] {
        if (world.rank() == 2) net.parameter<"fc1.weight">()[3] += 1;
      };
      const std::string said = test::sentence_of([&] {
        if (!in_fit) {
          change();
          step();
        } else {
          tl::fit(net, test::samples(20), {.epochs = 1, .batch = 5}, [&](const tl::fit_progress& p) {
            if (p.updates == 4) change();
          });
        }
      });
      test::check(said.find("rank 2 has other weights than rank 0: change weights on all ranks alike, or on "
                            "rank 0, and call net.synchronize() on all") != std::string::npos);
      test::check(!world.is_broken());
      net.synchronize();
      step();
      tl::fit(net, test::samples(20), {.epochs = 2, .batch = 5});
      const std::vector<double> weights = test::weights_of(net);
      for (const double other : world.gather(weights[3])) test::check(other == weights[3]);
    });
}

TEST_CASE(
    "Ranks with other samples find out before gradients travel, also where they make fewer parts of a "
    "batch") {
  test::on_ranks(3, [&](tl::process_group& world) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam(), {.bucket_bytes = 1})};
    const tl::fit_in_parts_options in_parts{.epochs = 1, .batch = 20, .physical_batch = 2};
    const std::string said =
        test::sentence_of([&] { tl::fit(net, test::samples(world.rank() == 2 ? 5 : 20), in_parts); });
    test::check(said.find("rank 2 takes other samples than rank 0") != std::string::npos);
    test::check(!world.is_broken() && net.steps() == 0);
    tl::fit(net, test::samples(20), in_parts);
    test::check(net.steps() == 1);
  });
}

TEST_CASE("Other hyperparameters on one rank are an error on all, before anything changes") {
  for (const bool is_schedule : {false, true})
    test::on_ranks(3, [&](tl::process_group& world) {
      tl::trainer net{test::small_net<7>, tl::data_parallel(world, tl::sharded_states(adam()))};
      const own_samples own(world.rank());
      const auto step = [&] { net.step("x"_t = own.x, "y"_t = own.y); };
      step();
      if (world.rank() == 0) net.set<"learning_rate">(1e-3);
      net.synchronize();
      step();
      const auto before = test::weights_of(net);
      if (is_schedule) {  // equal in the step that has been, not in the one to come
        const double slope = world.rank() == 1 ? 1e-3 : 0;
        net.set<"learning_rate">([=](std::int64_t at) { return 1e-3 + slope * static_cast<double>(at - 1); });
      } else if (world.rank() == 1) {
        net.set<"learning_rate">(2e-3);
      }
      const std::string said = test::sentence_of(step);
      test::check(said.find("rank 1 has other hyperparameters than rank 0, such as the learning rate") !=
                  std::string::npos);
      test::check(test::weights_of(net) == before);
    });
}

TEST_CASE("What ranks throw where a fit starts, all or one of them, leaves their group whole") {
  for (const bool all_lack_it : {true, false})
    test::on_ranks(3, [&](tl::process_group& world) {
      tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam())};
      tl::data::dataset without_y;
      without_y.add("x", {3}, std::vector<double>(12));
      const bool lacks_it = all_lack_it || world.rank() == 1;
      const std::string said =
          test::sentence_of([&] { tl::fit(net, lacks_it ? without_y : test::samples(4), {.epochs = 1}); });
      test::check(said.find("no column \"y\" in the dataset") != std::string::npos);
      tl::fit(net, test::samples(20), {.epochs = 1, .batch = 20});
      test::check(!world.is_broken() && net.steps() == 1);
    });
}

TEST_CASE("fit begins with the weights and states that rank 0 alone has loaded") {
  const std::string path = "of_rank_0.safetensors";
  tl::trainer before{test::small_net<7>, adam()};
  const own_samples some(4);
  for (int i = 0; i < 5; ++i) before.step("x"_t = some.x, "y"_t = some.y);
  tl::save(before, path);
  const auto fitted = [&](tl::process_group& world, bool everywhere) {
    tl::trainer net{test::small_net<7>, tl::data_parallel(world, adam())};
    if (everywhere || world.rank() == 0) {
      tl::load(net, path);
      net.state<"adam.mu", "fc1.weight">()[2] = 0.5;
    }
    tl::fit(net, test::samples(20), {.epochs = 2, .batch = 5});
    return test::weights_of(net);
  };
  test::on_ranks(3, [&](tl::process_group& world) {
    const std::vector<double> by_rank_0 = fitted(world, false), by_all = fitted(world, true);
    test::check(by_rank_0 == by_all);
    tl::trainer fresh{test::small_net<7>, tl::data_parallel(world, adam())};
    tl::fit(fresh, test::samples(20), {.epochs = 2, .batch = 5});
    test::check(test::weights_of(fresh) != by_all);
  });
}
