// SPDX-License-Identifier: BSL-1.0
// load with options: names that are changed, parts that are taken, types that are converted; and one error
// that lists all that does not fit.
#include <tapeless/tapeless.hpp>

#include <cmath>
#include <limits>

#include "catch.hpp"
#include "io/file_parts.hpp"
#include "io/temporary_folder.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  auto h = tl::linear<"body.in", 2>(x);
  auto y = tl::linear<"body.out", 2>(tl::tanh(h));
  return tl::mean(tl::square(tl::linear<"head", 1>(y) - 1_c));
};

auto make_net() { return tl::trainer{model, tl::sgd({}), tl::cpu{}, 4}; }
using net_type = decltype(make_net());

/// A file of tensors whose elements are all one number.
class tensors {
 public:
  explicit tensors(std::string path) : path_(std::move(path)) {}
  template <class T = float>
  tensors& add(std::string name, std::vector<std::int64_t> shape, double value) {
    std::size_t count = 1;
    for (const std::int64_t e : shape) count *= static_cast<std::size_t>(e);
    std::string bytes;
    for (std::size_t i = 0; i < count; ++i) {
      const T x = static_cast<T>(static_cast<float>(value));
      bytes.append(reinterpret_cast<const char*>(&x), sizeof x);
    }
    entries_.push_back({std::move(name), tl::element_of<T>, std::move(shape), {}});
    bytes_.push_back(std::move(bytes));
    return *this;
  }
  /// All of the model's, with another prefix in place of "body.", from a number on.
  tensors& add_model(const std::string& body, double first) {
    return add(body + "in.weight", {2, 2}, first)
        .add(body + "in.bias", {2}, first + 1)
        .add(body + "out.weight", {2, 2}, first + 2)
        .add(body + "out.bias", {2}, first + 3)
        .add("head.weight", {1, 2}, first + 4)
        .add("head.bias", {1}, first + 5);
  }
  const std::vector<tl::io::tensor_entry>& entries() {
    write();
    return entries_;
  }
  const std::string& write() {
    for (std::size_t i = 0; i < entries_.size(); ++i) entries_[i].bytes = std::as_bytes(std::span(bytes_[i]));
    tl::io::write_safetensors(path_, entries_);
    return path_;
  }

 private:
  std::string path_;
  std::vector<tl::io::tensor_entry> entries_;
  std::vector<std::string> bytes_;
};

/// The first element of each parameter.
std::vector<float> firsts(net_type& net) {
  std::vector<float> all;
  for (const std::byte* p : net.parameter_data()) all.push_back(*reinterpret_cast<const float*>(p));
  return all;
}

/// The message of the error that load throws, without the path; nothing may have changed.
std::string refusal(const std::string& path, const tl::load_options& options = {}) {
  net_type net = make_net();
  const std::vector<float> before = firsts(net);
  try {
    tl::load(net, path, options);
  } catch (const tl::error& e) {
    CHECK(firsts(net) == before);
    const std::string message = e.what(), begin = "tapeless: " + path + ": ";
    REQUIRE(message.starts_with(begin));
    return message.substr(begin.size());
  }
  return "loaded";
}

using values = std::vector<float>;

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("a prefix is stripped, or added") {
  const test::temporary_folder folder;
  net_type net = make_net();
  tl::load(net, tensors(folder.path("a")).add_model("model.body.", 1).write(), {.strip_prefix = "model."});
  CHECK(firsts(net) == values{1, 2, 3, 4, 5, 6});
  tensors inside(folder.path("b"));
  inside.add("in.weight", {2, 2}, 11).add("in.bias", {2}, 12);
  tl::load(net, inside.write(), {.add_prefix = "body.", .allow_missing = true});
  CHECK(firsts(net) == values{11, 12, 3, 4, 5, 6});
  CHECK(refusal(folder.path("b"), {.strip_prefix = "in.weights", .allow_missing = true}) ==
        "no name in the file begins with the prefix \"in.weights\"");
  CHECK(refusal(folder.path("b"), {.strip_prefix = "in."}) ==
        "missing in the file: \"body.in.weight\", \"body.in.bias\", \"body.out.weight\", \"body.out.bias\", "
        "\"head.weight\", \"head.bias\"; no parameters of the model, unless .strip_prefix, .names or "
        ".add_prefix rename them or .join joins them: \"in.weight\" (as \"weight\"), "
        "\"in.bias\" (as \"bias\")");
}

