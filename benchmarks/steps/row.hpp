// SPDX-License-Identifier: BSL-1.0
// A row of the comparison: one training step by the library. What other programs need to do the same step is
// written to files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <tapeless/tapeless.hpp>
#include <utility>
#include <vector>

#include "run_row.hpp"

namespace steps {

namespace tl = tapeless;
using namespace tl::literals;

/// What all programs of a row start from. Every run makes the same numbers.
struct inputs {
  std::vector<float> x = {}, y = {};
  std::vector<std::int32_t> indices = {}, labels = {};

  static std::vector<float> numbers(std::size_t count, unsigned seed) {
    std::mt19937 random{seed};
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> all(count);
    for (float& number : all) number = uniform(random);
    return all;
  }
  static std::vector<std::int32_t> classes(std::size_t count, unsigned below, unsigned seed) {
    std::mt19937 random{seed};
    std::vector<std::int32_t> all(count);
    for (std::int32_t& index : all) index = static_cast<std::int32_t>(random() % below);
    return all;
  }
};

struct row {
  std::string name;                        ///< "784-500-10/32": the network and the batch
  std::function<step(int threads)> begin;  ///< anew, from the first parameters
  std::function<void(const std::string& folder)> write;
  double operations = 0;  ///< of a step's products; 0 where bytes count
  double bytes = 0;       ///< read and written at least, where they count
};

inline void write_inputs(const std::string& path, const inputs& of) {
  std::vector<tl::io::tensor_entry> tensors;
  const auto add = [&](const char* name, const auto& all) {
    using T = typename std::remove_cvref_t<decltype(all)>::value_type;
    if (!all.empty())
      tensors.push_back(
          {name, tl::element_of<T>, {static_cast<std::int64_t>(all.size())}, std::as_bytes(std::span(all))});
  };
  add("x", of.x);
  add("y", of.y);
  add("indices", of.indices);
  add("labels", of.labels);
  tl::io::write_safetensors(path, tensors);
}

/// `give()` makes the inputs, `make(threads)` the trainer; `bind(net, inputs)` takes one step and returns the
/// loss.
template <class Give, class Make, class Bind>
row row_of(std::string name, double operations, Give give, Make make, Bind bind) {
  row r;
  r.name = name;
  r.operations = operations;
  r.begin = [=](int threads) -> step {
    auto net = std::make_shared<decltype(make(1))>(make(threads));
    return [net, bind, of = give()] { return bind(*net, of); };
  };
  r.write = [=](const std::string& folder) {
    auto net = make(1);
    tl::save(net, file_of(folder, name, "parameters"));
    write_inputs(file_of(folder, name, "inputs"), give());
  };
  return r;
}

/// Every source of this folder adds its rows.
void add_classifiers(std::vector<row>&);
void add_small_networks(std::vector<row>&);
void add_recurrent_networks(std::vector<row>&);
void add_convolutional_networks(std::vector<row>&);
void add_transformers(std::vector<row>&);
void add_large_transformers(std::vector<row>&);
void add_updates(std::vector<row>&);
void add_lookups(std::vector<row>&);

}  // namespace steps
