// SPDX-License-Identifier: BSL-1.0
// save_bytes and load_bytes: what the files hold, in memory, and bytes that do not fit.
#include <tapeless/bare.hpp>
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, 2, 3>;
  return tl::mean(tl::square(tl::linear<"b", 1>(tl::tanh(tl::linear<"a", 4>(x)))));
};
// The smaller elements first: in the file they are last.
constexpr auto two_types = [] {
  auto scale = tl::cast<float>(tl::param<"scale", tl::bf16, 3>(tl::normal(1)));
  return tl::mean(tl::square(tl::linear<"a", 2>(tl::input<"x", float, 2, 3> * scale)));
};
const std::vector<float> x{1, 2, 3, -1, 0.5f, 0};

auto make_net(std::uint64_t seed) { return tl::trainer{model, tl::adam(), tl::cpu{}, seed}; }

template <class Net>
std::vector<float> weights_of(Net& net) {
  const auto a = net.template parameter<"a.weight">();
  const auto b = net.template parameter<"b.weight">();
  std::vector<float> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

}  // namespace

TEST_CASE("the bytes are the file's, and are read back by whatever type they have") {
  auto net = make_net(1), other = make_net(2);
  const test::temporary_folder folder;
  tl::save(net, folder.path("net"));
  const std::vector<std::byte> bytes = tl::save_bytes(net);
  CHECK(bytes == tl::io::read_file(folder.path("net")));
  tl::save(net, folder.path("part"), {.only = {"a.*"}});
  CHECK(tl::save_bytes(net, {.only = {"a.*"}}) == tl::io::read_file(folder.path("part")));
  CHECK(
      test::error_of([&] {
        tl::save_bytes(net, {.only = {"c.*"}});
      }).starts_with("tapeless: the bytes: no parameter of the model fits \"c.*\"; there are \"a.weight\""));

  tl::load_bytes(other, bytes);
  CHECK(weights_of(other) == weights_of(net));
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  tl::function f{[] { return tl::named<"y">(tl::linear<"a", 4>(tl::input<"x", float, 2, 3>)); }};
  tl::load_bytes(f, text);
  const auto a = net.parameter<"a.weight">();
  const auto same = f.parameter<"a.weight">();
  CHECK(std::vector<float>(a.begin(), a.end()) == std::vector<float>(same.begin(), same.end()));
}

TEST_CASE("bytes of which some are lost or changed are refused, and nothing changes") {
  auto net = make_net(1), other = make_net(2);
  std::vector<std::byte> bytes = tl::save_bytes(net);
  const auto before = weights_of(other);
  CHECK_THROWS_WITH(tl::load_bytes(other, std::span(bytes).first(5)),
                    contains("the bytes: expected a safetensors file, found only 5 bytes"));
  CHECK_THROWS_AS(tl::load_bytes(other, std::span(bytes).first(bytes.size() - 1)), tl::error);
  CHECK_THROWS_WITH(tl::load_bytes(other, std::vector<std::byte>{}), contains("found only 0 bytes"));
  CHECK_THROWS_WITH(tl::load_bytes(other, bytes, {.names = {{"a.weight", "c.weight"}}}),
                    contains("the bytes") && contains("a.weight"));
  bytes[8] = std::byte{'x'};
  CHECK_THROWS_AS(tl::load_bytes(other, bytes), tl::error);
  CHECK(weights_of(other) == before);
}

TEST_CASE("a checkpoint in memory: training goes on bit for bit") {
  auto net = make_net(1);
  for (int i = 0; i < 3; ++i) net.step("x"_t = x);
  const std::vector<std::byte> bytes = tl::save_checkpoint_bytes(net);
  const test::temporary_folder folder;
  tl::save_checkpoint(net, folder.path("net"));
  CHECK(bytes == tl::io::read_file(folder.path("net")));

  auto again = make_net(2);
  tl::load_checkpoint_bytes(again, bytes);
  CHECK(again.steps() == 3);
  net.step("x"_t = x);
  again.step("x"_t = x);
  CHECK(test::state_of(again) == test::state_of(net));
  CHECK_THROWS_WITH(tl::load_checkpoint_bytes(again, tl::save_bytes(net)), contains("the bytes: "));
}

TEST_CASE("a bare machine's object and a trainer read one another's bytes") {
  auto net = make_net(1);
  tl::trainer small{model, tl::adam(), tl::bare{}};
  const std::vector<std::byte> bytes = tl::save_bytes(net);
  REQUIRE(small.load(bytes.data(), bytes.size()));
  const auto own = net.parameter<"a.weight">();
  const float* const loaded = small.parameter<"a.weight">();
  CHECK(std::vector<float>(loaded, loaded + 12) == std::vector<float>(own.begin(), own.end()));

  small.step("x"_t = x);
  std::array<std::byte, small.saved_bytes()> room;
  REQUIRE(small.save(room.data(), room.size()) > 0);
  tl::load_bytes(net, room);
  CHECK(std::vector<float>(own.begin(), own.end()) == std::vector<float>(loaded, loaded + 12));
}

TEST_CASE("so do those of a model with elements of two sizes") {
  tl::trainer net{two_types, tl::sgd({.learning_rate = 0.5f}), tl::cpu{}, 1};
  tl::trainer small{two_types, tl::sgd({.learning_rate = 0.5f}), tl::bare{}, 2};
  const std::vector<std::byte> bytes = tl::save_bytes(net);
  REQUIRE(small.load(bytes.data(), bytes.size()));
  CHECK(small.parameter<"scale">()[2].bits == net.parameter<"scale">()[2].bits);
  CHECK(small.parameter<"a.bias">()[1] == net.parameter<"a.bias">()[1]);
  std::array<std::byte, small.saved_bytes()> room;
  REQUIRE(small.save(room.data(), room.size()) == static_cast<long>(bytes.size()));
  CHECK(std::equal(room.begin(), room.end(), bytes.begin()));
}
