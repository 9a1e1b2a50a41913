// SPDX-License-Identifier: BSL-1.0
// Functions on tl::bare: outputs of weights in the object, or of a file's bytes that are read where they are.
#include <tapeless/bare.hpp>
#include <tapeless/bytes.hpp>
#include <tapeless/ops/reduction/cumprod.hpp>
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;

constexpr auto network = [] {
  return tl::linear<"b", 3>(tl::tanh(tl::linear<"a", 20>(tl::input<"x", float, 2, 4>)));
};
constexpr auto answer = [] { return tl::outputs(tl::named<"y">(network())); };
constexpr auto model = [] { return tl::mse_loss(network(), tl::input<"wanted", float, 2, 3>); };

// The smaller elements are last in a file.
constexpr auto two_types = [] {
  auto scale = tl::cast<float>(tl::param<"scale", tl::bf16, 4>(tl::normal(1)));
  return tl::outputs(tl::named<"y">(tl::linear<"a", 2>(tl::input<"x", float, 2, 4> * scale)));
};

constexpr auto noise = [] {
  return tl::outputs(tl::named<"y">(tl::uniform<"u", float, 2, 4>() + tl::input<"x", float, 2, 4>));
};

const float x[2][4] = {{1, 2, 3, -1}, {0.5f, 0, -2, 1}};

template <class View, class Other>
void require_near(const View& given, const Other& wanted) {
  REQUIRE(given.size() == wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(given[i] == test::Approx(wanted[i]).epsilon(1e-5));
}

// Memory for a file as flash has it.
struct flash {
  alignas(64) std::byte bytes[2048] = {};
  explicit flash(const std::vector<std::byte>& from) { std::memcpy(bytes, from.data(), from.size()); }
};

template <class Model>
void check_weights_in_memory(Model its_model) {
  const tl::function usual{its_model, tl::cpu{.threads = 1}, 5};
  auto copy = tl::function{its_model, tl::cpu{.threads = 1}, 5};
  const flash memory(tl::save_bytes(copy));
  tl::function f{its_model, tl::weights(memory.bytes), tl::bare{}};
  const auto wanted = usual("x"_t = x);
  const auto given = f("x"_t = x);
  REQUIRE(given.is_valid());
  require_near(given.template get<"y">(), wanted.template get<"y">());
  CHECK(static_cast<const void*>(f.template parameter<"a.weight">()) > memory.bytes);
  CHECK(f.template parameter<"a.weight">()[3] == usual.template parameter<"a.weight">()[3]);
  static_assert(std::is_const_v<std::remove_pointer_t<decltype(f.template parameter<"a.weight">())>>);
}

}  // namespace

TEST_CASE("a function has initial values of the seed, as on every policy, and reads others") {
  const tl::function usual{answer, tl::cpu{.threads = 1}, 5};
  tl::function f{answer, tl::bare{}, 5}, other{answer, tl::bare{}, 6};
  require_near(f("x"_t = x).get<"y">(), usual("x"_t = x).get<"y">());
  std::byte file[f.saved_bytes()];
  REQUIRE(f.save(file, sizeof file) == static_cast<long>(sizeof file));
  REQUIRE(other.load(file, sizeof file));
  const auto wanted = f("x"_t = x).get<"y">();
  const auto given = other("x"_t = x).get<"y">();
  for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(given[i] == wanted[i]);
}

TEST_CASE("weights are read where a file's bytes are") {
  check_weights_in_memory(answer);
  check_weights_in_memory(two_types);
}

TEST_CASE("nothing but the arena and where the weights are is in the object") {
  using read =
      decltype(tl::function{answer, tl::weights(static_cast<const std::byte*>(nullptr), 0), tl::bare{}});
  using own = decltype(tl::function{answer, tl::bare{}});
  constexpr std::size_t hidden = 2 * 20 * sizeof(float), weights = (20 * 4 + 20 + 3 * 20 + 3) * sizeof(float);
  STATIC_REQUIRE(sizeof(read) <= hidden + 2 * 3 * sizeof(float) + 3 * 64);
  STATIC_REQUIRE(sizeof(own) >= weights);
}

