// SPDX-License-Identifier: BSL-1.0
// Only rank 0 prints and saves: each rank works in a folder of its own, and what it leaves there is looked
// at. files FOLDER
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include <tapeless/gguf.hpp>
#include <tapeless/mpi.hpp>
#include <tapeless/numpy.hpp>
#include <tapeless/onnx.hpp>
#include <tapeless/tapeless.hpp>

#include "cluster/samples.hpp"

namespace tl = tapeless;
using namespace tl::literals;
namespace fs = std::filesystem;

namespace {

constexpr auto model = [] {
  auto x = tl::cast<float>(tl::input<"x", double, tl::dyn<"batch">, 3>);
  auto y = tl::cast<float>(tl::input<"y", double, tl::dyn<"batch">, 1>);
  return tl::mse_loss(tl::linear<"fc2", 1>(tl::tanh(tl::linear<"fc1", 7>(x))), y);
};

/// What goes to the stream goes to the file, as long as this lives.
class redirected {
 public:
  redirected(std::FILE* stream, const char* file) : stream_(stream), kept_(dup(fileno(stream))) {
    std::fflush(stream);
    std::FILE* const to = std::fopen(file, "w");
    dup2(fileno(to), fileno(stream));
    std::fclose(to);
  }
  redirected(const redirected&) = delete;
  redirected& operator=(const redirected&) = delete;
  ~redirected() {
    std::fflush(stream_);
    dup2(kept_, fileno(stream_));
    close(kept_);
  }

 private:
  std::FILE* stream_;
  int kept_;
};

/// All that can be shown and written.
void train_and_save(tl::process_group& world) {
  auto rule = tl::sharded_states(tl::mixed_precision<tl::bf16>(tl::adam({.learning_rate = 1e-2})));
  tl::trainer net{model, tl::data_parallel(world, rule), tl::cpu{.threads = 1}, 1};
  tl::fit(net, test::samples(23), {.epochs = 2, .batch = 5, .validation_split = 0.3, .seed = 3},
          tl::progress_bar{}, tl::progress_bar(stdout, false), tl::csv_log("log.csv"),
          tl::json_log("log.json"), tl::tensorboard("events"), tl::plot("curves.svg"),
          tl::save_best("best.safetensors"), tl::checkpoint("last.safetensors", {.every_epochs = 1}));
  tl::save(net, "net.safetensors");
  tl::save(net, "masters.safetensors", tl::masters);
  tl::save_npz(net, "net.npz");
  tl::save_npz(net, "masters.npz", tl::masters);
  tl::save_gguf(net, "net.gguf");
  tl::save_gguf(net, "masters.gguf", tl::masters);
  tl::save_onnx(net, "net.onnx");
  tl::save_checkpoint(net, "checkpoint.safetensors");
  // Float copies come from the ranks that have them, though rank 0 has just some.
  if (world.rank() == 0)
    for (const auto& e : tl::io::safetensors::read("masters.safetensors"))
      if (e.type != tl::element::f32) tl::throw_error({e.name, " is not written as its float copy"});
}

/// Files in this folder that are not empty, those of TensorBoard's folders by the folder.
std::set<std::string> written() {
  std::set<std::string> names;
  for (const auto& e : fs::recursive_directory_iterator("."))
    if (e.is_regular_file() && e.file_size() > 0) {
      const fs::path path = e.path().lexically_relative(".");
      names.insert((path.has_parent_path() ? path.parent_path() : path).generic_string());
    }
  return names;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  tl::mpi world(argc, argv);
  const fs::path folder = fs::path(argv[1]) / ("rank" + std::to_string(world.rank()));
  fs::remove_all(folder);
  fs::create_directories(folder);
  fs::current_path(folder);
  {
    const redirected out(stdout, "stdout"), err(stderr, "stderr");
    train_and_save(world);
  }
  std::set<std::string> expected;
  if (world.rank() == 0)
    expected = {"stdout",
                "stderr",
                "log.csv",
                "log.json",
                "events/train",
                "events/validation",
                "curves.svg",
                "best.safetensors",
                "last.safetensors",
                "net.safetensors",
                "masters.safetensors",
                "net.npz",
                "masters.npz",
                "net.gguf",
                "masters.gguf",
                "net.onnx",
                "checkpoint.safetensors"};
  bool is_right = true;
  const auto compare = [&](const std::set<std::string>& some, const std::set<std::string>& others,
                           const char* what) {
    for (const std::string& name : some) {
      if (others.contains(name)) continue;
      is_right = false;
      std::fprintf(stderr, "rank %d %s %s\n", world.rank(), what, name.c_str());
    }
  };
  const std::set<std::string> found = written();
  compare(found, expected, "has written");
  compare(expected, found, "has not written");
  return world.all([&](int) { return is_right; }) ? 0 : 1;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
