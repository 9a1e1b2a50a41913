// SPDX-License-Identifier: BSL-1.0
// Training that goes on from a file goes on bit for bit.
#include <tapeless/tapeless.hpp>

#include <fstream>
#include <limits>
#include <span>

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

namespace {

/// The file with another number in place of one of the trainer's.
void write_changed(const tl::io::safetensors& file, const std::string& path, std::string_view name,
                   std::int64_t number) {
  std::vector<tl::io::tensor_entry> entries(file.begin(), file.end());
  for (auto& e : entries)
    if (e.name == name) e.bytes = std::as_bytes(std::span(&number, 1));
  tl::io::write_safetensors(path, entries, file.metadata());
}

/// Checks that the file is refused with this text, and that the trainer stays as it is.
template <class Net>
void check_refused(Net& net, const std::string& path, const std::string& text) {
  const test::temporary_folder folder;
  const auto state = [&](const std::string& name) {
    tl::save_checkpoint(net, folder.path(name));
    std::ifstream file(folder.path(name), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string before = state("before");
  CHECK_THROWS_AS(tl::load_checkpoint(net, path), tl::error);
  CHECK_THROWS_WITH(tl::load_checkpoint(net, path), test::contains(text));
  CHECK((state("after") == before));
}

constexpr auto small = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
  return tl::mean(tl::square(tl::tanh(tl::linear<"fc", 2>(x)) - 1_c));
};
const std::vector<float> three{0.5f, 1, -1};

template <class Net>
void train(Net& net) {
  for (int i = 0; i < 3; ++i) net.step("x"_t = three);
}

}  // namespace

TEST_CASE("evaluations that draw random numbers go on, and a file of none is as it was before") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors"), changed = folder.path("changed.safetensors");
  constexpr auto noisy = [] {
    auto y = tl::linear<"fc", 2>(tl::input<"x", float, tl::dyn<"batch">, 3>);
    return tl::mean(tl::square(y + tl::uniform_like<"noise">(y)));
  };
  tl::trainer net{noisy, tl::accumulate(2, tl::adam({}))}, other{noisy, tl::accumulate(2, tl::adam({}))};
  train(net);
  tl::save_checkpoint(net, path);
  const auto before = tl::io::safetensors::read(path);
  CHECK(before.find("trainer.evaluations") == nullptr);
  const float first = net.evaluate("x"_t = three).loss();
  net.evaluate("x"_t = three);
  other.evaluate("x"_t = three);
  tl::load_checkpoint(other, path);
  CHECK(other.evaluate("x"_t = three).loss() == first);
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  CHECK(other.evaluate("x"_t = three).loss() == net.evaluate("x"_t = three).loss());
  CHECK(other.step("x"_t = three).loss() == net.step("x"_t = three).loss());

  const auto file = tl::io::safetensors::read(path);
  write_changed(file, changed, "trainer.evaluations", -1);
  check_refused(net, changed, "\"trainer.evaluations\" is -1; it must be from 0 to");
}

