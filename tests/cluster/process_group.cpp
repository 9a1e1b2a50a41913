// SPDX-License-Identifier: BSL-1.0
// What a group does when something goes wrong: all go on, or nobody waits for ever.
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <tapeless/cluster/data_parallel_trainer.hpp>
#include <tapeless/cluster/one_process.hpp>
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "cluster/check.hpp"
#include "cluster/small_net.hpp"
#include "cluster/thread_group.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

bool says(const std::string& sentence, const char* part) { return sentence.find(part) != std::string::npos; }

struct stops {
  bool here;
  template <class Net>
  void on_gradients(Net&, const tl::fit_progress& p) {
    if (here && p.updates == 2) throw std::runtime_error("enough");
  }
};

}  // namespace

TEST_CASE("What on_gradients throws, all ranks throw, and go on") {
  for (const bool everywhere : {true, false})
    test::on_ranks(3, [&](tl::process_group& world) {
      tl::trainer net{test::small_net<7>, tl::data_parallel(world, test::adam(), {.bucket_bytes = 1})};
      const auto data = test::samples(20);
      const bool here = everywhere || world.rank() == 1;
      const std::string said =
          test::sentence_of([&] { tl::fit(net, data, {.epochs = 1, .batch = 5}, stops{here}); });
      test::check(here ? said == "enough" : says(said, "rank 1 has failed in on_gradients: enough"));
      test::check(!world.is_broken() && net.steps() == 2);
      tl::fit(net, data, {.epochs = 2, .batch = 5});
      const double weight = test::weights_of(net)[3];
      for (const double other : world.gather(weight)) test::check(other == weight);
    });
}

TEST_CASE("Bools are gathered and counted; only ranges and transfers count as received") {
  test::on_ranks(3, [](tl::process_group& world) {
    const bool is_odd = world.rank() == 1;
    test::check(world.gather(is_odd) == std::vector<bool>{false, true, false});
    test::check(world.sum(!is_odd) == 2 && world.sum(true) == 3);
    test::check(world.sum(0.5) == 1.5 && world.sum(short{2}) == 6);
    double number = 1;
    world.broadcast(number);
    world.meet("here");
    test::check(world.received() == 0);
    std::vector<double> numbers(3, world.rank());
    world.gather_ranges(reinterpret_cast<std::byte*>(numbers.data()),
                        std::vector<std::int64_t>{0, 8, 16, 24});
    test::check(numbers == std::vector<double>{0, 1, 2} && world.received() == 16);
  });
}

TEST_CASE("An error that all throw leaves the group whole; what one throws breaks it, which its calls say") {
  test::on_ranks(2, [](tl::process_group& world) {
    const std::string said =
        test::sentence_of([&] { world.or_broken([&] { world.throw_on_all({"all ", 2, " know"}); }); });
    test::check(said == "tapeless: all 2 know" && !world.is_broken());
    test::check(world.sum(1) == 2);
    test::sentence_of([&] {  // what is thrown behind one that all have thrown is another matter
      world.or_broken([&] {
        test::sentence_of([&] { world.together("this", 1, [] { throw std::runtime_error("of all"); }); });
        world.meet("that");
        throw std::runtime_error("of each");
      });
    });
    test::check(world.is_broken());
    std::int64_t number = 1;
    const std::vector<std::int64_t> begin{0, 4, 8};
    const auto at = reinterpret_cast<std::byte*>(&number);
    const auto t = world.transfer_gathering(at, begin);
    for (const std::string& call : {
             test::sentence_of([&] { world.meet("this"); }),
             test::sentence_of([&] { world.all([](int) { return true; }); }),
             test::sentence_of([&] { world.gather(1); }),
             test::sentence_of([&] { world.broadcast(number); }),
             test::sentence_of([&] { world.together("this", 1, [] {}); }),
             test::sentence_of([&] { world.gather_ranges(at, begin); }),
             test::sentence_of([&] { world.start(*t); }),
         })
      test::check(says(call, "the group of processes is broken: something was thrown on this rank alone"));
  });
}

TEST_CASE("Who throws in another call than the others' has broken the group") {
  test::on_ranks(2, [](tl::process_group& world) {
    const std::string said = test::sentence_of([&] {
      if (world.rank() == 0) world.together("this", 1, [] { throw std::runtime_error("no room"); });
      if (world.rank() == 1) world.together("that", 1, [] {});
    });
    test::check(world.rank() == 0 ? said == "no room" : says(said, "the ranks do not do the same"));
    test::check(world.is_broken());
  });
}

TEST_CASE("A group of one process is never broken") {
  tl::one_process alone;
  test::sentence_of([&] { alone.or_broken([] { throw std::runtime_error("here"); }); });
  CHECK(!alone.is_broken());
  CHECK(alone.sum(2) == 2);
}

TEST_CASE("Gradients that are under way are not sent again") {
  test::on_ranks(2, [](tl::process_group& world) {
    tl::detail::gradient_exchange exchange(world, {}, {});
    std::vector<double> numbers(8, 1.0);
    const std::vector<std::byte*> gradients{reinterpret_cast<std::byte*>(numbers.data())};
    std::vector<tl::parameter_description> described(1);
    described[0].type = tl::element::f64;
    described[0].count = 8;
    const auto open = [&] { exchange.open(gradients, gradients, described, {}, 1.0); };
    open();
    test::check(says(test::sentence_of(open), "gradients of an earlier step are still under way"));
    exchange.finish();
    test::check(numbers[0] == 2.0);
  });
}
