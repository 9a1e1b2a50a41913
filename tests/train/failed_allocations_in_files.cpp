// SPDX-License-Identifier: BSL-1.0
// Failed allocations, as in failed_allocations.cpp, where data and files are: an old file stays whole, no
// other file stays behind, none stays open; and a fit that fails has done a whole number of its steps.
#include <tapeless/data/cifar10.hpp>
#include <tapeless/tapeless.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "failing_new.hpp"
#include "io/temporary_folder.hpp"
#include "trained_state.hpp"

namespace tl = tapeless;
using namespace tl::literals;

namespace {

constexpr auto model = [] {
  auto x = tl::input<"x", float, tl::dyn<"batch">, 4>;
  auto label = tl::input<"label", std::int32_t, tl::dyn<"batch">>;
  auto logits = tl::linear<"out", 3>(tl::dropout<0.25>(tl::batch_norm<"norm">(x)));
  return tl::outputs(tl::cross_entropy(logits, label), tl::named<"logits">(logits));
};

auto rule() { return tl::adamw({.learning_rate = 0.1f}); }
using net_type = decltype(tl::trainer{model, rule()});

tl::data::dataset samples(std::int64_t count) {
  std::vector<float> x;
  std::vector<std::int32_t> label;
  for (std::int64_t i = 0; i < count; ++i) label.push_back(static_cast<std::int32_t>(i % 3));
  for (std::int64_t i = 0; i < 4 * count; ++i) x.push_back(static_cast<float>(i * 7 % 13));
  tl::data::dataset d;
  d.add("x", {4}, std::move(x)).add("label", {}, std::move(label));
  return d;
}

/// A trainer that has made a step on some samples.
struct trained {
  trained(std::uint64_t seed, int steps) : net(model, rule(), tl::cpu{}, seed) {
    const std::vector<float> x{1, 2, 3, 4, 5, 6, 7, 9};
    const std::vector<std::int32_t> label{2, 0};
    for (int i = 0; i < steps; ++i) net.step("x"_t = x, "label"_t = label);
  }
  net_type net;
};
auto state = [](trained& t) { return test::state_of(t.net); };

/// How many files this process has open; 0 where the system does not list them.
std::ptrdiff_t open_files() {
  std::error_code none;
  const std::filesystem::directory_iterator files("/proc/self/fd", none);
  return none ? 0 : std::distance(begin(files), end(files));
}

/// As fail_each_allocation, with all files closed again.
template <class... Arguments>
void fail_with_files(const char* what, const Arguments&... arguments) {
  const std::ptrdiff_t open = open_files();
  test::fail_each_allocation(what, arguments...);
  INFO(what);
  CHECK(open_files() == open);
}

std::string all_of(const tl::data::dataset& d) {
  std::string all;
  for (const tl::data::column& c : d.columns()) {
    all += c.name + tl::io::shape_text(c.sample_shape) + std::to_string(c.count);
    std::vector<std::byte> bytes(static_cast<std::size_t>(c.count) * c.sample_bytes());
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(c.count));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
    tl::data::copy_samples(c, numbers, bytes.data());
    all.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  }
  return all;
}

std::string idx(std::vector<int> shape, const std::string& values) {
  std::string bytes("\0\0\x08", 3);
  bytes += static_cast<char>(shape.size());
  for (const int extent : shape) bytes += std::string(3, '\0') + static_cast<char>(extent);
  return bytes + values;
}

}  // namespace

TEST_CASE("files that are written, and allocations that fail") {
  const test::temporary_folder folder;
  const std::string path = folder.path("net.safetensors");
  const auto make = [&] {
    folder.write("net.safetensors", "what was there");
    return std::make_unique<trained>(1, 1);
  };
  const auto look = [&](trained& t) {
    return state(t) + test::bytes_of(path) + std::to_string(folder.size());
  };
  fail_with_files("save", make, [&](trained& t) { tl::save(t.net, path); }, look, look);
  fail_with_files("save_checkpoint", make, [&](trained& t) { tl::save_checkpoint(t.net, path); }, look, look);
}

TEST_CASE("files that are read into trainers, and allocations that fail") {
  const test::temporary_folder folder;
  const std::string weights = folder.path("weights"), checkpoint = folder.path("checkpoint");
  trained other(2, 3);
  tl::save(other.net, weights);
  tl::save_checkpoint(other.net, checkpoint);
  const auto make = [] { return std::make_unique<trained>(1, 1); };
  const auto gathers = [] {
    auto t = std::make_unique<trained>(1, 1);
    t->net.accumulate(1, "x"_t = std::array{1.0f, 2.0f, 3.0f, 4.0f}, "label"_t = std::array{1});
    return t;
  };
  fail_with_files("load", make, [&](trained& t) { tl::load(t.net, weights); }, state, state);
  fail_with_files(
      "load_checkpoint", make, [&](trained& t) { tl::load_checkpoint(t.net, checkpoint); }, state, state);
  fail_with_files(
      "load_checkpoint over gradients that wait", gathers,
      [&](trained& t) { tl::load_checkpoint(t.net, checkpoint); }, state, state);
  tl::save_checkpoint(gathers()->net, checkpoint);
  fail_with_files(
      "load_checkpoint with gradients that wait", make,
      [&](trained& t) { tl::load_checkpoint(t.net, checkpoint); }, state, state);
  fail_with_files(
      "what is no checkpoint", make,
      [&](trained& t) {
        try {
          tl::load_checkpoint(t.net, weights);
        } catch (const tl::error&) {
        }
      },
      state, state);
}