TEST_CASE("parameters may be missing, but not all of the model, unless a part is asked for") {
  const test::temporary_folder folder;
  tensors other(folder.path("a"));
  other.add("in.weight", {2, 2}, 11).add("in.bias", {2}, 12);
  other.write();
  CHECK(refusal(folder.path("a"), {.add_prefix = "net.", .allow_missing = true}) ==
        "no tensor in the file is a parameter of the model: \"in.weight\" (as \"net.in.weight\"), "
        "\"in.bias\" (as \"net.in.bias\")");
  net_type net = make_net();
  const values before = firsts(net);
  tl::load(net, folder.path("a"), {.only = {"head.*"}, .allow_missing = true});
  CHECK(firsts(net) == before);
}

TEST_CASE("names are mapped, one by one or by a pattern") {
  const test::temporary_folder folder;
  net_type net = make_net();
  tl::load(net, tensors(folder.path("a")).add_model("layers.0.", 1).write(),
           {.names = {{"layers.0.in.bias", "body.out.bias"},
                      {"layers.0.out.bias", "body.in.bias"},
                      {"layers.0.*", "body.*"}}});
  CHECK(firsts(net) == values{1, 4, 3, 2, 5, 6});
  tl::load(net, tensors(folder.path("b")).add_model("x.", 11).write(),
           {.strip_prefix = "x.",
            .names = {{"*n.weight", "body.in.weight"},
                      {"in.*", "body.in.*"},
                      {"o*t.bias", "body.o*t.bias"},
                      {"out.weight", "body.out.weight"}}});
  CHECK(firsts(net) == values{11, 12, 13, 14, 15, 16});
  CHECK(refusal(folder.path("b"), {.names = {{"x.*", "body.*"}, {"y.*", "z.*"}, {"in", "out"}}}) ==
        "no name in the file fits \"y.*\", no name in the file fits \"in\"");
  CHECK(refusal(folder.path("b"),
                {.names = {{"x.in.*", "body.in.*"}, {"x.out.*", "body.in.*"}}, .only = {"body.in.*"}}) ==
        "\"x.in.weight\" and \"x.out.weight\" are both taken for \"body.in.weight\", \"x.in.bias\" and "
        "\"x.out.bias\" are both taken for \"body.in.bias\"");
}

TEST_CASE("a part is loaded") {
  const test::temporary_folder folder;
  net_type net = make_net();
  tl::load(net, tensors(folder.path("a")).add_model("body.", 1).write());
  tl::load(net, tensors(folder.path("b")).add_model("body.", 11).write(),
           {.only = {"*.bias", "head.*"}, .allow_unexpected = false});
  CHECK(firsts(net) == values{1, 12, 3, 14, 15, 16});
  CHECK(refusal(folder.path("b"), {.only = {"*.bias", "haed.*"}}) ==
        "no parameter of the model fits \"haed.*\"");
}

TEST_CASE("all that is missing, unexpected and mismatched is listed at once") {
  const test::temporary_folder folder;
  tensors t(folder.path("a"));
  t.add("body.in.weight", {2, 3}, 1)
      .add<double>("body.in.bias", {2}, 1)
      .add<std::int32_t>("head.bias", {1}, 1);
  t.add("out.weight", {2, 2}, 1).add("body.out.bias", {2}, 1).add("head.weights", {1, 2}, 1);
  const std::string mismatched =
      "the parameter \"body.in.weight\" is float[2, 2], but the file holds float[2, 3], the parameter "
      "\"body.in.bias\" is float[2], but the file holds double[2], which .convert = true would round, as it "
      "does all floating types, the "
      "parameter \"head.bias\" is float[1], but the file holds std::int32_t[1]";
  const std::string missing = "missing in the file: \"body.out.weight\", \"head.weight\"";
  CHECK(refusal(t.write()) == missing +
                                  "; no parameters of the model, unless .strip_prefix, .names or .add_prefix "
                                  "rename them or .join joins them: \"out.weight\", \"head.weights\"; " +
                                  mismatched);
  CHECK(refusal(t.write(), {.allow_unexpected = false}) ==
        missing + "; unexpected in the file: \"out.weight\", \"head.weights\"; " + mismatched);
  CHECK(refusal(t.write(), {.allow_missing = true}) == mismatched);
  CHECK(refusal(t.write(), {.only = {"body.out.bias"}, .allow_unexpected = false}) ==
        "unexpected in the file: \"out.weight\", \"head.weights\"");
  CHECK(refusal(t.write(), {.only = {"body.out.bias"}}) == "loaded");
}

