// SPDX-License-Identifier: BSL-1.0
// save and load: the same bits, PyTorch's names and layouts, and files that do not fit.
#include <tapeless/io/safetensors.hpp>
#include <tapeless/tapeless.hpp>

#include <cstring>
#include <utility>

#include "catch.hpp"
#include "io/temporary_folder.hpp"
#include "parameters.hpp"

namespace tl = tapeless;
using namespace tl::literals;
using test::bytes_of_parameters, test::contains;

namespace {

constexpr auto batch = tl::dyn<"batch">;

constexpr auto mlp = [] {
  auto x = tl::input<"x", float, batch, 4>;
  auto label = tl::input<"label", std::int32_t, batch>;
  return tl::cross_entropy(tl::linear<"fc2", 3>(tl::tanh(tl::linear<"fc1", 8>(x))), label);
};

// Part of the same names, and two element types.
constexpr auto other = [] {
  auto h = tl::linear<"fc1", 8, false>(tl::input<"x", float, batch, 4>);
  auto scale = tl::param<"scale", double>(tl::normal(1));
  return tl::outputs(tl::mean(tl::square(tl::cast<double>(h) * scale)));
};

auto make_net(std::uint64_t seed = 0) {
  return tl::trainer{mlp, tl::adam({.learning_rate = 0.1f}), tl::cpu{}, seed};
}

/// The message of the error that loading a file throws; nothing may have changed.
template <class Net>
std::string refusal(Net& net, const std::string& path) {
  const std::string before = bytes_of_parameters(net);
  try {
    tl::load(net, path);
  } catch (const tl::error& e) {
    CHECK(bytes_of_parameters(net) == before);
    return e.what();
  }
  return "loaded";
}

/// A tensor of zeros.
template <class T>
struct zeros {
  zeros(std::string name, std::vector<std::int64_t> shape) {
    std::size_t count = 1;
    for (const std::int64_t e : shape) count *= static_cast<std::size_t>(e);
    values.assign(count, T(0));
    entry = {std::move(name), tl::element_of<T>, std::move(shape), std::as_bytes(std::span(values))};
  }
  std::vector<T> values;
  tl::io::tensor_entry entry;
};

}  // namespace

TEST_CASE("what is saved is loaded bit for bit") {
  const test::temporary_folder folder;
  auto net = make_net();
  const std::vector<float> x{1, 2, 3, 4, -1, -2, -3, -4};
  const std::vector<std::int32_t> label{0, 2};
  for (int i = 0; i < 3; ++i) net.step("x"_t = x, "label"_t = label);
  net.parameter<"fc2.bias">()[1] = std::numeric_limits<float>::quiet_NaN();
  net.parameter<"fc2.bias">()[2] = -0.0f;
  tl::save(net, folder.path("net.safetensors"));
  CHECK(folder.size() == 1);

  auto fresh = make_net(7);
  CHECK(bytes_of_parameters(fresh) != bytes_of_parameters(net));
  tl::load(fresh, folder.path("net.safetensors"));
  CHECK(bytes_of_parameters(fresh) == bytes_of_parameters(net));
  tl::save(std::as_const(fresh), folder.path("again.safetensors"), {});
  CHECK(test::bytes_of(folder.path("again.safetensors")) == test::bytes_of(folder.path("net.safetensors")));
}

TEST_CASE("names, types and layouts are PyTorch's") {
  const test::temporary_folder folder;
  auto net = make_net();
  tl::save(net, folder.path("net"));
  const auto file = tl::io::safetensors::read(folder.path("net"));
  CHECK(file.size() == 4);
  using shape = std::vector<std::int64_t>;
  CHECK(file["fc1.weight"].shape == shape{8, 4});
  CHECK(file["fc1.bias"].shape == shape{8});
  CHECK(file["fc2.weight"].shape == shape{3, 8});
  CHECK(file["fc2.bias"].shape == shape{3});
  const auto saved = file["fc1.weight"].as<float>();
  const auto held = net.parameter<"fc1.weight">();
  CHECK(std::equal(saved.begin(), saved.end(), held.begin(), held.end()));

  // Row o of the weight belongs to output o: by hand, from the file alone.
  const std::vector<float> x{0.5f, -1, 2, 0.25f};
  constexpr auto layer = [] {
    return tl::outputs(tl::named<"y">(tl::linear<"fc1", 8>(tl::input<"x", float, 4>)));
  };
  tl::function f{layer};
  const auto y = f("x"_t = x).get<"y">();
  for (std::size_t o = 0; o < 8; ++o) {
    float sum = 0;
    for (std::size_t i = 0; i < 4; ++i) sum += saved[4 * o + i] * x[i];
    CHECK(y[o] == test::Approx(sum).margin(1e-6));
  }
}

TEST_CASE("scalars and other element types") {
  const test::temporary_folder folder;
  tl::trainer net{other, tl::sgd({})}, fresh{other, tl::sgd({}), tl::cpu{}, 5};
  tl::save(net, folder.path("net"));
  const auto file = tl::io::safetensors::read(folder.path("net"));
  CHECK(file["scale"].shape.empty());
  CHECK(file["scale"].as<double>()[0] == net.parameter<"scale">()[0]);
  tl::load(fresh, folder.path("net"));
  CHECK(bytes_of_parameters(fresh) == bytes_of_parameters(net));
}