TEST_CASE("data sets, and allocations that fail") {
  const test::temporary_folder folder;
  struct place {
    tl::data::dataset first, second;
  };
  const auto make = [] { return std::make_unique<place>(); };
  const auto look = [](place& p) { return all_of(p.first) + all_of(p.second); };
  const auto check = [&](const char* what, auto call) { fail_with_files(what, make, call, look, look); };
  const auto read = [&](const char* what, auto f) {
    check(what, [&](place& p) {
      auto both = f();
      p.first = std::move(both.train);
      p.second = std::move(both.test);
    });
  };
  check("a data set", [](place& p) {
    tl::data::dataset made = samples(5), some = made.first(2);
    p.first = std::move(made);
    p.second = std::move(some);
  });
  fail_with_files(
      "a column more",
      [] {
        auto p = std::make_unique<place>();
        p->first = samples(5);
        return p;
      },
      [](place& p) { p.first.add("a new column with a long name", {1}, std::vector<bool>(5)); }, look, look);

  folder.write("text", "words, words, words");
  check("text", [&](place& p) { p.first = tl::data::text_windows(folder.path("text"), 4); });
  const std::string black(784, '\0');
  folder.write("train-images-idx3-ubyte", idx({2, 28, 28}, black + std::string(784, '\xff')));
  folder.write("train-labels-idx1-ubyte", idx({2}, std::string("\0\x09", 2)));
  folder.write("t10k-images-idx3-ubyte", idx({1, 28, 28}, black));
  folder.write("t10k-labels-idx1-ubyte", idx({1}, "\4"));
  read("MNIST", [&] { return tl::data::mnist(folder.path()); });
#if defined(TAPELESS_HAS_ZLIB)
  for (const char* name : {"train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) {
    const std::string bytes = test::bytes_of(folder.path(name));
    gzFile file = gzopen(folder.path(std::string(name) + ".gz").c_str(), "wb");
    gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    gzclose(file);
    std::filesystem::remove(folder.path(name));
  }
  read("compressed MNIST", [&] { return tl::data::mnist(folder.path()); });
#endif
  const std::string image = "\7" + std::string(3072, '\x11');
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                           "data_batch_5.bin", "test_batch.bin"})
    folder.write(name, image);
  read("CIFAR-10", [&] { return tl::data::cifar10(folder.path()); });
}

TEST_CASE("measuring on a data set, and allocations that fail") {
  const tl::data::dataset data = samples(20);
  struct measures : trained {
    using trained::trained;
    double loss = 0, accuracy = 0;
  };
  fail_with_files(
      "evaluate", [] { return std::make_unique<measures>(1, 1); },
      [&](measures& m) {
        const tl::report r = tl::evaluate(m.net, data, {.batch = 8}, tl::accuracy<"logits", "label">{});
        m.loss = r["loss"].mean;
        m.accuracy = r["accuracy"].mean;
      },
      [](measures& m) {
        return test::state_of(m.net) + test::bytes_of_elements(m.loss) + test::bytes_of_elements(m.accuracy);
      },
      state);
}

TEST_CASE("a fit whose allocations fail has done some of its steps, and nothing else") {
  const test::temporary_folder folder;
  const tl::data::dataset data = samples(23);
  const std::string start = folder.path("start");
  trained first(1, 1);
  tl::save_checkpoint(first.net, start);
  std::FILE* const nowhere = std::tmpfile();
  struct tells_states {
    net_type* net;
    std::vector<std::string>* states;
    void on_begin(const tl::fit_progress&) { tell(); }
    void on_epoch_end(const tl::fit_progress&, const tl::epoch_report&) { tell(); }
    void on_step(const tl::fit_progress&) { tell(); }
    void tell() {
      if (states != nullptr) states->push_back(test::state_of(*net));
    }
  };
  const auto check = [&](const char* what, const auto& options) {
    std::vector<std::string> states;
    const auto fit = [&](trained& t, std::vector<std::string>* to) {
      tl::progress_bar bar(nowhere, true, 80, [] { return 1.0; });
      tl::fit(t.net, data, options, tl::accuracy<"logits", "label">{}, bar, tells_states{&t.net, to});
    };
    {
      trained t(1, 1);
      fit(t, &states);
    }
    CHECK(states.size() > 4);
    // Not what is computed before the first step, and from there on what is there between two steps.
    const auto is_between_steps = [&](trained& t) {
      const bool known = std::find(states.begin(), states.end(), test::state_of(t.net)) != states.end();
      tl::load_checkpoint(t.net, start);
      return std::string(known ? "between two steps" : "in the middle of a step");
    };
    fail_with_files(
        what, [] { return std::make_unique<trained>(1, 1); }, [&](trained& t) { fit(t, nullptr); }, state,
        is_between_steps);
  };
  check("fit", tl::fit_options{.epochs = 2, .batch = 8, .validation_split = 0.2, .seed = 3});
  check("fit in parts",
        tl::fit_in_parts_options{.steps = 4, .batch = 8, .physical_batch = 3, .validation_split = 0.2});
  std::fclose(nowhere);
}
