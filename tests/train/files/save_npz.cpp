// SPDX-License-Identifier: BSL-1.0
// save_npz, load_npz, save_gguf, load_gguf: the same bits in other formats.
#include <tapeless/gguf.hpp>
#include <tapeless/numpy.hpp>
#include <tapeless/tapeless.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "catch.hpp"
#include "io/file_parts.hpp"
#include "io/gguf_parts.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto mlp = [] {
  auto x = tl::input<"x", float, 2, 3>;
  return tl::mean(tl::square(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 4>(x)))));
};
const std::vector<float> x{1, -2, 3, 0.5f, 1, -1};

using trainer = decltype(tl::trainer{mlp, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.01f}))});
trainer make_net(std::uint64_t seed) {
  return trainer{mlp, tl::mixed_precision<tl::bf16>(tl::sgd({.learning_rate = 0.01f})), tl::cpu{}, seed};
}

float loss(trainer& net) { return net.evaluate("x"_t = x).loss(); }

std::string error_of_load(trainer& net, const std::string& path, const tl::load_options& options = {}) {
  return test::error_of(
      [&] { path.ends_with(".npz") ? tl::load_npz(net, path, options) : tl::load_gguf(net, path, options); });
}

}  // namespace

TEST_CASE("parameters go into an NPZ file and come back") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.npz");
  trainer net = make_net(1), other = make_net(2), third = make_net(3);
  net.step("x"_t = x);
  REQUIRE(loss(net) != loss(other));
  tl::save_npz(net, path);  // NumPy has no bf16
  const auto file = tl::io::npz::read(path);
  CHECK(file.size() == 4);
  CHECK(file["fc1.weight"].type == tl::element::f32);
  CHECK(file["fc1.weight"].shape == std::vector<std::int64_t>{4, 3});
  tl::load_npz(other, path, {.convert = true});
  CHECK(loss(other) == loss(net));
  tl::save_npz(net, path, tl::masters);
  const auto masters = tl::io::npz::read(path);
  CHECK(masters["fc1.weight"].as<float>()[3] != file["fc1.weight"].as<float>()[3]);
  tl::load_npz(third, path);
  CHECK(loss(third) == loss(net));
}

TEST_CASE("weights of a file are read in the format that it has") {
  const test::temporary_folder folder;
  tl::trainer net{mlp, tl::sgd({}), tl::cpu{}, 7};
  const float expected = net.evaluate("x"_t = x).loss();
  tl::save(net, folder.path("a"));
  tl::save_npz(net, folder.path("b"));
  tl::save_gguf(net, folder.path("c"));
  for (const char* name : {"a", "b", "c"}) {
    const tl::function f{mlp, tl::weights(folder.path(name))};
    CHECK(f("x"_t = x).loss() == expected);
    tl::trainer other{mlp, tl::sgd({}), tl::cpu{}, 8};
    tl::load(other, folder.path(name));
    CHECK(other.evaluate("x"_t = x).loss() == expected);
  }
  for (const char* zip : {"PK\3\4, and then nothing", "PK\5\6, and then nothing"})
    CHECK_THAT(test::error_of([&] { tl::function{mlp, tl::weights(folder.write("d", zip))}; }),
               test::contains("ZIP"));
  CHECK_THAT(test::error_of([&] { tl::function{mlp, tl::weights(folder.write("e", "G"))}; }),
             test::contains("expected a safetensors file, found only 1 bytes"));
  tl::io::write_npy(folder.path("f.npy"), net.parameter<"fc1.weight">());
  CHECK(test::missing_in(test::error_of([&] { tl::load(net, folder.path("f.npy")); }),
                         {folder.path("f.npy") + ": it is a single array of NumPy's"}) == "");
  for (const std::string& read : {test::error_of([&] { tl::load_npz(net, folder.path("a")); }),
                                  test::error_of([&] { tl::io::npz::read(folder.path("a")); })})
    CHECK(test::missing_in(read, {folder.path("a") + ": expected an NPZ file, found a safetensors file"}) ==
          "");
}

TEST_CASE("a safetensors file whose header is as long as a ZIP file's first letters is read as what it is") {
  const test::temporary_folder folder;
  const std::string path = folder.path("a");
  tl::trainer net{mlp, tl::sgd({}), tl::cpu{}, 7};
  const tl::detail::named_tensors tensors(net, false);
  std::string text, bytes;
  while (!bytes.starts_with("PK") && text.size() < 20000) {
    text.resize(text.empty() ? 18900 : text.size() + 8, 'x');
    tl::io::write_safetensors(path, tensors, {{"note", text}});
    bytes = test::bytes_of(path);
  }
  REQUIRE(bytes.starts_with("PK"));
  tl::trainer other{mlp, tl::sgd({}), tl::cpu{}, 8};
  tl::load(other, path);
  CHECK(other.evaluate("x"_t = x).loss() == net.evaluate("x"_t = x).loss());
}

TEST_CASE("parameters go into a GGUF file and come back") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.gguf");
  trainer net = make_net(1), other = make_net(2), third = make_net(3);
  net.step("x"_t = x);
  tl::save_gguf(net, path, {{"general.name", "a net"}, {"net.layers", std::uint32_t{2}}});
  const auto file = tl::io::gguf::read(path);
  CHECK(file.metadata().size() == 3);
  CHECK(std::get<std::string>(file.metadata().at("general.name")) == "a net");
  CHECK(file["fc1.weight"].type == tl::element::bf16);
  CHECK(file["fc1.weight"].shape == std::vector<std::int64_t>{4, 3});
  tl::load_gguf(other, path);
  CHECK(loss(other) == loss(net));
  tl::save_gguf(net, path, tl::masters);
  const auto masters = tl::io::gguf::read(path);
  CHECK(masters["fc1.weight"].type == tl::element::f32);
  tl::load_gguf(third, path);
  CHECK(loss(third) == loss(net));
}