TEST_CASE("saving replaces a file, and needs a folder") {
  const test::temporary_folder folder;
  auto net = make_net(), fresh = make_net(1);
  const std::string path = folder.write("net", "something else");
  tl::save(net, path);
  tl::load(fresh, path);
  CHECK(bytes_of_parameters(fresh) == bytes_of_parameters(net));
  CHECK_THROWS_AS(tl::save(net, folder.path("missing/net")), tl::error);
  CHECK_THROWS_WITH(tl::save(net, folder.path("missing/net")), contains("missing/net"));
}

TEST_CASE("a part of the parameters is saved, and loaded into a net of other weights") {
  const test::temporary_folder folder;
  const std::string path = folder.path("part");
  auto net = make_net(), fresh = make_net(7);
  tl::save(net, path, {.only = {"fc2.*", "*1.bi?s"}});
  const auto file = tl::io::safetensors::read(path);
  CHECK(file.size() == 3);
  CHECK(file.find("fc1.weight") == nullptr);
  const float kept = fresh.parameter<"fc1.weight">()[5];
  CHECK_THAT(refusal(fresh, path), contains("missing in the file: \"fc1.weight\""));
  tl::load(fresh, path, {.allow_missing = true});
  CHECK(fresh.parameter<"fc1.weight">()[5] == kept);
  CHECK(fresh.parameter<"fc2.weight">()[5] == net.parameter<"fc2.weight">()[5]);

  tl::save(net, path, {.add_prefix = "model.", .only = {"fc2.bias"}});
  const auto renamed = tl::io::safetensors::read(path);
  CHECK((renamed.size() == 1 && renamed.begin()->name == "model.fc2.bias"));
  const std::string before = test::bytes_of(path);
  CHECK(test::error_of([&] { tl::save(net, path, {.only = {"fc2.*", "*.lora_?"}}); }) ==
        "tapeless: " + path +
            ": no parameter of the model fits \"*.lora_?\"; there are \"fc1.weight\", \"fc1.bias\", "
            "\"fc2.weight\", \"fc2.bias\"");
  CHECK(test::bytes_of(path) == before);

  const tl::function f{mlp, tl::weights(fresh)};
  tl::save(f, path, {.only = {"fc1.weight"}});
  const auto of_function = tl::io::safetensors::read(path);
  CHECK((of_function.size() == 1 && of_function["fc1.weight"].as<float>()[5] == kept));

  tl::trainer half{mlp, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  tl::save(half, path, tl::masters, {.only = {"*.bias"}});
  const auto masters = tl::io::safetensors::read(path);
  CHECK((masters.size() == 2 && masters["fc1.bias"].type == tl::element::f32));
}

TEST_CASE("files that do not fit change nothing") {
  const test::temporary_folder folder;
  auto net = make_net();
  const zeros<float> weight1("fc1.weight", {8, 4}), bias1("fc1.bias", {8}), weight2("fc2.weight", {3, 8}),
      bias2("fc2.bias", {3});
  const auto write = [&](std::vector<tl::io::tensor_entry> entries) {
    tl::io::write_safetensors(folder.path("net"), entries);
    return folder.path("net");
  };

  SECTION("a parameter is missing") {
    const std::string message = refusal(net, write({weight1.entry, bias1.entry, weight2.entry}));
    CHECK(message == "tapeless: " + folder.path("net") + ": missing in the file: \"fc2.bias\"");
  }
  SECTION("another shape") {
    const zeros<float> transposed("fc2.weight", {8, 3}), flat("fc2.bias", {3, 1});
    CHECK_THAT(refusal(net, write({weight1.entry, bias1.entry, transposed.entry, bias2.entry})),
               contains("the parameter \"fc2.weight\" is float[3, 8], but the file holds float[8, 3]"));
    CHECK_THAT(refusal(net, write({weight1.entry, bias1.entry, weight2.entry, flat.entry})),
               contains("the parameter \"fc2.bias\" is float[3], but the file holds float[3, 1]"));
  }
  SECTION("another element type") {
    const zeros<double> wide("fc2.bias", {3});
    CHECK_THAT(refusal(net, write({weight1.entry, bias1.entry, weight2.entry, wide.entry})),
               contains("the parameter \"fc2.bias\" is float[3], but the file holds double[3]"));
  }
  SECTION("more tensors than the model knows are no error") {
    const zeros<double> more("fc3.bias", {3});
    CHECK(refusal(net, write({more.entry, weight1.entry, bias1.entry, weight2.entry, bias2.entry})) ==
          "loaded");
    CHECK(bytes_of_parameters(net) == std::string(bytes_of_parameters(net).size(), '\0'));
  }
  SECTION("a truncated file") {
    tl::save(net, folder.path("net"));
    const std::string bytes = test::bytes_of(folder.path("net"));
    for (const std::size_t size :
         {std::size_t(0), std::size_t(5), std::size_t(20), bytes.size() / 2, bytes.size() - 1}) {
      INFO(size << " of " << bytes.size() << " bytes");
      const std::string message = refusal(net, folder.write("short", bytes.substr(0, size)));
      CHECK_THAT(message, contains(folder.path("short")));
      CHECK_THAT(message, contains("tapeless: "));
    }
    CHECK_THAT(refusal(net, folder.write("short", bytes.substr(0, 5))),
               contains("expected a safetensors file, found only 5 bytes"));
  }
  SECTION("no file") { CHECK_THAT(refusal(net, folder.path("nothing")), contains(folder.path("nothing"))); }
}
