// SPDX-License-Identifier: BSL-1.0
// A checkpoint of a trainer on tl::bare: training goes on bit for bit, and what is anything else changes
// nothing.
#include <tapeless/bare.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "program.hpp"

namespace {

using namespace tl::literals;

constexpr float x[6][4] = {{0.1f, 0.9f}, {0.5f, -0.3f, 0.2f}, {1, 0, 1}, {-0.4f, 0.8f}, {0.7f}, {0, 0, 0, 1}};
constexpr float y[6][2] = {{1, 0}, {0, 1}, {0.5f, 0.5f}, {-1, 0}, {0, 0}, {0.2f, 0.1f}};

constexpr auto regression = [] {
  auto x = tl::input<"x", float, 6, 4>;
  auto y = tl::input<"y", float, 6, 2>;
  auto h = tl::dropout<0.25>(tl::tanh(tl::linear<"a", 12>(x)));
  return tl::mse_loss(tl::linear<"b", 2>(h), y);
};
constexpr auto wider = [] {
  auto x = tl::input<"x", float, 6, 4>;
  auto y = tl::input<"y", float, 6, 2>;
  return tl::mse_loss(tl::linear<"b", 2>(tl::tanh(tl::linear<"a", 13>(x))), y);
};
constexpr auto with_relu = [] {
  auto x = tl::input<"x", float, 6, 4>;
  auto y = tl::input<"y", float, 6, 2>;
  return tl::mse_loss(tl::linear<"b", 2>(tl::relu(tl::linear<"a", 12>(x))), y);
};

template <class Net>
std::vector<unsigned char> checkpoint_of(Net& net) {
  std::vector<unsigned char> bytes(Net::checkpoint_bytes());
  REQUIRE(net.save_checkpoint(bytes.data(), bytes.size()) == static_cast<long>(bytes.size()));
  return bytes;
}
template <class Net>
float train(Net& net, int steps) {
  float loss = 0;
  for (int i = 0; i < steps; ++i) loss = net.step("x"_t = x, "y"_t = y).loss();
  return loss;
}
// Whether the bytes are refused, and nothing is another than before.
template <class Net>
bool is_refused(Net& net, const std::vector<unsigned char>& bytes) {
  const auto before = checkpoint_of(net);
  return !net.load_checkpoint(bytes.data(), bytes.size()) && checkpoint_of(net) == before;
}

}  // namespace

TEST_CASE("training goes on from a checkpoint bit for bit") {
  const auto goes_on = [](auto rule) {
    tl::trainer net{regression, rule, tl::bare{}, 1};
    train(net, 7);
    const auto file = checkpoint_of(net);
    const float wanted = train(net, 5);

    tl::trainer other{regression, rule, tl::bare{}, 2};
    train(other, 3);
    REQUIRE(other.load_checkpoint(file.data(), file.size()));
    CHECK(other.steps() == 7);
    CHECK(train(other, 5) == wanted);  // dropout's masks are the same, and bias correction's steps
    CHECK(checkpoint_of(other) == checkpoint_of(net));
  };
  goes_on(tl::adam({.learning_rate = 1e-2f}));
  goes_on(tl::sgd({.learning_rate = tl::cosine_schedule({.start = 1e-2, .steps = 20})}));
}

TEST_CASE("a checkpoint is a safetensors file with the names of tl::save_checkpoint's") {
  tl::trainer net{regression, tl::adam({.learning_rate = 1e-2f}), tl::bare{}, 1};
  train(net, 2);
  const auto bytes = checkpoint_of(net);
  const test::temporary_folder folder;
  const std::string path = folder.write("bare.safetensors", std::string(bytes.begin(), bytes.end()));
  const auto file = tl::io::safetensors::read(path);

  tl::trainer usual{regression, tl::adam({.learning_rate = 1e-2f}), tl::cpu{.threads = 1}, 1};
  tl::save_checkpoint(usual, folder.path("usual.safetensors"));
  const auto of_usual = tl::io::safetensors::read(folder.path("usual.safetensors"));
  CHECK(file.metadata().at("tapeless.model") == of_usual.metadata().at("tapeless.model"));
  std::size_t count = 0;
  for (const auto& tensor : file) {
    INFO(tensor.name);
    REQUIRE(of_usual[tensor.name].type == tensor.type);
    REQUIRE(of_usual[tensor.name].shape == tensor.shape);
    ++count;
  }
  CHECK(count == 14);  // 4 parameters, two moments of each, and two numbers
  CHECK(file["trainer.steps"].as<std::int64_t>()[0] == 2);
  CHECK(file["b.bias"].as<float>()[1] == net.parameter<"b.bias">()[1]);

  CHECK_THROWS_WITH(tl::load_checkpoint(usual, path),
                    Catch::Contains("a checkpoint of a trainer on tl::bare, which such a trainer's "
                                    "load_checkpoint reads; for its weights alone, load them (tl::load)"));
  tl::load(usual, path);
  CHECK(usual.parameter<"b.bias">()[1] == net.parameter<"b.bias">()[1]);
}

TEST_CASE("what is another checkpoint changes nothing") {
  tl::trainer net{regression, tl::adam({.learning_rate = 1e-2f}), tl::bare{}, 1};
  train(net, 2);
  const auto file = checkpoint_of(net);
  std::vector<unsigned char> room(file.size() - 1, 7);
  CHECK(net.save_checkpoint(room.data(), room.size()) == 0);
  CHECK(room == std::vector<unsigned char>(file.size() - 1, 7));

  CHECK(is_refused(net, std::vector<unsigned char>(file.begin(), file.end() - 1)));
  auto broken = file;
  broken[20] ^= 1;
  CHECK(is_refused(net, broken));
  std::vector<unsigned char> weights(decltype(net)::saved_bytes());
  net.save(weights.data(), weights.size());
  CHECK(is_refused(net, weights));

  tl::trainer of_other_rule{regression, tl::sgd({.learning_rate = 0.1, .momentum = 0.9}), tl::bare{}, 1};
  CHECK(is_refused(net, checkpoint_of(of_other_rule)));
  tl::trainer of_wider{wider, tl::adam({.learning_rate = 1e-2f}), tl::bare{}, 1};
  CHECK(is_refused(net, checkpoint_of(of_wider)));
  tl::trainer of_relu{with_relu, tl::adam({.learning_rate = 1e-2f}), tl::bare{}, 1};
  CHECK(is_refused(net, checkpoint_of(of_relu)));

  // A number of steps that cannot be.
  auto negative = file;
  const std::int64_t steps = -1;
  std::uint64_t header = 0;
  std::memcpy(&header, file.data(), sizeof header);
  std::memcpy(negative.data() + 8 + header, &steps, sizeof steps);  // of the tensors of 8 bytes the first one
  CHECK(is_refused(net, negative));
  CHECK(net.load_checkpoint(file.data(), file.size()));
}
