// SPDX-License-Identifier: BSL-1.0
// The guides of lifetimes, threads, exceptions, files and numbers.
#include <tapeless/bytes.hpp>
#include <tapeless/data/csv.hpp>
#include <tapeless/gguf.hpp>
#include <tapeless/numpy.hpp>
#include <tapeless/tapeless.hpp>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;

constexpr auto model = [] {
  auto x = tl::input<"x", float, batch, 3>;
  auto y = tl::named<"y">(tl::linear<"fc", 2>(x));
  return tl::outputs(tl::mean(tl::square(y)), y);
};

auto make_net(int seed) {
  return tl::trainer{model, tl::adam({}), tl::cpu{}, static_cast<std::uint64_t>(seed)};
}

int failures = 0;
void check(bool holds, const char* what) {
  if (!holds) std::printf("wrong: %s\n", what), ++failures;
}

void results_are_views() {
  tl::trainer net{model, tl::adam({})};
  const std::vector<float> x{1, 2, 3};
  auto first = net.predict("x"_t = x);
  auto kept = first.get<"y">().copy();  // a tensor of its own
  net.predict("x"_t = x);
  try {
    first.get<"y">();
    check(false, "an outdated result can be read");
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
  }
  check(kept.size() == 2, "a copy has the shape");
}

void trainers_move() {
  std::vector<decltype(make_net(0))> ensemble;
  for (int seed = 0; seed < 3; ++seed) ensemble.push_back(make_net(seed));
  float loss = 0;
  for (auto& net : ensemble) loss += net.step("x"_t = std::vector<float>{1, 2, 3}).loss() / 3;
  check(loss > 0, "three trainers have stepped");
}

void a_trainer_for_each_thread() {
  std::vector<float> losses(4);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&losses, t] {
      tl::trainer net{model, tl::adam({}), tl::cpu{}, 42};  // its own memory; the same seed
      losses[t] = net.step("x"_t = std::vector<float>{1, 2, 3}).loss();
    });
  for (std::thread& thread : threads) thread.join();
  for (float loss : losses) check(loss == losses[0], "equal seeds give equal numbers");
}

void functions_on_trained_weights() {
  tl::trainer net = make_net(1);
  tl::save(net, "net.safetensors");
  constexpr auto part = tl::only<"y">(model);  // without the loss, and what only that needs
  const tl::function from_file{part, tl::weights("net.safetensors")};
  const tl::function shared{part, tl::weights(net)};  // the trainer's own memory
  const std::vector<float> x{1, 2, 3};
  net.step("x"_t = x);

  std::vector<std::thread> threads;  // calls are const: any number at once
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      auto y = shared("x"_t = x).get<"y">();
      check(y[0] != from_file("x"_t = x).get<"y">()[0], "the trainer has gone on");
    });
  for (std::thread& thread : threads) thread.join();
}

/// A function whose weights are exchanged while any number of threads call it.
class served_function {
 public:
  using function = decltype(tl::function{model, tl::weights("")});

  explicit served_function(const char* path) { load(path); }

  /// The one to call now; who holds it calls on with its weights.
  std::shared_ptr<const function> now() const {
    const std::lock_guard lock(mutex_);
    return now_;
  }
  /// Throws an error, and calls go on as before, where the file does not fit.
  void load(const char* path) { put(std::make_shared<function>(model, tl::weights(path))); }
  /// The weights that a trainer has now, which goes on with its own. In the thread that trains.
  template <class Net>
  void copy(Net& net) {
    const auto next = std::make_shared<function>(model);
    tl::copy_parameters(net, *next);
    put(next);
  }

 private:
  void put(std::shared_ptr<const function> next) {
    const std::lock_guard lock(mutex_);
    now_.swap(next);  // the old one goes with who called it last
  }

  mutable std::mutex mutex_;
  std::shared_ptr<const function> now_;
};