TEST_CASE("of many names ten are listed, and no counts of batches that are passed over") {
  const test::temporary_folder folder;
  tensors t(folder.path("a"));
  for (int i = 0; i < 13; ++i) {
    t.add("layer" + std::to_string(i), {1}, 1);
    t.add<std::int64_t>("norm" + std::to_string(i) + ".num_batches_tracked", {}, 1);
  }
  const std::string problem = refusal(t.write());
  CHECK_THAT(problem, test::contains("\"layer8\", \"layer9\" and 3 more"));
  CHECK(problem.find("tracked") == std::string::npos);
  CHECK_THAT(refusal(t.write(), {.allow_unexpected = false}), test::contains("num_batches_tracked"));
}

TEST_CASE("an option that would convert many tensors is named once") {
  const test::temporary_folder folder;
  tensors t(folder.path("a"));
  t.add<double>("body.in.weight", {2, 2}, 1).add<double>("body.in.bias", {2}, 1);
  CHECK(refusal(t.write(), {.only = {"body.in.*"}}) ==
        "the parameter \"body.in.weight\" is float[2, 2], but the file holds double[2, 2], which .convert = "
        "true would "
        "round, as it does all floating types, the parameter \"body.in.bias\" is float[2], but the file "
        "holds double[2]");
}

TEST_CASE("floating types are rounded to one another where that is asked for") {
  const test::temporary_folder folder;
  net_type net = make_net();
  tensors t(folder.path("a"));
  t.add<double>("body.in.weight", {2, 2}, 1.1f).add<tl::bf16>("body.in.bias", {2}, 1.1f);
  t.add<tl::f16>("body.out.weight", {2, 2}, 1.1f).add("body.out.bias", {2}, 1.1f);
  t.add<double>("head.weight", {1, 2}, std::numeric_limits<double>::infinity()).add("head.bias", {1}, 0);
  tl::load(net, t.write(), {.convert = true});
  CHECK(firsts(net) == values{1.1f, static_cast<float>(tl::bf16(1.1f)), static_cast<float>(tl::f16(1.1f)),
                              1.1f, std::numeric_limits<float>::infinity(), 0});

  tl::trainer half{model, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  tl::load(half, t.write(), {.convert = true});
  CHECK(half.master<"body.in.weight">()[0] == 1.1f);
  CHECK(half.parameter<"body.in.weight">()[0] == tl::bf16(1.1f));
  CHECK(half.master<"body.in.bias">()[0] == static_cast<float>(tl::bf16(1.1f)));
}

TEST_CASE("finite numbers are not converted to infinities") {
  const test::temporary_folder folder;
  const auto with = [&](double bias) {
    tensors t(folder.path("a"));
    t.add_model("body.", 1).add<double>("other", {1}, 0);
    std::vector<double> weight{1, 2, -infinity, bias};
    auto entries = t.entries();
    entries[0] = {"body.in.weight", tl::element::f64, {2, 2}, std::as_bytes(std::span(weight))};
    tl::io::write_safetensors(folder.path("a"), entries);
    return refusal(folder.path("a"), {.convert = true});
  };
  CHECK(with(1e300) == "tensor \"body.in.weight\": element 3 is 1e+300, which does not fit into float");
  CHECK(with(-1e39) == "tensor \"body.in.weight\": element 3 is -1e+39, which does not fit into float");
  CHECK(with(3.4e38) == "loaded");
  CHECK(with(infinity) == "loaded");
  CHECK(with(std::nan("")) == "loaded");

  // What has a float copy is not made infinite by it.
  tl::trainer half{model, tl::mixed_precision<tl::f16>(tl::sgd({}))};
  tensors t(folder.path("a"));
  tl::load(half, t.add_model("body.", 1e5).write());
  CHECK(half.master<"body.in.weight">()[0] == 1e5f);
}

TEST_CASE("a tensor of a type that the library lacks is an error where it is a parameter's") {
  const test::temporary_folder folder;
  const std::string header = R"({"body.in.bias":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[16,18]},)"
                             R"("body.in.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}})";
  std::string file = test::little(header.size(), 8) + header + std::string(18, '\0');
  const std::string path = folder.write("a", file);
  net_type net = make_net();
  tl::load(net, path, {.only = {"body.in.weight"}});
  CHECK(net.parameter<"body.in.weight">()[3] == 0);
  for (const bool convert : {false, true})
    CHECK(
        refusal(path, {.only = {"body.in.*"}, .convert = convert}) ==
        "the parameter \"body.in.bias\" is float[2], but the file holds elements of type F8_E4M3, which the "
        "library lacks");
  const auto read = tl::io::safetensors::read(path);
  CHECK(read["body.in.bias"].type_name() == "F8_E4M3");
  CHECK(read["body.in.weight"].type_name() == "float");
  CHECK(read["body.in.bias"].bytes.size() == 2);
  CHECK_THAT(test::error_of([&] { tl::io::write_safetensors(folder.path("b"), read.entries()); }),
             test::contains("\"body.in.bias\""));
}