TEST_CASE("quantized weights of a GGUF file are loaded as float ones are") {
  using test::little, test::gguf::place;
  constexpr auto of_floats = [] { return tl::linear<"fc", 2>(tl::input<"x", float, 1, 32>); };
  constexpr auto of_doubles = [] { return tl::linear<"fc", 2>(tl::input<"x", double, 1, 32>); };
  constexpr auto of_halves = [] { return tl::linear<"fc", 2>(tl::input<"x", tl::f16, 1, 32>); };
  std::string row = little(0x3800, 2);  // Q8_0: 0.5, and a byte for each element
  for (std::uint64_t i = 0; i < 32; ++i) row += little(i - 16, 1);
  std::string data = row + row;
  data.resize(96, '\0');
  data += little(0x3f800000, 4) + little(0x40000000, 4);  // 1, 2
  data.resize(128, '\0');
  data += std::string(66, 'x');
  const test::temporary_folder folder;
  const std::string places =
      place("fc.weight", {32, 2}, 8, 0) + place("fc.bias", {2}, 0, 96) + place("other", {256}, 16, 128);
  const std::string path = folder.write("net.gguf", test::gguf::file_bytes(0, "", 3, places, data));
  const auto check = [](const auto& net) {
    for (std::size_t i = 0; i < 64; ++i)
      CHECK(static_cast<float>(net.template parameter<"fc.weight">()[i]) ==
            0.5f * (static_cast<float>(i % 32) - 16));
    CHECK(static_cast<float>(net.template parameter<"fc.bias">()[1]) == 2);
  };
  check(tl::function{of_floats, tl::weights(path)});
  check(tl::function{of_doubles, tl::weights(path, {.convert = true})});
  tl::function halves{of_halves};
  CHECK(
      test::missing_in(test::error_of([&] { tl::load_gguf(halves, path); }),
                       {"\"fc.weight\" is f16[2, 32], but the file holds float[2, 32], which .convert = true "
                        "would round"}) == "");
  tl::load(halves, path, {.convert = true});
  check(halves);
  tl::function floats{of_floats};
  CHECK(
      test::missing_in(test::error_of([&] {
                         tl::load(floats, path, {.names = {{"other", "fc.weight"}, {"fc.weight", "other"}}});
                       }),
                       {"\"fc.weight\" is float[2, 32], but the file holds elements of type IQ2_XXS"}) == "");
}

TEST_CASE("options and errors are those of load") {
  const test::temporary_folder folder;
  trainer net = make_net(1), other = make_net(2);
  const std::vector<float> zeros(12);
  const std::vector<tl::io::tensor_entry> tensors{
      {"net.fc1.weight", tl::element::f32, {3, 4}, std::as_bytes(std::span(zeros))}};
  for (const std::string& path : {folder.path("net.npz"), folder.path("net.gguf")}) {
    path.ends_with(".npz") ? tl::io::write_npz(path, tensors) : tl::io::write_gguf(path, tensors);
    const float before = loss(other);
    CHECK(test::missing_in(
              error_of_load(other, path, {.strip_prefix = "net."}),
              {path + ": missing in the file: \"fc1.bias\", \"fc2.weight\", \"fc2.bias\"; the parameter "
                      "\"fc1.weight\" is bf16[4, 3], but the file holds float[3, 4]"}) == "");
    CHECK(loss(other) == before);
    CHECK(test::missing_in(
              error_of_load(other, folder.write("bad" + path.substr(path.rfind('.')), "something else")),
              {"expected a "}) == "");
  }
}

TEST_CASE("a part of the parameters is saved in other formats, too") {
  const test::temporary_folder folder;
  trainer net = make_net(1);
  const auto check = [](const tl::io::tensor_file& file, tl::element type) {
    CHECK(file.size() == 1);
    CHECK(file["net.fc2.bias"].type == type);
  };
  const tl::save_options options{.add_prefix = "net.", .only = {"fc2.bias"}};
  const std::string npz = folder.path("net.npz"), gguf = folder.path("net.gguf");
  tl::save_npz(net, npz, options);
  check(tl::io::npz::read(npz), tl::element::f32);
  tl::save_npz(net, npz, tl::masters, options);
  check(tl::io::npz::read(npz), tl::element::f32);
  tl::save_gguf(net, gguf, {}, {.add_prefix = "net.", .only = {"fc2.bias"}});
  check(tl::io::gguf::read(gguf), tl::element::bf16);
  tl::save_gguf(net, gguf, tl::masters, {{"general.name", "a part"}}, options);
  check(tl::io::gguf::read(gguf), tl::element::f32);
  const std::string problem = "no parameter of the model fits \"fc3\"; there are \"fc1.weight\", ";
  CHECK(test::missing_in(test::error_of([&] { tl::save_npz(net, npz, {.only = {"fc3"}}); }),
                         {npz + ": " + problem}) == "");
  CHECK(test::missing_in(test::error_of([&] { tl::save_gguf(net, gguf, {}, {.only = {"fc3"}}); }),
                         {gguf + ": " + problem}) == "");
}
