// SPDX-License-Identifier: BSL-1.0
// A program without exceptions and without types' names at run time: it trains, and an error calls the
// handler. The argument says what the handler does: "handled", "unhandled" (the library's own prints the
// sentence), "returns".
#include "model.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string_view asked;

void end(bool right) {
  std::fflush(nullptr);
  std::_Exit(right ? 0 : 1);
}

void handle(const tl::error& e) {
  const std::string_view sentence = e.what();
  const bool right = sentence.starts_with("tapeless: cannot open no-such-file: ");
  if (asked == "handled" || !right) end(right);
}

}  // namespace

int main(int count, char** arguments) {
  asked = count > 1 ? arguments[1] : "";
  if (tl::set_error_handler(&handle) == nullptr || tl::set_error_handler(nullptr) != &handle) return 1;
  if (asked != "unhandled") tl::set_error_handler(&handle);
  std::set_terminate([] { end(asked != "handled"); });

  tl::trainer net{model, tl::adam({.learning_rate = 1e-2f}), tl::cpu{.threads = 2}};
  const std::vector<float> x{0, 0, 0, 1, 1, 0, 1, 1};
  const std::vector<std::int32_t> y{0, 1, 1, 0};
  float loss = 0;
  for (int step = 0; step < 500; ++step) loss = net.step("x"_t = x, "y"_t = y).loss();
  if (!(loss < 0.01f)) return 1;

  tl::save(net, "weights.safetensors");
  tl::load(net, "weights.safetensors");
  tl::load(net, "no-such-file");
  return 1;  // the line before does not return
}