TEST_CASE("a model in several files is loaded by its index") {
  const test::temporary_folder folder;
  tensors body(folder.path("1.safetensors")), head(folder.path("2.safetensors"));
  body.add("body.in.weight", {2, 2}, 1).add("body.in.bias", {2}, 2).add("body.out.weight", {2, 2}, 3).write();
  head.add("body.out.bias", {2}, 4).add("head.weight", {1, 2}, 5).add("head.bias", {1}, 6).write();
  const auto index = [&](const std::string& more) {
    return folder.write("index.json",
                        R"({"weight_map": {"body.in.weight": "1.safetensors", "body.in.bias": "1.safetensors",
                            "body.out.weight": "1.safetensors", "body.out.bias": "2.safetensors",
                            "head.weight": "2.safetensors")" +
                            more + "}}");
  };
  net_type net = make_net();
  tl::load(net, index(R"(, "head.bias": "2.safetensors")"));
  CHECK(firsts(net) == values{1, 2, 3, 4, 5, 6});
  const tl::function f{model, tl::weights(index(R"(, "head.bias": "2.safetensors")"))};
  CHECK(f.parameter<"head.bias">()[0] == 6);
  CHECK(refusal(index("")) == "missing in the file: \"head.bias\"");
}

namespace {

/// Two rows a layer, of weights of its own.
constexpr auto layers = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 2>;
  return tl::mean(tl::scan<3>(x, [](auto h) { return tl::tanh(tl::linear<"fc", 2>(h)); }));
};
auto make_layers() { return tl::trainer{layers, tl::sgd({})}; }

/// All elements of a parameter.
template <tl::name Name, class Net>
values elements(Net& net) {
  const auto p = net.template parameter<Name>();
  return {p.begin(), p.end()};
}

/// What `refusal` says, of the net of layers.
std::string refusal_of_layers(const std::string& path, const tl::load_options& options) {
  auto net = make_layers();
  const values before = elements<"fc.weight">(net);
  const std::string message = test::error_of([&] { tl::load(net, path, options); });
  CHECK(elements<"fc.weight">(net) == before);
  const std::string begin = "tapeless: " + path + ": ";
  REQUIRE(message.starts_with(begin));
  return message.substr(begin.size());
}

}  // namespace

