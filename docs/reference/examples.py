# SPDX-License-Identifier: BSL-1.0
"""The examples in docstrings: programs that compute them, and whether they give what is written.

    examples.py write INCLUDE FOLDER          a program for each group of rooms
    examples.py compare INCLUDE PROGRAM...    fails where a docstring says another result than these compute
    examples.py update INCLUDE PROGRAM...     writes the results into the headers
"""
import json
import re
import subprocess
import sys
from pathlib import Path

from docstrings import Declaration, read_all

# A program for each group: enough of them for two cores, few enough that headers are read seldom.
GROUPS = {
    "elements": ("ops/pointwise", "ops/activation"),
    "axes": ("ops/reduction", "ops/shape", "ops/indexing", "ops/norm"),
    "products": ("ops/linalg", "ops/loss", "ops/spatial"),
    "sequences": ("ops/attention", "ops/recurrent", "ops/control", "ops/autodiff", "ops/base", "ops/random",
                  "ops/spectral"),
}
MODEL = 20  # examples in a model: of many, compile time grows with the square; each has a cost of its own
TYPES = {"int32": "std::int32_t", "int64": "std::int64_t", "float": "float", "double": "double", "bool": "bool"}
RESULT = re.compile(r"^(.*?)(?: = (\[.*\]|true|false|-?[\d.e+-]+|-?inf|nan))?$", re.S)


def expression_and_result(gives):
    return RESULT.match(gives).groups()


def examples(include) -> list[Declaration]:
    """The declarations that have an example, each comment once."""
    seen, result = set(), []
    for d in read_all(include):
        if d.all("gives") and id(d.tags) not in seen:
            seen.add(id(d.tags))
            result.append(d)
    return result


def given(text):
    """(name, C++ type, extents, elements) of each `x = [1, 2]`."""
    for one in filter(None, (part.strip() for part in text.split(";"))):
        name, kind, values = re.match(r"(\w+) = (int32|int64|double|bool)?\s*(.*)$", one).groups()
        value, extents = json.loads(values), []
        while isinstance(value, list):
            extents.append(len(value))
            value = value[0]
        elements = re.findall(r"[-\w.]+", values)
        yield name, TYPES[kind or ("bool" if elements[0] in ("true", "false") else "float")], extents, elements


def has_parameters(d):
    """Whether a layer with parameters is in the example: they start as in a model without others."""
    return d.room != "ops/random" and any(re.search(r'<"\w+"', text) for text in d.all("gives") + d.all("example"))


def model(number, declarations):
    """A model of these examples, each in a scope of its own, and the lines that run it."""
    scopes, values, bindings, inputs, prints = [], [], [], [], []
    for i, d in enumerate(declarations):
        lines = []
        for text in d.all("given"):
            for name, kind, extents, elements in given(text):
                shape = "".join(f", {e}" for e in extents)
                lines.append(f'    [[maybe_unused]] auto {name} = tl::input<"{i}.{name}", {kind}{shape}>;')
                value = f"e{i}_{name}"
                values.append(f"    const std::array<{kind}, {len(elements)}> {value}{{{', '.join(elements)}}};")
                bindings.append(f'"{i}.{name}"_t = {value if extents else value + "[0]"}')
                inputs.append(f'input("{i}.{name}", {value}, {{{", ".join(map(str, extents))}}})')
        lines += ["    [[maybe_unused]] " + text for text in d.all("example")]
        outputs = []
        for k, gives in enumerate(d.all("gives")):
            outputs.append(f'tl::named<"{i}.{k}">({expression_and_result(gives)[0]})')
            prints.append(f'    give<"{i}.{k}">("{d.header} {d.name} {k}", f, results, inputs);')
        scopes.append("  auto e%d = [] {  // %s\n%s\n    return std::tuple(%s);\n  }();" % (
            i, d.header, "\n".join(lines), ",\n                      ".join(outputs)))
    all_outputs = ", ".join(f"e{i}" for i in range(len(declarations)))
    return (f"constexpr auto model{number} = [] {{\n" + "\n".join(scopes) + f"""
  return std::apply([](auto... outputs) {{ return tl::outputs(outputs...); }}, std::tuple_cat({all_outputs}));
}};
""", f"""  {{
    tl::function f{{model{number}}};
{chr(10).join(values)}
    const auto results = f({", ".join(bindings)});
    const std::vector<tl::io::tensor_entry> inputs{{{", ".join(inputs)}}};
{chr(10).join(prints)}
  }}
""")


def program(declarations):
    alone = [d for d in declarations if has_parameters(d)]
    others = [d for d in declarations if not has_parameters(d)]
    parts = [others[i:i + MODEL] for i in range(0, len(others), MODEL)] + [[d] for d in alone]
    models, runs = zip(*(model(i, part) for i, part in enumerate(parts)))
    return ('// Written by docs/reference/examples.py\n#include "example_program.hpp"\n\n' + "\n".join(models) +
            "\nint main() {\n" + "".join(runs) + "}\n")


def write(include, folder):
    found = examples(include)
    lost = {d.room for d in found} - {room for rooms in GROUPS.values() for room in rooms}
    if lost:
        sys.exit(f"no group of examples.py holds the rooms {sorted(lost)}")
    for group, rooms in GROUPS.items():
        text = program([d for d in found if d.room in rooms])
        path = Path(folder) / f"{group}.cpp"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def results_of(programs):
    results = {}
    for program in programs:
        for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
            header, name, index, value = line.split(" ", 3)
            results[header, name, int(index)] = value
    return results


def compare(include, programs):
    results, wrong = results_of(programs), []
    found = examples(include)
    for d in found:
        for k, gives in enumerate(d.all("gives")):
            expression, said = expression_and_result(gives)
            computed = results.get((d.header, d.name, k))
            if said != computed:
                wrong.append(f"{d.header}: {expression} gives {computed}, the docstring says {said}")
    if wrong:
        sys.exit("\n".join(wrong) + "\nThe target reference_examples_update writes what the programs print.")
    print(f"The examples of {len(found)} docstrings give what they say")


def update(include, programs):
    results = results_of(programs)
    for d in examples(include):
        path = Path(include) / "tapeless" / d.header
        text = path.read_text()
        for k, gives in enumerate(d.all("gives")):
            expression, _ = expression_and_result(gives)
            gap = r"\s+(?:///\s+)?"
            pattern = gap.join(re.escape(word) for word in ("@gives " + expression).split(" "))
            tail = r"(?: = [^\n]*| =\n///[^\n]*|\n///\s+= [^\n]*)?\n"
            line = f"@gives {expression} = {results[d.header, d.name, k]}"
            text = re.sub(pattern + tail, lambda _: wrapped(line) + "\n", text, count=1)
        path.write_text(text)


def wrapped(line, width=106):
    if len(line) <= width:
        return line
    head, _, tail = line.rpartition(" = ")
    return f"{head}\n///   = {tail}"


if __name__ == "__main__":
    command, include, *rest = sys.argv[1:]
    {"write": lambda: write(include, rest[0]), "compare": lambda: compare(include, rest),
     "update": lambda: update(include, rest)}[command]()