void weights_are_exchanged() {
  const std::vector<float> x{1, 2, 3};
  tl::trainer net = make_net(1);
  tl::save(net, "net.safetensors");
  const float first = net.predict("x"_t = x).get<"y">()[0];
  served_function served("net.safetensors");

  std::atomic<bool> goes_on = true;
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([&] {
      while (goes_on) {
        const float y = (*served.now())("x"_t = x).get<"y">()[0];
        if (y != first) goes_on = false;
      }
    });
  net.step("x"_t = x);
  tl::save(net, "net.safetensors");
  served.load("net.safetensors");
  for (std::thread& thread : threads) thread.join();
  check((*served.now())("x"_t = x).get<"y">()[0] == net.predict("x"_t = x).get<"y">()[0], "the new weights");
  net.step("x"_t = x);
  served.copy(net);
  check((*served.now())("x"_t = x).get<"y">()[0] == net.predict("x"_t = x).get<"y">()[0], "the trainer's");
}

void weights_of_other_names() {
  tl::trainer net = make_net(1), other = make_net(2);
  tl::save(net, "net.safetensors");
  tl::load(other, "net.safetensors", {.only = {"*.weight"}});
  tl::soft_update(net, other, 0.1f);  // other = 0.9 other + 0.1 net, by name
  const auto before = tl::snapshot(net);
  net.step("x"_t = std::vector<float>{1, 2, 3});
  tl::restore(net, before);  // parameters, states, steps
  check(net.steps() == 0, "back at the start");
}

void a_part_of_the_weights() {
  tl::trainer net = make_net(1), other = make_net(2);
  tl::save(net, "part.safetensors", {.only = {"*.bias"}});  // LoRA's, say: {"*.lora_?"}
  tl::load(other, "part.safetensors", {.allow_missing = true});
  check(other.parameter<"fc.bias">()[0] == net.parameter<"fc.bias">()[0], "from the file");
  check(other.parameter<"fc.weight">()[0] != net.parameter<"fc.weight">()[0], "as it was");
}

// The same layers: with two matrices each, as they are published, and as one parameter of all.
constexpr auto layers_apart = [] {
  auto x = tl::input<"x", float, batch, 4>;
  return tl::outputs(tl::named<"y">(tl::repeat<2>(x, []<int I>(auto h) {
    constexpr auto layer = tl::name{"model.layers."} + I;
    return tl::tanh(tl::concat<1>(tl::linear<layer + ".q_proj", 2>(h), tl::linear<layer + ".k_proj", 2>(h)));
  })));
};
constexpr auto layers_joined = [] {
  auto x = tl::input<"x", float, batch, 4>;
  return tl::outputs(tl::named<"y">(tl::scan<2>(x, [](auto h) { return tl::tanh(tl::linear<"in", 4>(h)); })));
};

void joined_weights() {
  const tl::function published{layers_apart};
  tl::save(published, "layers.safetensors");
  const tl::function net{
      layers_joined,
      tl::weights("layers.safetensors", {.strip_prefix = "model.",
                                         .join = {{"in.*", {"layers.#.q_proj.*", "layers.#.k_proj.*"}}}})};
  const std::vector<float> x{1, 2, 3, 4};
  check(net("x"_t = x).get<"y">()[3] == published("x"_t = x).get<"y">()[3], "the same layers");
}

void weights_in_memory() {
  tl::trainer net = make_net(1), other = make_net(2);
  const std::vector<std::byte> bytes = tl::save_bytes(net);
  tl::load_bytes(other, bytes);  // anything of bytes: an array, a std::string, what #embed makes
  check(tl::save_bytes(other) == bytes, "the same weights");
  const tl::function f{model, tl::weights(bytes)};  // std::byte or unsigned char, which are copied
  check(f.parameter<"fc.weight">()[0] == net.parameter<"fc.weight">()[0], "those, too");
}

void errors_change_nothing() {
  tl::trainer net{model, tl::adam({})};
  const float before = net.parameter<"fc.weight">()[0];
  try {
    net.step("x"_t = std::vector<float>{1, 2});
    check(false, "two numbers are no rows of three");
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
  }
  check(net.parameter<"fc.weight">()[0] == before && net.steps() == 0, "what throws leaves no trace");
}