TEST_CASE("a parameter is joined of several tensors, one below the other") {
  const test::temporary_folder folder;
  tensors t(folder.path("a"));
  t.add("m.top", {1, 2}, 1).add<double>("m.bottom", {1, 2}, 2).add("m.bias0", {1}, 3).add("m.bias1", {1}, 4);
  t.add("m.more", {1}, 5);
  const tl::load_options options{
      .strip_prefix = "m.",
      .names = {{"bias*", "bias.*"}},
      .add_prefix = "p.",
      .join = {{"body.in.weight", {"p.top", "p.bottom"}}, {"body.in.*", {"p.*.0", "p.*.1"}}},
      .only = {"body.in.*"},
      .convert = true};
  net_type net = make_net();
  const values before = elements<"body.out.weight">(net);
  tl::load(net, t.write(), options);
  CHECK(elements<"body.in.weight">(net) == values{1, 1, 2, 2});
  CHECK(elements<"body.in.bias">(net) == values{3, 4});
  CHECK(elements<"body.out.weight">(net) == before);

  tl::load_options strict = options;
  strict.allow_unexpected = false;
  CHECK(refusal(t.write(), strict) == "unexpected in the file: \"m.more\" (as \"p.more\")");
  strict.only = {"head.*"};
  strict.allow_missing = true;
  CHECK(refusal(t.write(), strict) == "unexpected in the file: \"m.more\" (as \"p.more\")");
  strict.only = {"body.in.*"};
  strict.convert = false;
  CHECK(
      refusal(t.write(), strict) ==
      "unexpected in the file: \"m.more\" (as \"p.more\"); the parameter \"body.in.weight\" is float[2, 2], "
      "but the file holds \"m.top\" float[1, 2], \"m.bottom\" double[1, 2], to be joined for it, which "
      ".convert = true would round, as it does all floating types");

  tl::trainer half{model, tl::mixed_precision<tl::bf16>(tl::sgd({}))};
  tl::load(half, t.write(), options);
  CHECK(half.master<"body.in.weight">()[2] == 2);
  CHECK(half.parameter<"body.in.weight">()[3] == tl::bf16(2));

  // A file that has the parameter itself needs nothing joined.
  net_type whole = make_net();
  tl::load(whole, tensors(folder.path("b")).add_model("body.", 1).write(),
           {.join = {{"body.in.weight", {"top", "bottom"}}}});
  CHECK(firsts(whole) == values{1, 2, 3, 4, 5, 6});
}

TEST_CASE("layers of a scan are stacked, each joined of several tensors") {
  const test::temporary_folder folder;
  auto net = make_layers();
  tensors first(folder.path("1.safetensors")), second(folder.path("2.safetensors"));
  std::string index = R"({"weight_map": {)";
  for (const int layer : {2, 0, 1}) {
    const std::string name = "h." + std::to_string(layer) + ".";
    (layer == 1 ? first : second).add(name + "q", {1, 2}, layer).add(name + "bias", {2}, 7 + layer);
    first.add(name + "k", {1, 2}, 0.5 + layer);
    const std::string file = layer == 1 ? "1" : "2";
    index += (layer == 2 ? "\"" : ", \"") + name + "q\": \"" + file + ".safetensors\", \"" + name +
             "bias\": \"" + file + ".safetensors\", \"" + name + "k\": \"1.safetensors\"";
  }
  first.write();
  second.write();
  const std::string path = folder.write("index.json", index + "}}");
  const tl::load_options options{.join = {{"fc.weight", {"h.#.q", "h.#.k"}}, {"fc.*", {"h.#.*"}}}};
  tl::load(net, path, options);
  CHECK(elements<"fc.weight">(net) == values{0, 0, 0.5f, 0.5f, 1, 1, 1.5f, 1.5f, 2, 2, 2.5f, 2.5f});
  CHECK(elements<"fc.bias">(net) == values{7, 7, 8, 8, 9, 9});
  const tl::function f{layers, tl::weights(path, options)};
  CHECK(elements<"fc.weight">(f) == elements<"fc.weight">(net));
}

TEST_CASE("parameters of another model are joined, moved a part of the way") {
  constexpr auto parts = [] {
    auto top = tl::param<"top", float, 1, 2>(tl::normal(1));
    auto bottom = tl::param<"bottom", float, 1, 2>;
    return tl::mean(tl::square(top + bottom));
  };
  tl::trainer from{parts, tl::sgd({})};
  net_type to = make_net();
  from.parameter<"bottom">()[1] = 8;
  to.parameter<"body.in.weight">()[3] = 2;
  const tl::load_options options{.join = {{"body.in.weight", {"top", "bottom"}}}, .only = {"body.in.weight"}};
  tl::soft_update(from, to, 0.5, options);
  CHECK(to.parameter<"body.in.weight">()[3] == 5);
  tl::copy_parameters(from, to, options);
  CHECK(to.parameter<"body.in.weight">()[0] == from.parameter<"top">()[0]);
  CHECK(to.parameter<"body.in.weight">()[3] == 8);
}