TEST_CASE("a file that does not fit is refused, and changes nothing") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors"), changed = folder.path("changed.safetensors");
  tl::trainer net{small, tl::accumulate(2, tl::adam({}))};
  train(net);
  tl::save(net, path);
  check_refused(net, path, "it is no checkpoint, but may hold weights, which tl::load reads");
  tl::save_checkpoint(net, path);
  const auto file = tl::io::safetensors::read(path);

  SECTION("numbers that cannot be") {
    const auto check = [&](std::string_view name, std::int64_t number, const std::string& text) {
      write_changed(file, changed, name, number);
      check_refused(net, changed, changed + ": \"" + std::string(name) + "\" is " + text);
    };
    check("trainer.steps", -5, "-5; it must be from 0 to 9007199254740992");
    check("trainer.steps", std::numeric_limits<std::int64_t>::max(), "9223372036854775807; it must be");
    check("trainer.collected", -1, "-1; it must be from 0 to 2147483647");
    check("trainer.collected", std::int64_t{1} << 32, "4294967296; it must be");
    check("trainer.fit.pass", -1, "-1; it must be");
    check("trainer.fit.batches", -1, "-1; it must be");
    check("trainer.fit.batch", 1, "1; it must be from 0 to 0");
    write_changed(file, changed, "trainer.collected", 0);  // but there are gradients
    check_refused(net, changed, "\"gradient.fc.weight\" belongs to nothing that this trainer has");
    CHECK_THROWS_WITH(net.set_position({.steps = -1}),
                      test::contains("set_position: \"trainer.steps\" is -1"));
  }
  SECTION("a tensor more, a tensor less, another shape") {
    std::vector<tl::io::tensor_entry> entries(file.begin(), file.end());
    auto more = entries, less = entries, other = entries;
    more.push_back({"adam.mu.fc2.weight", tl::element::f32, {1}, std::as_bytes(std::span(three).first(1))});
    tl::io::write_safetensors(changed, more, file.metadata());
    check_refused(net, changed, "\"adam.mu.fc2.weight\" belongs to nothing that this trainer has");
    less.erase(std::find_if(less.begin(), less.end(), [](auto& e) { return e.name == "adam.nu.fc.bias"; }));
    tl::io::write_safetensors(changed, less, file.metadata());
    check_refused(net, changed, "no tensor \"adam.nu.fc.bias\"");
    for (auto& e : other)
      if (e.name == "adam.nu.fc.bias") e.shape = {1, 2};
    tl::io::write_safetensors(changed, other, file.metadata());
    check_refused(net, changed, "\"adam.nu.fc.bias\" is float[2], but the file holds float[1, 2]");
  }
  SECTION("a file that does not say whose it is") {
    tl::io::write_safetensors(changed, std::vector<tl::io::tensor_entry>(file.begin(), file.end()));
    check_refused(net, changed, "does not say of what model and rule it is a checkpoint");
  }
}

TEST_CASE("a checkpoint of another rule is refused, other numbers of the same are not") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{small, tl::adamw({.learning_rate = 0.05})};
  train(net);
  tl::save_checkpoint(net, path);
  const auto refuses = [&](const auto& rule, const std::string& text) {
    tl::trainer other{small, rule};
    check_refused(other, path, text);
  };
  refuses(tl::lamb({}),
          "the file is of a trainer with another rule, chain(scale_by_adam, add_decayed_weights, "
          "scale_by_learning_rate), but this one's is chain(scale_by_adam, add_decayed_weights, "
          "scale_by_trust_ratio, scale_by_learning_rate)");
  refuses(tl::adam({}),
          "but this one's is chain(add_decayed_weights, scale_by_adam, scale_by_learning_rate)");
  refuses(tl::sgd({}), "but this one's is chain(add_decayed_weights, scale_by_learning_rate)");
  refuses(tl::average(tl::adamw({})), "but this one's is average(chain(");
  refuses(tl::masked(tl::adamw({}), tl::matrices), "scale_by_adam for 1 of 2 parameters");
  refuses(tl::mixed_precision<tl::bf16>(tl::adamw({})), "but this one's is mixed_precision<bf16>(chain(");
  refuses(tl::lbfgs(), "but this one's is lbfgs()");

  tl::trainer same{small, tl::adamw({.learning_rate = tl::linear_schedule({.steps = 5}), .beta1 = 0.8})};
  tl::load_checkpoint(same, path);
  CHECK(same.steps() == 3);
  CHECK(test::elements(same.state<"adam.mu", "fc.weight">()) ==
        test::elements(net.state<"adam.mu", "fc.weight">()));
}

