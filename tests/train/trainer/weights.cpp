// SPDX-License-Identifier: BSL-1.0
// Functions on trained weights: of a file, and those of a trainer or another function, which are not copied.
#include <tapeless/bytes.hpp>
#include <tapeless/tapeless.hpp>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "policies.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto autoencoder = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto z = tl::tanh(tl::linear<"encoder", 3>(x));
  auto y = tl::batch_norm<"norm">(tl::linear<"decoder", 4>(z));
  return tl::outputs(tl::mse_loss(y, x), tl::named<"z">(z), tl::named<"y">(y));
};

// A part of it, in another order.
constexpr auto decoder = [] {
  auto z = tl::input<"z", float, batch, 3>;
  return tl::named<"y">(tl::batch_norm<"norm">(tl::linear<"decoder", 4>(z)));
};

// What it does not have, or has otherwise.
constexpr auto other = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto z = tl::linear<"encoder", 2>(x) * tl::cast<float>(tl::param<"norm.bias", double, 1>);
  return tl::named<"z">(tl::linear<"head", 2>(z) + tl::linear<"decoder", 2>(x));
};

const std::vector<float> x{0.5f, -1, 2, 0.25f, 1, -0.5f, 3, 0, 1, -2, 0.75f, 0.125f};

template <class Rule, class Policy>
auto trained(Rule rule, Policy policy) {
  tl::trainer net{autoencoder, rule, policy, 5};
  for (int k = 0; k < 4; ++k) net.step("x"_t = x);
  return net;
}

template <class View>
std::vector<float> numbers(const View& v) {
  return {v.begin(), v.end()};
}

/// The outputs z and y, by the weights that are in the file then.
template <class Net>
std::pair<std::vector<float>, std::vector<float>> saved_and_called(Net& net, const std::string& path) {
  tl::save(net, path);
  const auto all = net.predict("x"_t = x);
  return {numbers(all.template get<"z">()), numbers(all.template get<"y">())};
}

