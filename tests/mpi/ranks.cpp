// SPDX-License-Identifier: BSL-1.0
// One of the ranks of mpi.cmake's tests: ranks WHAT [CHECKPOINT]
//   fit     trains for 50 steps, and prints the loss and all bits of the weights
//   half    stops after 25 of them, with a checkpoint, from which `fit` then goes on
//   killed  rank 1 ends without a word in step 20
//   early   rank 1 makes a step less than the others
//   throws  rank 1's own code throws in step 20
//   other   rank 1 has another model
//   changed rank 1's own weights have changed in step 20; all synchronize and go on
//   gone    MPI has an error where the program ends, as if a rank were gone
//   single  MPI has no threads
#include <cinttypes>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string_view>
#include <vector>

#include <tapeless/mpi.hpp>
#include <tapeless/tapeless.hpp>

#include "cluster/small_net.hpp"

namespace tl = tapeless;
using namespace tl::literals;

// MPI itself, as the profilers' interface lets programs stand before it.
static bool is_gone = false, has_no_threads = false;
extern "C" int MPI_Allgather(const void* own, int count, MPI_Datatype type, void* all, int each,
                             MPI_Datatype of_each, MPI_Comm group) {
  return is_gone ? MPI_ERR_OTHER : PMPI_Allgather(own, count, type, all, each, of_each, group);
}
extern "C" int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (has_no_threads) *provided = MPI_THREAD_SINGLE;
  return code;
}

namespace {

template <class Net>
std::uint64_t bits_of(Net& net) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < net.parameter_data().size(); ++i)
    for (std::int64_t k = 0; k < net.parameter_descriptions()[i].count; ++k) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, net.parameter_data()[i] + 8 * k, 8);
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
    }
  return hash;
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view what = argc > 1 ? argv[1] : "fit";
  has_no_threads = what == "single";
  tl::mpi world(argc, argv);
  const char* const file = argc > 2 ? argv[2] : "";
  // each tensor's gradient travels alone, and is waited for right before the tensor changes
  tl::trainer net{test::small_net<7>, tl::data_parallel(world, test::adam(), {.bucket_bytes = 1}), tl::cpu{},
                  tl::eager_updates};

  if (what == "other") {
    if (world.rank() == 1) tl::trainer wider{test::small_net<8>, tl::data_parallel(world, test::adam())};
    if (world.rank() != 1) tl::trainer same{test::small_net<7>, tl::data_parallel(world, test::adam())};
    return 0;
  }
  if (what == "early") {
    const std::vector<double> x(6, 0.5), y(2, 0.25);
    for (int i = 0; i < (world.rank() == 1 ? 4 : 5); ++i) net.step("x"_t = x, "y"_t = y);
    return 0;
  }

  const auto data = test::samples(23);
  const auto misfortune = [&](const tl::fit_progress& p) {
    if (world.rank() != 1 || p.updates != 20) return;
    if (what == "killed") std::raise(SIGKILL);
    if (what == "throws") tl::throw_error("rank 1 has no room left");
    if (what == "changed") net.parameter<"fc1.weight">()[3] += 1;
  };
  if (what == "changed") {
    tl::first_exception thrown;
    thrown.guard([&] { tl::fit(net, data, {.steps = 50, .batch = 5, .seed = 3}, misfortune); });
    if (thrown.text().find("rank 1 has other weights") == std::string::npos)
      tl::throw_error("nobody has seen the change");
    net.synchronize();
  }
  tl::checkpoint_options kept{.every_steps = 5, .resume = true};
  const std::int64_t steps = what == "half" ? 25 : 50;
  // 23 samples make batches of 5 and 3: uneven shares, and ranks without any
  const auto history = *file != 0 ? tl::fit(net, data, {.steps = steps, .batch = 5, .seed = 3}, misfortune,
                                            tl::checkpoint(file, kept))
                                  : tl::fit(net, data, {.steps = steps, .batch = 5, .seed = 3}, misfortune,
                                            tl::progress_bar(stdout, false));
  const std::uint64_t bits = bits_of(net);
  double loss = history.back().train["loss"].mean;
  for (const std::uint64_t other : world.gather(bits))
    if (other != bits) return std::fprintf(stderr, "the ranks' weights differ\n"), 1;
  for (const double other : world.gather(loss))
    if (other != loss) return std::fprintf(stderr, "the ranks' losses differ\n"), 1;
  is_gone = what == "gone";
  if (world.rank() == 0) {
    std::printf("weight %.9f loss %.9f\n", net.parameter<"fc2.weight">()[0], loss);
    std::printf("bits %016" PRIx64 "\n", bits);
  }
  return 0;
} catch (const tl::error& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