TEST_CASE("rules for other parameters are other rules") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{small, tl::chain(tl::masked(tl::add_decayed_weights(0.1), tl::names_like<"*.weight">),
                                   tl::scale_by_learning_rate(0.1))};
  tl::trainer other{small, tl::chain(tl::masked(tl::add_decayed_weights(0.1), tl::names_like<"*.bias">),
                                     tl::scale_by_learning_rate(0.1))};
  tl::trainer same{small, tl::chain(tl::masked(tl::add_decayed_weights(0.2), tl::matrices),
                                    tl::scale_by_learning_rate(0.1))};
  tl::save_checkpoint(net, path);
  check_refused(other, path, "add_decayed_weights for 1 of 2 parameters");
  tl::load_checkpoint(same, path);
}

TEST_CASE("a checkpoint of another model is refused") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{small, tl::sgd({})};
  tl::save_checkpoint(net, path);
  const auto refuses = [&](auto model, const std::string& text) {
    tl::trainer other{model, tl::sgd({})};
    check_refused(other, path, text);
  };
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::square(tl::sin(tl::linear<"fc", 2>(x)) - 1_c));
      },
      "the file is of a trainer of another model: this one has sin, the file's does not");
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::square(tl::tanh(tl::tanh(tl::linear<"fc", 2>(x))) - 1_c));
      },
      "another model: the file's has 1 of tanh, this one 2");
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::square(tl::tanh(tl::linear<"fc", 2>(x)) - 2_c));
      },
      "another model: the operations are the same, but not their numbers, their shapes or their order");
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::tanh(tl::square(tl::linear<"fc", 2>(x)) - 1_c));
      },
      "their order");
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::square(tl::tanh(tl::linear<"fc1", 2>(x)) - 1_c));
      },
      "no tensor \"fc1.weight\"");
  refuses(
      [] {
        auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
        return tl::mean(tl::square(tl::tanh(tl::linear<"fc", 4>(x)) - 1_c));
      },
      "\"fc.weight\" is float[4, 3], but the file holds float[2, 3]");

  // What is shown besides the loss, and how parameters start, may change.
  tl::trainer same{[] {
                     auto x = tl::input<"x", float, tl::dyn<"batch">, 3>;
                     auto weight = tl::param<"fc.weight", float, 2, 3>;
                     auto bias = tl::param<"fc.bias", float, 2>;
                     auto h = tl::tanh(tl::linear(x, weight, bias));
                     return tl::outputs(tl::mean(tl::square(h - 1_c)), tl::named<"h">(h));
                   },
                   tl::sgd({})};
  tl::load_checkpoint(same, path);
}

TEST_CASE("the number of a model is the same for all compilers, policies and options") {
  // Of another number are models of operations that are put together in another way than before.
  const auto number = [](auto m) { return tl::detail::summary_of_model<decltype(m)>().hash; };
  CHECK(number(small) == 0xfe0cfa7fff5b5966);
  CHECK(number(model) == 0xed4affea2bfb807d);
  CHECK(number([] {
          auto x = tl::input<"x", float, tl::dyn<"batch">, tl::dyn<"time">, 4>;
          auto [y, last] = tl::gru<"gru", 8, tl::recurrent{}>(x);
          return tl::mean(tl::square(tl::concat<1>(y, tl::slice<1, 0, 1>(y)))) + tl::sum(last);
        }) == 0xbce17a635a1eb999);
  CHECK(tl::detail::summary_of_model<std::remove_cvref_t<decltype(small)>>().operations ==
        "* 1, + 1, - 1, / 1, cast 1, constant 2, input 1, matmul 1, param 2, permute 1, size 1, square 1, "
        "sum 1, tanh 1");
}

TEST_CASE("parameters may be named like what is the trainer's") {
  constexpr auto named = [] {
    return tl::sum(tl::square(tl::param<"trainer.x", float, 3>(tl::fill(1)) +
                              tl::param<"gradient.trainer", float, 3>(tl::fill(1))));
  };
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{named, tl::sgd({.learning_rate = 0.1})}, other{named, tl::sgd({.learning_rate = 0.1})};
  net.step();
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  CHECK(other.parameter<"trainer.x">()[0] != 1);
  CHECK(test::elements(other.parameter<"trainer.x">()) == test::elements(net.parameter<"trainer.x">()));
  CHECK(test::elements(other.parameter<"gradient.trainer">()) ==
        test::elements(net.parameter<"gradient.trainer">()));
}