/// The sentence of the error that f throws.
template <class F>
std::string sentence_of(F f) {
  try {
    f();
  } catch (const tl::error& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a function on weights of a part of what was trained computes what the trainer does") {
  test::on_each_policy([]<class Policy>() {
    const test::temporary_folder folder;
    auto net = trained(tl::adam({.learning_rate = 0.1f}), Policy{});
    const auto [z, expected] = saved_and_called(net, folder.path("net"));
    const tl::function of_file{decoder, tl::weights(folder.path("net")), Policy{}};
    const tl::function shared{decoder, tl::weights(net)};
    const tl::function as_told{decoder, tl::weights(net), Policy{}};
    CHECK(numbers(of_file("z"_t = z).template get<"y">()) == expected);
    CHECK(numbers(shared("z"_t = z).template get<"y">()) == expected);
    CHECK(numbers(as_told("z"_t = z).template get<"y">()) == expected);
  });
}

TEST_CASE("a function takes the weights of a file's bytes") {
  test::on_each_policy([]<class Policy>() {
    auto net = trained(tl::adam({.learning_rate = 0.1f}), Policy{});
    const auto all = net.predict("x"_t = x);
    const auto z = numbers(all.template get<"z">()), expected = numbers(all.template get<"y">());
    std::vector<std::byte> bytes = tl::save_bytes(net);
    const auto* const characters = reinterpret_cast<const unsigned char*>(bytes.data());
    const tl::function of_vector{decoder, tl::weights(bytes), Policy{}};
    const tl::function of_span{decoder, tl::weights(std::span<const std::byte>(bytes)), Policy{}};
    const tl::function of_temporary{decoder, tl::weights(tl::save_bytes(net)), Policy{}};
    const tl::function of_pointer{decoder, tl::weights(characters, bytes.size()), Policy{}};
    const tl::function on_cpu{decoder, tl::weights(bytes)};
    bytes.assign(bytes.size(), std::byte{});  // they were copied
    for (const auto* f : {&of_vector, &of_span, &of_temporary, &of_pointer})
      CHECK(numbers((*f)("z"_t = z).template get<"y">()) == expected);
    CHECK(on_cpu("z"_t = z).template get<"y">().size() == expected.size());
  });
  auto net = trained(tl::sgd({.learning_rate = 0.1f}), tl::cpu{});
  const auto bytes = tl::save_bytes(net);
  CHECK_THROWS_WITH((tl::function{other, tl::weights(bytes)}),
                    contains("the bytes: ") && contains("head.weight"));
  CHECK_THROWS_WITH((tl::function{decoder, tl::weights(std::span(bytes).first(100))}),
                    contains("tapeless: the bytes: expected a safetensors file"));
}

TEST_CASE("a trainer's weights are not copied") {
  test::on_each_policy([]<class Policy>() {
    auto net = trained(tl::adam({.learning_rate = 0.1f}), Policy{});
    const tl::function f{autoencoder, tl::weights(net)};
    const auto weight = f.template parameter<"decoder.weight">();
    CHECK(weight.data() == net.template parameter<"decoder.weight">().data());
    std::string names;
    const tl::function part{decoder, tl::weights(net)};
    for (const auto& p : part.parameters()) names += std::string(p.name()) + ' ';
    CHECK(names == "decoder.weight decoder.bias norm.running_mean norm.running_var norm.weight norm.bias ");
    CHECK(part.parameters()[0].data() == weight.data());
    STATIC_REQUIRE(std::is_const_v<std::remove_reference_t<decltype(part.parameters()[0][0])>>);
    STATIC_REQUIRE(std::is_const_v<typename decltype(weight)::element_type>);
    const float before = f("x"_t = x).loss();
    net.step("x"_t = x);
    const float after = f("x"_t = x).loss();
    CHECK(after != before);
    CHECK(after == net.evaluate("x"_t = x).loss());
    net.template parameter<"decoder.bias">()[0] = 5;
    CHECK(f("x"_t = x).loss() == net.evaluate("x"_t = x).loss());

    auto moved = std::move(net);
    moved.step("x"_t = x);
    CHECK(f("x"_t = x).loss() == moved.evaluate("x"_t = x).loss());
  });
}

TEST_CASE("a function keeps the weights of a trainer that is gone") {
  test::on_each_policy([]<class Policy>() {
    using net_type = decltype(trained(tl::adam({}), Policy{}));
    std::optional<net_type> net(trained(tl::adam({.learning_rate = 0.1f}), Policy{}));
    const float expected = net->evaluate("x"_t = x).loss();
    tl::function f{autoencoder, tl::weights(*net)}, g{autoencoder, tl::weights(*net)};
    net.reset();
    CHECK(f("x"_t = x).loss() == expected);
    auto moved = std::move(f);
    CHECK(moved("x"_t = x).loss() == expected);
    CHECK_THROWS_WITH(f("x"_t = x), "tapeless: this function has been moved to another place: use it there");
    CHECK(g("x"_t = x).loss() == expected);
  });
}

TEST_CASE("functions share the weights of one, which they keep when that is gone") {
  test::on_each_policy([]<class Policy>() {
    const test::temporary_folder folder;
    auto net = trained(tl::adam({.learning_rate = 0.1f}), Policy{});
    const auto [z, expected] = saved_and_called(net, folder.path("net"));
    using whole = decltype(tl::function{autoencoder, tl::weights(folder.path("net")), Policy{}});
    std::optional<whole> f(std::in_place, autoencoder, tl::weights(folder.path("net")), Policy{});
    const tl::function part{decoder, tl::weights(*f)}, as_told{decoder, tl::weights(*f), Policy{}};
    CHECK(part.template parameter<"decoder.weight">().data() ==
          f->template parameter<"decoder.weight">().data());
    CHECK(numbers(part("z"_t = z).template get<"y">()) == expected);
    CHECK(numbers(as_told("z"_t = z).template get<"y">()) == expected);

    f->template parameter<"decoder.bias">()[0] += 5;
    const std::vector<float> changed = numbers((*f)("x"_t = x).template get<"y">());
    CHECK(changed != expected);
    CHECK(numbers(part("z"_t = z).template get<"y">()) == changed);
    tl::load(*f, folder.path("net"));
    CHECK(numbers(part("z"_t = z).template get<"y">()) == expected);
    f.reset();
    CHECK(numbers(part("z"_t = z).template get<"y">()) == expected);
  });
}

TEST_CASE("weights are not loaded into a function while one on them is called") {
  const test::temporary_folder folder;
  tl::function f{autoencoder};
  tl::save(f, folder.path("net"));
  const tl::function part{decoder, tl::weights(f)};
  const auto changing = tl::detail::begin_change(f);
  CHECK_THROWS_WITH(part("z"_t = std::vector<float>(3)),
                    contains("a function is called or saved while other weights are loaded into it"));
}

TEST_CASE("weights of 16 bits, and averages, are those that the trainer predicts with") {
  const auto check = [](auto rule) {
    auto net = trained(rule, tl::cpu{});
    const tl::function f{autoencoder, tl::weights(net)};
    CHECK(numbers(f("x"_t = x).template get<"y">()) == numbers(net.predict("x"_t = x).template get<"y">()));
  };
  check(tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 0.1f})));
  check(tl::lbfgs({}));
  auto net = trained(tl::average(tl::adam({.learning_rate = 0.1f})), tl::cpu{});
  const tl::function f{autoencoder, tl::weights(net)};
  const float plain = f("x"_t = x).loss();
  {
    const auto averages = net.averaged_weights();
    CHECK(f("x"_t = x).loss() == net.evaluate("x"_t = x).loss());
    CHECK(f("x"_t = x).loss() != plain);
  }
  CHECK(f("x"_t = x).loss() == plain);
}