void goes_on_from_a_file() {
  const std::vector<float> x{1, 2, 3};
  tl::trainer net{model, tl::adam({})};
  net.step("x"_t = x);
  tl::save_checkpoint(net, "net.checkpoint");
  net.step("x"_t = x);

  tl::trainer again{model, tl::adam({})};
  tl::load_checkpoint(again, "net.checkpoint");
  again.step("x"_t = x);
  for (int i = 0; i < 6; ++i)
    check(again.parameter<"fc.weight">()[i] == net.parameter<"fc.weight">()[i], "bit for bit");
}

void files_of_others() {
  tl::trainer net = make_net(1), other = make_net(2);
  tl::save_npz(net, "net.npz");  // numpy.load("net.npz")["fc.weight"]
  tl::load_npz(other, "net.npz");
  tl::save_gguf(net, "net.gguf", {{"general.name", "two outputs"}, {"net.inputs", std::uint32_t{3}}});
  tl::load_gguf(other, "net.gguf", {.only = {"*.weight"}});
  const auto file = tl::io::gguf::read("net.gguf");
  check(file["fc.weight"].as<float>()[0] == other.parameter<"fc.weight">()[0], "the same weight");
  check(std::get<std::uint32_t>(file.metadata().at("net.inputs")) == 3, "the value under a key");
}

void arrays_of_numpy() {
  tl::io::write_npy("x.npy", make_net(1).parameter<"fc.weight">());  // any result, or a shape and a span
  tl::io::write_npy<std::int32_t>("y.npy", {2}, std::vector<std::int32_t>{7, 8});
  const auto set = tl::data::npy({{"x", "x.npy"}, {"label", "y.npy"}});
  check(set.size() == 2 && set.column("x").sample_shape[0] == 3, "two samples of three numbers");
  const auto array = tl::io::read_npy("x.npy");  // without a dataset
  check(array.shape == std::vector<std::int64_t>{2, 3} && array.as<float>().size() == 6, "a tensor");
}

void columns_of_csv() {
  std::ofstream("flowers.csv") << "id,petal length,petal width,species\n"
                                  "1,1.4,0.2,setosa\n"
                                  "2,4.7,,versicolor\n";
  const auto [set, class_names] =
      tl::data::csv("flowers.csv", {{.name = "x", .from = {"petal *"}, .missing = -1},  // float [2]
                                    {.name = "label", .from = {"species"}, .classes = true}});
  check(set.column("x").sample<float>(1)[1] == -1, "stands for the missing value");
  check(class_names.at("label")[1] == "versicolor", "classes are numbered by their names");
  try {
    tl::data::csv("flowers.csv", {{.name = "width", .from = {"petal width"}}});
  } catch (const tl::error& e) {
    std::printf("%s\n", e.what());
  }
}

void numbers_at_the_ends() {
  tl::function f{[] {
    auto x = tl::input<"x", float, 4>;
    return tl::outputs(tl::named<"max">(tl::max(x)), tl::named<"softmax">(tl::softmax(x)),
                       tl::named<"relu">(tl::relu(x)));
  }};
  const float infinity = std::numeric_limits<float>::infinity();
  auto r = f("x"_t = std::vector<float>{-infinity, 0, 1000, 1000});
  check(r.get<"softmax">()[0] == 0 && r.get<"softmax">()[3] == 0.5f, "softmax without overflow");
  auto s = f("x"_t = std::vector<float>{0, NAN, 1, 2});
  check(std::isnan(s.get<"max">()[0]) && std::isnan(s.get<"relu">()[1]), "NaN is passed on");
}

int main() {
  results_are_views();
  trainers_move();
  a_trainer_for_each_thread();
  functions_on_trained_weights();
  weights_are_exchanged();
  weights_of_other_names();
  a_part_of_the_weights();
  joined_weights();
  weights_in_memory();
  errors_change_nothing();
  goes_on_from_a_file();
  files_of_others();
  arrays_of_numpy();
  columns_of_csv();
  numbers_at_the_ends();
  return failures;
}