TEST_CASE("bytes that are none of the model's weights compute nothing") {
  auto trained = tl::function{answer};
  const std::vector<std::byte> file = tl::save_bytes(trained);
  const flash memory(file);
  const auto is_valid = [](const std::byte* from, std::size_t size) {
    tl::function f{answer, tl::weights(from, size), tl::bare{}};
    const auto result = f("x"_t = x);
    CHECK((f.parameter<"a.weight">() != nullptr) == result.is_valid());
    CHECK((result.get<"y">().size() == 6) == result.is_valid());
    return result.is_valid();
  };
  CHECK(is_valid(memory.bytes, file.size()));
  CHECK(is_valid(memory.bytes, file.size() + 1));
  CHECK(!is_valid(memory.bytes, file.size() - 1));
  CHECK(!is_valid(nullptr, 0));
  flash moved(file);
  std::memmove(moved.bytes + 4, moved.bytes, file.size());
  CHECK(!is_valid(moved.bytes + 4, file.size()));  // vectors cannot begin there
  flash damaged(file);
  damaged.bytes[12] ^= std::byte{1};
  CHECK(!is_valid(damaged.bytes, file.size()));
  auto other_model = tl::function{two_types};
  const flash other(tl::save_bytes(other_model));
  CHECK(!is_valid(other.bytes, sizeof other.bytes));
}

TEST_CASE("a trainer's file is that of a function whose model has the same parameters") {
  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f}), tl::cpu{.threads = 1}};
  const float wanted[2][3] = {{1, 0, 0}, {0, 1, 1}};
  for (int i = 0; i < 20; ++i) net.step("x"_t = x, "wanted"_t = wanted);
  const flash memory(tl::save_bytes(net));
  tl::function f{answer, tl::weights(memory.bytes), tl::bare{}};
  const tl::function usual{answer, tl::weights(net)};
  require_near(f("x"_t = x).get<"y">(), usual("x"_t = x).get<"y">());
}

TEST_CASE("random numbers are those of the seed, until another one") {
  const tl::function usual{noise, tl::cpu{.threads = 1}, 3};
  tl::function f{noise, tl::bare{}, 3};
  const auto same = [](const auto& a, const auto& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i] != b[i]) return false;
    return a.size() == b.size();
  };
  const auto wanted = usual("x"_t = x);
  CHECK(same(f("x"_t = x).get<"y">(), wanted.get<"y">()));
  CHECK(same(f("x"_t = x).get<"y">(), wanted.get<"y">()));
  f.seed(4);
  CHECK(!same(f("x"_t = x).get<"y">(), wanted.get<"y">()));
}

TEST_CASE("elements that do not fit compute nothing") {
  constexpr auto looked_up = [] {
    return tl::outputs(tl::named<"y">(tl::embedding<"table", 5, 2>(tl::input<"words", std::int32_t, 2>)));
  };
  tl::function f{looked_up, tl::bare{}};
  const std::int32_t words[2] = {0, 4}, wrong[2] = {0, 5};
  CHECK(f("words"_t = words).is_valid());
  CHECK(!f("words"_t = wrong).is_valid());
}

TEST_CASE("running sums and products of integers wrap") {
  constexpr auto running = [] {
    auto x = tl::input<"x", std::int32_t, 3>;
    return tl::outputs(tl::named<"sums">(tl::cumsum<0>(x)), tl::named<"products">(tl::cumprod<0>(x)));
  };
  tl::function f{running, tl::bare{}};
  const std::int32_t most = std::numeric_limits<std::int32_t>::max(), x[3] = {most, 2, 3};
  const auto result = f("x"_t = x);
  CHECK(result.get<"sums">()[1] == -most);
  CHECK(result.get<"products">()[1] == -2);
  CHECK(result.get<"products">()[2] == -6);
}