TEST_CASE("a function on a trainer's weights draws by its own seed, with any number of threads") {
  constexpr auto sampler = [] {
    auto z = tl::normal_like<"z">(tl::linear<"encoder", 3>(tl::input<"x", float, batch, 4>));
    return tl::named<"y">(tl::batch_norm<"norm">(tl::linear<"decoder", 4>(z)));
  };
  auto net = trained(tl::adam({}), tl::cpu{});
  tl::function f{sampler, tl::weights(net)};
  const tl::function split{sampler, tl::weights(net), tl::cpu{.threads = 3}};
  const auto drawn = [](const auto& one) { return numbers(one("x"_t = x).template get<"y">()); };
  const auto of_no_seed = drawn(f);
  CHECK(drawn(split) == of_no_seed);
  f.seed(7);
  const auto expected = drawn(f);
  CHECK(expected != of_no_seed);

  std::array<std::vector<std::vector<float>>, 4> seen;
  std::vector<std::thread> threads;
  for (auto& mine : seen)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) mine.push_back(drawn(f));
    });
  for (std::thread& t : threads) t.join();
  for (const auto& mine : seen) CHECK(mine == std::vector<std::vector<float>>(20, expected));
  f.seed(0);
  CHECK(drawn(f) == of_no_seed);

  std::thread seeds([&] {
    for (int i = 0; i < 2000; ++i) f.seed(i % 2 == 0 ? 7 : 0);
  });
  int of_either = 0;
  for (int i = 0; i < 100; ++i) {
    const auto one = drawn(f);
    of_either += one == expected || one == of_no_seed ? 1 : 0;  // each call has one seed from end to end
  }
  seeds.join();
  CHECK(of_either == 100);
}

