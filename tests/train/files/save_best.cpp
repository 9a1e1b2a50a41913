// SPDX-License-Identifier: BSL-1.0
// The weights of a fit's best epoch as a file: all of them, or those that options choose.
#include <tapeless/tapeless.hpp>

#include <cstring>
#include <filesystem>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace tl = tapeless;
using test::contains;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto h = tl::tanh(tl::linear<"body", 3>(x));
  return tl::mean(tl::square(tl::linear<"head", 1>(h) - tl::sum<1>(x, tl::keep_dims)));
};

tl::data::dataset samples() {
  tl::data::dataset d;
  d.add("x", {2}, test::numbers(5).vector<float>(40));
  return d;
}

constexpr tl::fit_options options{.epochs = 3, .batch = 5, .seed = 3};

// The step size makes the last epoch a bad one.
auto make_net() {
  return tl::trainer{model, tl::sgd({.learning_rate = [](std::int64_t t) { return t < 8 ? 0.1 : 20.0; }})};
}

}  // namespace

TEST_CASE("save_best writes the weights of the best epoch, or those that fit a pattern") {
  const test::temporary_folder folder;
  const std::string all = folder.path() + "/all", head = folder.path() + "/head";
  auto net = make_net();
  const auto history =
      tl::fit(net, samples(), options, tl::save_best(all), tl::save_best(head, {}, {.only = {"head.*"}}));
  REQUIRE(history[1].train["loss"].mean < history[0].train["loss"].mean);
  REQUIRE(history[1].train["loss"].mean < history[2].train["loss"].mean);

  auto expected = make_net();
  tl::fit(expected, samples(), {.epochs = 2, .batch = 5, .seed = 3});
  auto best = make_net();
  tl::load(best, all);
  const auto found = tl::io::safetensors::read(head);
  CHECK(found.size() == 2);
  for (const auto& p : expected.parameters()) {
    INFO(p.name());
    const std::vector<float> wanted(p.begin(), p.end());
    for (const auto& q : best.parameters())
      if (q.name() == p.name()) CHECK(std::vector<float>(q.begin(), q.end()) == wanted);
    if (p.name().substr(0, 4) != "head") continue;
    const auto bytes = found[p.name()].bytes;
    REQUIRE(bytes.size() == wanted.size() * sizeof(float));
    CHECK(std::memcmp(bytes.data(), wanted.data(), bytes.size()) == 0);
  }
}

TEST_CASE("save_best and checkpoint find out before the first step that a file cannot be written") {
  const test::temporary_folder folder;
  const std::string path = folder.path("not there/file");
  auto net = make_net();
  REQUIRE_THROWS_WITH(tl::fit(net, samples(), options, tl::save_best(path)), contains("not there/file"));
  REQUIRE_THROWS_WITH(tl::fit(net, samples(), options, tl::checkpoint(path)), contains("not there/file"));
  CHECK(net.steps() == 0);
  int files = -1;
  tl::fit(net, samples(), options, tl::save_best(folder.path("best")), tl::checkpoint(folder.path("last")),
          [&](const tl::fit_progress& p) {
            if (p.updates == 1) files = static_cast<int>(folder.size());
          });
  CHECK(files == 0);  // nothing is left of the attempt
}

TEST_CASE("save_best finds out before the first step that a pattern fits nothing") {
  const test::temporary_folder folder;
  auto net = make_net();
  const std::string path = folder.path() + "/best";
  REQUIRE_THROWS_WITH(tl::fit(net, samples(), options, tl::save_best(path, {}, {.only = {"tail.*"}})),
                      contains("no parameter of the model fits \"tail.*\"; there are \"body.weight\""));
  CHECK(net.steps() == 0);
  CHECK_FALSE(std::filesystem::exists(path));
}
