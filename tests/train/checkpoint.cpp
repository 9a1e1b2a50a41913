// SPDX-License-Identifier: BSL-1.0
// Training that goes on from a file goes on bit for bit.
#include <tapeless/tapeless.hpp>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 8>;
  auto h = tl::dropout<0.25>(tl::batch_norm<"norm">(tl::linear<"fc1", 8>(x)));
  return tl::mean(tl::square(tl::linear<"fc2", 2>(tl::tanh(h)) - 1_c));
};

struct data {
  test::numbers random{3};
  std::vector<float> next() { return random.vector<float>(4 * 8); }
};

template <class Net>
std::vector<float> losses(Net& net, data& from, int steps) {
  std::vector<float> all;
  for (int i = 0; i < steps; ++i) {
    const auto x = from.next();
    all.push_back(net.step("x"_t = x).loss());
  }
  return all;
}

auto rule() { return tl::accumulate(2, tl::adamw({.learning_rate = 0.05f})); }

}  // namespace

TEST_CASE("a checkpoint holds all that training goes on from") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer first{model, rule(), tl::cpu{}, 7};
  data samples;
  losses(first, samples, 5);  // one step waits for its update
  tl::save_checkpoint(first, path);
  const auto file = tl::io::safetensors::read(path);
  CHECK(file["adam.mu.fc1.weight"].shape == std::vector<std::int64_t>{8, 8});
  CHECK(file["gradient.fc2.bias"].shape == std::vector<std::int64_t>{2});
  CHECK(file["norm.running_mean"].type == tl::element::f32);

  tl::trainer second{model, rule(), tl::cpu{}, 1};
  data same = samples;
  tl::load_checkpoint(second, path);
  CHECK(second.steps() == 2);
  CHECK(losses(first, samples, 6) == losses(second, same, 6));
  CHECK(test::elements(first.parameter<"fc1.weight">()) == test::elements(second.parameter<"fc1.weight">()));
  CHECK(test::elements(first.parameter<"norm.running_var">()) ==
        test::elements(second.parameter<"norm.running_var">()));
}

TEST_CASE("weights alone are no checkpoint, and nothing is changed by one that does not fit") {
  const test::temporary_folder folder;
  const std::string path = folder.path("weights.safetensors");
  tl::trainer net{model, rule()};
  tl::save(net, path);
  const auto before = test::elements(net.parameter<"fc1.weight">());
  tl::trainer other{model, tl::sgd({.learning_rate = 0.1f})};
  CHECK_THROWS_WITH(tl::load_checkpoint(net, path), test::contains("trainer.steps"));
  tl::save_checkpoint(other, path);
  CHECK_THROWS_WITH(tl::load_checkpoint(net, path), test::contains("adam.mu.fc1.weight"));
  CHECK(test::elements(net.parameter<"fc1.weight">()) == before);
  CHECK(net.steps() == 0);
}