TEST_CASE("all that does not fit is said at once") {
  const test::temporary_folder folder;
  auto net = trained(tl::adam({}), tl::cpu{});
  tl::save(net, folder.path("net"));
  const std::string expected =
      "missing in HOLDER: \"head.weight\", \"head.bias\"; no parameters of the modelOPTIONS: "
      "\"norm.running_mean\", "
      "\"norm.running_var\", \"norm.weight\"; the parameter \"encoder.weight\" is float[2, 4], but "
      "HOLDER holds float[3, 4], the parameter \"encoder.bias\" is float[2], but HOLDER holds float[3], the "
      "parameter \"norm.bias\" is double[1], but HOLDER holds float[4], the parameter \"decoder.weight\" is "
      "float[2, 4], but HOLDER holds float[4, 3], the parameter \"decoder.bias\" is float[2], but HOLDER "
      "holds float[4]";
  const auto with = [&](const std::string& holder, const std::string& options) {
    std::string all = expected;
    all.replace(all.find("OPTIONS"), 7, options);
    for (std::size_t at = 0; (at = all.find("HOLDER")) != std::string::npos;) all.replace(at, 6, holder);
    return all;
  };
  const std::string of_trainer = sentence_of([&] { tl::function f{other, tl::weights(net)}; });
  const std::string of_file = sentence_of([&] { tl::function f{other, tl::weights(folder.path("net"))}; });
  tl::function own{autoencoder};
  const std::string of_function = sentence_of([&] { tl::function f{other, tl::weights(own)}; });
  CHECK(of_trainer == "tapeless: function on a trainer's weights: " + with("the trainer", ""));
  CHECK(of_function == "tapeless: function on another one's weights: " + with("the function", ""));
  CHECK(of_file == "tapeless: " + folder.path("net") + ": " +
                       with("the file",
                            ", unless .strip_prefix, .names or .add_prefix rename them or .join joins them"));
}

TEST_CASE("a file in a format whose header is not included is refused by its name") {
  const test::temporary_folder folder;
  CHECK_THAT(sentence_of([&] { tl::function f{decoder, tl::weights(folder.write("net.npz", "PK\3\4..."))}; }),
             contains("net.npz is a ZIP file, as those of NumPy (.npz) are, which only programs read that "
                      "include <tapeless/numpy.hpp>; "
                      "without it, a file of weights is a safetensors file"));
  CHECK_THAT(sentence_of([&] { tl::function f{decoder, tl::weights(folder.write("net.gguf", "GGUF\3"))}; }),
             contains(" is a GGUF file, which only programs read that include <tapeless/gguf.hpp>"));
}

TEST_CASE("options say which tensors of a file are taken") {
  const test::temporary_folder folder;
  auto net = trained(tl::adam({}), tl::cpu{});
  tl::save(net, folder.path("net"));
  const tl::function<decltype(other)> fresh{other};
  const tl::function f{
      other, tl::weights(folder.path("net"),
                         {.names = {{"decoder.weight", "none"}}, .only = {"head.*"}, .allow_missing = true})};
  CHECK(numbers(f.parameter<"head.weight">()) == numbers(fresh.parameter<"head.weight">()));
}

TEST_CASE("a function's own parameters are read, written, loaded and saved") {
  const test::temporary_folder folder;
  test::on_each_policy([&]<class Policy>() {
    tl::function f{decoder, Policy{}}, g{decoder, Policy{}, 9};
    const std::vector<float> z{1, 2, 3};
    CHECK(numbers(f("z"_t = z).template get<"y">()) != numbers(g("z"_t = z).template get<"y">()));
    auto weight = f.template parameter<"decoder.weight">();
    weight[0] = 12;
    CHECK(std::as_const(f).template parameter<"decoder.weight">()[0] == 12);
    f.parameters()[0][0] = 14;
    CHECK(std::as_const(f).parameters()[0][0] == 14);
    STATIC_REQUIRE(std::is_const_v<std::remove_reference_t<decltype(std::as_const(f).parameters()[0][0])>>);
    tl::save(f, folder.path("f"));
    tl::load(g, folder.path("f"));
    CHECK(numbers(f("z"_t = z).template get<"y">()) == numbers(g("z"_t = z).template get<"y">()));
    const float before = g("z"_t = z).template get<"y">()[0];
    g.template parameter<"decoder.weight">()[0] = 13;
    CHECK(g("z"_t = z).template get<"y">()[0] != before);
  });
}
