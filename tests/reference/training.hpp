// SPDX-License-Identifier: BSL-1.0
// How a stored training run is written: its network from the list of layers, its rule from the
// hyperparameters.
#pragma once

#include <array>
#include <string>

#include "stored_case.hpp"

namespace reference {

namespace detail {

/// The expression of one layer of x; a layer with parameters is called "layer" and its number.
inline std::string layer(const json& stored, int number, const std::string& x) {
  const std::string& type = stored["type"].as<std::string>();
  const auto whole = [&](std::string_view key) { return std::to_string(stored[key].as<std::int64_t>()); };
  const std::string name = quoted("layer" + std::to_string(number));
  if (type == "linear") return call("linear", name + ", " + whole("out"), x);
  if (type == "conv2d")
    return call("conv2d",
                name + ", " + whole("out") + ", tl::conv{.kernel = " + whole("kernel") +
                    ", .stride = " + whole("stride") + ", .padding = " + whole("padding") + "}",
                x);
  if (type == "max_pool2d")
    return call(type, "tl::pool{.kernel = " + whole("kernel") + ", .stride = " + whole("stride") + "}", x);
  for (const char* plain : {"flatten", "relu", "tanh", "sigmoid", "gelu"})
    if (type == plain) return call(type, "", x);
  throw tapeless::error("the generator has no spelling of a layer of type " + type);
}

/// Throws where the run is of another kind than those that are written here.
inline void expect(const json& metadata, std::string_view key, const std::string& value) {
  const std::string& found = metadata[key].as<std::string>();
  if (found != value) throw tapeless::error("the generator has no spelling of " + found);
}

}  // namespace detail

/// The network of a case and its loss, as CASE_model; images are of any number.
inline std::string training_model(const stored_case& c) {
  detail::expect(c.metadata(), "loss", "cross_entropy_mean");
  detail::expect(c.metadata(), "input", "x/255");
  integers image = c.shape("x");  // steps, batch, and what one image is
  image.erase(image.begin(), image.begin() + 2);
  std::string text = "struct " + c.name() + "_model {\nconstexpr auto operator()() const {\n";
  text += "auto x = tl::input<\"image\", float, tl::dyn<\"batch\">, " + listed(image) + ">;\n";
  std::string x = "x";
  int number = 0;
  for (const json& stored : c.metadata()["layers"].as<json::array>()) {
    std::string next = "x";
    next += std::to_string(number);
    text += "auto " + next + " = " + detail::layer(stored, number++, x) + ";\n";
    x = next;
  }
  return text + "return tl::cross_entropy(" + x +
         ", tl::input<\"label\", std::int64_t, tl::dyn<\"batch\">>);\n}\n};\n";
}

/// The call that trains it and compares.
inline std::string training_call(const stored_case& c, const std::string& file) {
  detail::expect(c.metadata(), "optimizer", "adam");
  const json& hyper = c.metadata()["hyper"];
  const json::array& betas = hyper["betas"].as<json::array>();
  std::string rule = "tl::adam({.learning_rate = " + literal(hyper["lr"].number());
  rule += ", .beta1 = " + literal(betas.at(0).number()) + ", .beta2 = " + literal(betas.at(1).number());
  rule += ", .epsilon = " + literal(hyper["eps"].number());
  rule += ", .weight_decay = " + literal(hyper["weight_decay"].number()) + "})";
  return "reference::check_training(" + c.name() + "_model{}, " + rule + ", " + quoted(file) + ", " +
         quoted(c.name()) + ");";
}

}  // namespace reference