TEST_CASE("gradients that wait here are forgotten where none wait in the file") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  tl::trainer net{small, tl::accumulate(2, tl::adam({}))}, other{small, tl::accumulate(2, tl::adam({}))};
  net.step("x"_t = three);
  net.step("x"_t = three);
  other.step("x"_t = three);
  tl::save_checkpoint(net, path);
  tl::load_checkpoint(other, path);
  train(net);
  train(other);
  CHECK(test::elements(net.parameter<"fc.weight">()) == test::elements(other.parameter<"fc.weight">()));
}

TEST_CASE("the history of lbfgs counts nothing that cannot be") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors"), changed = folder.path("changed.safetensors");
  tl::trainer net{small, tl::lbfgs({.history = 3})};
  train(net);
  tl::save_checkpoint(net, path);
  const auto file = tl::io::safetensors::read(path);
  write_changed(file, changed, "lbfgs.stored", -4);
  check_refused(net, changed, "\"lbfgs.stored\" is -4; it must be from 0 to");
  write_changed(file, changed, "trainer.collected", 1);
  CHECK_THROWS_AS(tl::load_checkpoint(net, changed), tl::error);
  tl::trainer longer{small, tl::lbfgs({.history = 4})};
  check_refused(longer, path, "\"lbfgs.s\" is double[4, 8], but the file holds double[3, 8]");
}

TEST_CASE("numbers that hyperparameters were set to go on, too") {
  constexpr auto two = [] {
    return tl::square(tl::param<"a", double>(tl::fill(1))) + tl::square(tl::param<"b", double>(tl::fill(1)));
  };
  const auto make = [&](double rate) {
    return tl::trainer{
        two, tl::partition(tl::for_parameters<"first">(tl::names_like<"a">, tl::sgd({.learning_rate = rate})),
                           tl::sgd({.learning_rate = rate}))};
  };
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  auto first = make(0.1), second = make(0.2), third = make(0.3);
  first.step();
  tl::save_checkpoint(first, path);
  const auto file = tl::io::safetensors::read(path);
  CHECK(file.find("trainer.hyperparameters") == nullptr);
  third.set<"learning_rate">(0.7);  // not so there
  tl::load_checkpoint(third, path);
  CHECK(third.get<"learning_rate">() == 0.3);
  first.set<"first.learning_rate">(0.5);
  tl::save_checkpoint(first, path);
  tl::load_checkpoint(second, path);
  CHECK(second.get<"first.learning_rate">() == 0.5);
  CHECK(second.get<"rest.learning_rate">() == 0.2);
  second.step();
  CHECK(second.parameter<"a">()[0] == 0);
  CHECK(second.parameter<"b">()[0] == test::Approx(0.8 * 0.6));
  second.set<"learning_rate">([](std::int64_t) { return 0.25; });  // a schedule takes the number's place
  CHECK(second.get<"learning_rate">() == 0.25);

  std::string wrong = test::bytes_of(path);
  const double half = 0.5, minus = -0.5;
  wrong.replace(wrong.find(std::string(reinterpret_cast<const char*>(&half), sizeof half)), sizeof minus,
                std::string(reinterpret_cast<const char*>(&minus), sizeof minus));
  folder.write("net.safetensors", wrong);
  CHECK_THROWS_WITH(tl::load_checkpoint(third, path),
                    test::contains("\"first.learning_rate\" is -0.5; it must be 0 or more"));
  CHECK(third.steps() == 1);
  CHECK(third.get<"first.learning_rate">() == 0.3);
}