TEST_CASE("what cannot be joined is listed with all else") {
  const test::temporary_folder folder;
  tensors t(folder.path("a"));
  t.add("a", {1, 2}, 1).add("b", {1, 3}, 1).add("c", {2, 2}, 1).add("d", {1}, 1).add("e", {1, 2}, 1e39);
  CHECK(
      refusal(t.write(), {.join = {{"body.in.weight", {"a", "b"}},
                                   {"body.in.bias", {"d", "none"}},
                                   {"body.out.weight", {"a", "c"}},
                                   {"head.weight", {"left", "right"}},
                                   {"body.in.*", {"x"}},
                                   {"tail", {"y"}}},
                          .only = {"body.in.*", "body.out.weight", "head.weight"}}) ==
      "missing in the file: \"head.weight\" (joined of \"left\", \"right\"); no parameters of the model, "
      "unless .strip_prefix, .names or .add_prefix rename them or .join joins them: \"e\"; the parameter "
      "\"body.in.weight\" is float[2, 2], but the file holds \"a\" float[1, 2], \"b\" float[1, 3], to be "
      "joined "
      "for it, the parameter \"body.in.bias\" is float[2], but the file lacks \"none\", to be joined for "
      "it, the "
      "parameter \"body.out.weight\" is float[2, 2], but the file holds \"a\" float[1, 2], \"c\" float[2, "
      "2], to "
      "be joined for it; no parameter of the model, that no rule before takes, fits \"body.in.*\", for which "
      "tensors are joined, no parameter of the model, that no rule before takes, fits \"tail\", for which "
      "tensors are joined");

  tensors more(folder.path("b"));
  for (const std::string layer : {"0", "1", "2", "3"}) more.add("h." + layer, {2, 2}, 1);
  more.add("bias.0", {2}, 1).add("bias.1", {3}, 1).add("bias.2", {3}, 1);
  CHECK(refusal_of_layers(more.write(), {.join = {{"fc.weight", {"h.#"}}, {"fc.bias", {"bias.#"}}}}) ==
        "the parameter \"fc.weight\" is float[3, 2, 2], but the file holds \"h.3\", too: more layers than 3, "
        "the "
        "parameter \"fc.bias\" is float[3, 2], but the file holds \"bias.1\" float[3], to be joined for it");
  tensors fewer(folder.path("c"));
  fewer.add("h.0", {2, 2}, 1).add("h.2", {2, 2}, 1);
  CHECK(refusal_of_layers(fewer.write(), {.join = {{"fc.weight", {"h.#"}}}, .only = {"fc.weight"}}) ==
        "the parameter \"fc.weight\" is float[3, 2, 2], but the file lacks \"h.1\", to be joined for it");
}

TEST_CASE("elements of every type are numbers, and become others") {
  using tl::detail::read_number;
  const auto number_of = [](auto x) {
    return read_number(tl::element_of<decltype(x)>, reinterpret_cast<const std::byte*>(&x));
  };
  CHECK((number_of(1.5f) == 1.5 && number_of(0.1) == 0.1 && number_of(tl::f16(0.5f)) == 0.5));
  CHECK((number_of(tl::bf16(-2)) == -2 && number_of(std::int32_t(-7)) == -7));
  CHECK((number_of(std::int64_t(1) << 40) == 0x1p40 && number_of(std::uint8_t(200)) == 200));
  CHECK((number_of(true) == 1 && number_of(false) == 0));
  const double from[] = {0.1, -3};
  tl::bf16 to[2];
  tl::detail::convert_elements(tl::element::f64, reinterpret_cast<const std::byte*>(from), tl::element::bf16,
                               reinterpret_cast<std::byte*>(to), 2);
  CHECK((to[0] == tl::bf16(0.1f) && to[1] == tl::bf16(-3)));
}
