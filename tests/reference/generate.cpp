// SPDX-License-Identifier: BSL-1.0
// generate FILE PARTS STEM: writes the tests of a reference file's cases as STEM_0.cpp, STEM_1.cpp, ..., and
// what they cover as STEM.operations. Every case becomes a test: one that cannot be written becomes a test
// that fails and says why.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "clipping.hpp"
#include "coverage.hpp"
#include "layers.hpp"
#include "operations.hpp"
#include "second_order.hpp"
#include "training.hpp"

namespace reference {
namespace {

/// Why the gradient that is stored is not compared: the library's convention at a kink is another one.
std::string other_convention(const stored_case& c) {
  const json* kink = c.metadata().find("kink");
  if (kink == nullptr || !kink->as<bool>() || c.op() != "max_pool2d") return {};
  return "ties share the gradient evenly; stored is all of it at the first of them";
}

/// Writes a case of one operation: its outputs, and the gradient by every input that has one.
void write_operation(writer& w, spelling spell) {
  const stored_case& c = w.source();
  for (int i = 0; i < c.inputs(); ++i) w.input("in" + std::to_string(i));
  w.add(spell(c));
  for (int i = 0; i < c.outputs(); ++i) w.output(numbered("out", i));
  if (const std::string reason = other_convention(c); !reason.empty()) {
    w.leave_out("gout", reason);
    w.leave_out("grad_in0", reason);
    return;
  }
  if (c.gradients().empty()) return;

  std::string total;
  for (int i = 0; i < c.outputs(); ++i) {
    w.input(numbered("gout", i));
    total += (i == 0 ? "" : " + ") + std::string("tl::sum(") + numbered("out", i) + " * " +
             numbered("gout", i) + ")";
  }
  if (c.outputs() > 1) w.define("total", total);
  for (const std::int64_t k : c.gradients()) {
    const std::string x = "in" + std::to_string(k);
    w.output("grad_" + x, c.outputs() > 1 ? "tl::grad(total, " + x + ")" : "tl::vjp(out, " + x + ", gout)");
  }
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + quoted(item);
  return text;
}

/// The members of reference::precision.
std::string precision_of(const stored_case& c) {
  const json* error = c.metadata().find("f32_err");
  if (error == nullptr) return "{}";
  if (error->get_if<std::nullptr_t>() != nullptr) return "{.single = false}";
  return "{.single_tolerance = " + literal(std::max(1e-5, 10 * error->number())) + "}";
}

std::string model_of(const stored_case& c, const program_text& p) {
  std::string results = p.first_output;
  for (const std::string& role : p.outputs)
    results += (results.empty() ? "" : ", ") + std::string("tl::named<") + quoted(role) + ">(" + role + ")";
  return "template <class T>\nstruct " + c.name() + "_model {\nconstexpr auto operator()() const {\n" +
         p.statements + "return tl::outputs(" + results + ");\n}\n};\n";
}

/// What a test calls: check, or check_layer with the layer's parameters.
std::string call_of(const stored_case& c, const std::string& file, const program_text& p) {
  const bool is_layer = !p.mode.empty();
  std::string last;
  for (const auto& [role, reason] : p.exceptions)
    last += (last.empty() ? "" : ", ") + std::string("{") + quoted(role) + ", " + quoted(reason) + "}";
  last = ", {" + last + "}";
  for (const owned_parameter& owned : p.parameters)
    last += ", reference::owned<" + quoted(owned.name) + ">{{" + quoted_list(owned.roles) + "}, " +
            quoted(owned.afterwards) + "}";
  return "reference::check" +
         (is_layer ? "_layer<" + c.name() + "_model, reference::mode::" + p.mode
                   : "<" + c.name() + "_model") +
         ">(" + quoted(file) + ", " + quoted(c.name()) + ",\nreference::roles<" + quoted_list(p.inputs) +
         ">{}, reference::roles<" + quoted_list(p.outputs) + ">{},\n" + precision_of(c) + last + ");";
}

std::string test(const stored_case& c, const std::string& body) {
  return "TEST_CASE(" + quoted(c.name()) + ") {\n" + body + "\n}\n\n";
}

std::string failing_test(const stored_case& c, const std::string& reason) {
  return test(c, "FAIL(" + quoted("not covered: " + reason) + ");");
}

/// The case's program; throws where its operation has no spelling, or an attribute is missing.
program_text program_of(const stored_case& c) {
  writer w(c);
  if (const auto operation = operations().find(c.op()); operation != operations().end()) {
    write_operation(w, operation->second);
    return w.finish();
  }
  for (const programs& more : {layer_programs(), second_order_programs()})
    if (const auto other = more.find(c.op()); other != more.end()) {
      other->second(w);
      return w.finish();
    }
  throw tapeless::error("the generator has no spelling of the operation " + c.op());
}

/// What a source of tests holds: their text, and the headers that they need.
struct source_text {
  std::set<std::string> headers;
  std::string tests;

