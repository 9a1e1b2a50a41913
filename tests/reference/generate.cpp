// SPDX-License-Identifier: BSL-1.0
// generate FILE SHARDS STEM INCLUDE: writes the tests of a reference file's cases as STEM_0.cpp, STEM_1.cpp,
// ... Every case becomes a test: one that cannot be written becomes a test that fails and says why.
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "public_names.hpp"
#include "second_order.hpp"

namespace reference {
namespace {

/// The program of a case of one operation: its outputs, and the gradient by every input that has one.
program_text program_of(const stored_case& c, spelling spell) {
  program_text p;
  const auto input = [&](const std::string& role) {
    p.inputs.push_back(role);
    p.statements += "auto " + role + " = " + input_for(c, role) + ";\n";
  };
  for (int i = 0; i < c.inputs(); ++i) input("in" + std::to_string(i));
  p.statements += spell(c);
  for (int i = 0; i < c.outputs(); ++i) p.outputs.push_back(numbered("out", i));
  if (c.gradients().empty()) return p;

  std::string total;
  for (int i = 0; i < c.outputs(); ++i) {
    input(numbered("gout", i));
    total += (i == 0 ? "" : " + ") + std::string("tl::sum(") + numbered("out", i) + " * " +
             numbered("gout", i) + ")";
  }
  if (c.outputs() > 1) p.statements += "auto total = " + total + ";\n";
  for (const std::int64_t k : c.gradients()) {
    const std::string x = "in" + std::to_string(k);
    p.statements += "auto grad_" + x + " = " +
                    (c.outputs() > 1 ? "tl::grad(total, " + x + ")" : "tl::vjp(out, " + x + ", gout)") +
                    ";\n";
    p.outputs.push_back("grad_" + x);
  }
  return p;
}

bool is_max_pooling(const stored_case& c) { return c.op() == "max_pool2d"; }

/// Where the library's convention at a kink is not the stored one.
void leave_out_other_conventions(const stored_case& c, program_text& p) {
  const json* kink = c.metadata().find("kink");
  if (kink == nullptr || !kink->as<bool>() || !is_max_pooling(c)) return;
  std::erase(p.outputs, "grad_in0");
  std::erase(p.inputs, "gout");
  p.exceptions["gout"] = p.exceptions["grad_in0"] =
      "ties share the gradient evenly here; stored is all of it at the first of them";
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "\"" : ", \"") + item + "\"";
  return text;
}

/// The members of reference::precision.
std::string precision_of(const stored_case& c) {
  const json* error = c.metadata().find("f32_err");
  if (error == nullptr) return "{}";
  if (error->get_if<std::nullptr_t>() != nullptr) return "{.single = false}";
  return "{.single_tolerance = " + literal(std::max(1e-5, 10 * error->number())) + "}";
}

std::string test_of(const stored_case& c, const std::string& file, const program_text& p) {
  std::string named, exceptions;
  for (const std::string& role : p.outputs)
    named += (named.empty() ? "" : ",\n                       ") + std::string("tl::named<\"") + role +
             "\">(" + role + ")";
  for (const auto& [role, reason] : p.exceptions) exceptions += "{\"" + role + "\", \"" + reason + "\"}, ";
  return "template <class T>\nstruct " + c.name() + "_model {\n  constexpr auto operator()() const {\n" +
         p.statements + "    return tl::outputs(" + named + ");\n  }\n};\n" +  //
         "TEST_CASE(\"" + c.name() + "\") {\n  reference::check<" + c.name() + "_model>(\"" + file +
         "\", \"" + c.name() + "\", reference::roles<" + quoted_list(p.inputs) +
         ">{},\n    reference::roles<" + quoted_list(p.outputs) + ">{}, " + precision_of(c) + ", {" +
         exceptions + "});\n}\n\n";
}

std::string failing_test(const stored_case& c, const std::string& reason) {
  return "TEST_CASE(\"" + c.name() + "\") { FAIL(\"not covered: " + reason + "\"); }\n\n";
}

std::string write_case(const stored_case& c, const std::string& file, const public_names& names) {
  program_text p;
  if (const auto operation = operations().find(c.op()); operation != operations().end()) {
    p = program_of(c, operation->second);
    leave_out_other_conventions(c, p);
  } else if (const auto program = second_order_programs().find(c.op());
             program != second_order_programs().end()) {
    detail::writer w(c);
    program->second(w);
    p = w.finish();
  } else {
    return failing_test(c, "tests/reference has no spelling of the operation " + c.op());
  }
  const std::string missing = names.missing_in(p.statements);
  return missing.empty() ? test_of(c, file, p) : failing_test(c, missing + " does not exist");
}

/// Leaves a file alone that has that text already, so that nothing is compiled again.
void write_file(const std::string& path, const std::string& text) {
  std::ifstream old(path);
  if (old && std::string{std::istreambuf_iterator<char>(old), {}} == text) return;
  std::ofstream(path) << text;
}

void generate(const std::string& path, std::size_t shards, const std::string& stem,
              const std::string& include) {
  const tapeless::io::safetensors file = tapeless::io::safetensors::read(path);
  const public_names names(include);
  std::vector<std::string> text(
      shards, "// Generated from " + path + ".\n#include \"reference/harness.hpp\"\n\nnamespace {\n\n");
  std::size_t number = 0;
  for (const auto& [name, metadata] : file.metadata())
    if (name.front() != '_') text[number++ % shards] += write_case(stored_case(file, name), path, names);
  for (std::size_t i = 0; i < shards; ++i)
    write_file(stem + "_" + std::to_string(i) + ".cpp", text[i] + "}  // namespace\n");
}

}  // namespace
}  // namespace reference

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "generate FILE SHARDS STEM INCLUDE\n";
    return 2;
  }
  try {
    reference::generate(argv[1], static_cast<std::size_t>(std::atoi(argv[2])), argv[3], argv[4]);
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 1;
  }
}