  std::string text(const std::string& path) const {
    std::string text = "// Generated from " + path + ".\n";
    for (const std::string& header : headers) text += "#include \"reference/" + header + "\"\n";
    return text + "\nnamespace {\n\n" + tests + "}  // namespace\n";
  }
};

void write_case(source_text& to, const stored_case& c, const std::string& file, coverage& covered) {
  std::string header = "harness.hpp", text;
  try {
    if (c.op() == "train") {
      header = "training_harness.hpp";
      text = training_model(c) + test(c, training_call(c, file));
    } else if (c.op() == "clip_grad_norm" || c.op() == "clip_grad_value") {
      header = "clipping_harness.hpp";
      text = test(c, clipping_call(c, file));
    } else {
      const program_text p = program_of(c);
      covered.add(c, p);
      text = model_of(c, p) + test(c, call_of(c, file, p));
    }
  } catch (const tapeless::error& e) {
    text = failing_test(c, e.what());
  }
  to.headers.insert(header);
  to.tests += text;
}

/// A case that this set leaves out, but a whole one has, is a test that says so.
void note_left_out(source_text& to, const std::string& names, const std::string& path) {
  to.headers.insert("harness.hpp");
  const json list = test::read_json(names, path);
  for (const json& name : list.as<json::array>())
    to.tests += "TEST_CASE(" + quoted(name.as<std::string>()) + ") {\nWARN(" +
                quoted("SKIPPED: left out of " + path + "; TAPELESS_REFERENCE_DIR may name a whole set") +
                ");\n}\n\n";
}

/// Leaves a file alone that has that text already, so that nothing is compiled again.
void write_file(const std::string& path, const std::string& text) {
  std::ifstream old(path);
  if (old && std::string{std::istreambuf_iterator<char>(old), {}} == text) return;
  std::ofstream(path) << text;
}

void generate(const std::string& path, std::size_t parts, const std::string& stem) {
  const tapeless::io::safetensors file = tapeless::io::safetensors::read(path);
  coverage covered;
  std::vector<source_text> sources(parts);
  std::size_t number = 0;
  for (const auto& [name, metadata] : file.metadata()) {
    if (name == "_left_out") note_left_out(sources[0], metadata, path);
    if (name.front() == '_') continue;
    write_case(sources[number++ % parts], stored_case(file, name), path, covered);
  }
  for (std::size_t i = 0; i < parts; ++i)
    write_file(stem + "_" + std::to_string(i) + ".cpp", sources[i].text(path));
  write_file(stem + ".operations", covered.text());
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  const int parts = argc == 4 ? std::atoi(argv[2]) : 0;
  if (parts < 1) {
    std::cerr << "generate FILE PARTS STEM\n";
    return 2;
  }
  try {
    reference::generate(argv[1], static_cast<std::size_t>(parts), argv[3]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
