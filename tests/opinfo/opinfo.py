# SPDX-License-Identifier: BSL-1.0
"""PyTorch's samples against the library.

    python opinfo.py BUILD [--compiler g++] [--include FOLDER ...] [--only REGEX] [--each N] [--results FILE] [--slice FOLDER]

For every operation that both have: each sample is written in C++ by the tables in operations/, compiled, evaluated node
by node (interpreter.hpp) and compared with PyTorch's values, gradients and second derivatives. --results writes the
table; --slice writes a fixture, the first sample of each form that agrees, which CI compares without PyTorch.
"""

import argparse
import collections
import importlib
import json
import pathlib
import re
import struct
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from spelling import COMPLEX, TABLE, NotExpressible, Spelled  # noqa: E402

MODELS_IN_A_FILE = 150

DTYPES = {"float64": "F64", "float32": "F32", "int64": "I64", "int32": "I32", "uint8": "U8", "bool": "BOOL",
          "int8": "I8", "int16": "I16", "uint32": "U32"}


def write_safetensors(path, tensors):
    """The format's few lines, so that nothing but torch is needed. Larger elements come first, so that all are aligned."""
    order = sorted(tensors.items(), key=lambda item: -item[1].element_size())
    header, pieces, begin = {}, [], 0
    for name, t in order:
        data = t.detach().numpy(force=True).tobytes()
        header[name] = {"dtype": DTYPES[str(t.dtype).removeprefix("torch.")], "shape": list(t.shape),
                        "data_offsets": [begin, begin + len(data)]}
        pieces.append(data)
        begin += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text)
        out.writelines(pieces)


class Case:
    """A sample on its way: how it ended is its `outcome`, and why its `reason`."""

    def __init__(self, operation, number):
        self.operation = operation
        self.number = number
        self.outcome = self.reason = ""
        self.text = None  # the model's, which samples share
        self.roles = {}
        self.tolerance = 0.0
        self.convention = ""

    @property
    def name(self):
        return f"{self.operation}/{self.number}"

    def end(self, outcome, reason=""):
        self.outcome, self.reason = outcome, reason


def take(only, each):
    """The samples, of each operation those of the first so many texts, and those with a text to be compiled."""
    import torch
    from samples import Taken, full_name, operations, samples_of

    for table in sorted((HERE / "operations").glob("*.py")):
        importlib.import_module(f"operations.{table.stem}")
    used, cases, others = set(), [], []
    for op in operations():
        name = full_name(op)
        spell = TABLE.get(name) or TABLE.get(op.name)
        used |= {name, op.name} & TABLE.keys()
        of_complex = not COMPLEX.isdisjoint({name, op.name})
        if spell is None or not op.dtypes & {torch.float64, torch.int64, *([torch.complex128] if of_complex else [])}:
            others.append(name)
            continue
        if only and not re.search(only, name):
            continue
        texts = set()
        for number, sample in enumerate(samples_of(op, of_complex)):
            if len(texts) >= each:
                break
            case = Case(name, number)
            cases.append(case)
            try:
                taken = Taken(op, sample, of_complex)
                spelled = spell(taken.sample)
                if not isinstance(spelled, Spelled):
                    spelled = Spelled(spelled)
                if isinstance(spelled.expressions, str):
                    spelled.expressions = [spelled.expressions]
                declared = taken.declarations()
                case.roles = taken.expected(spelled)
            except NotExpressible as why:
                case.end("not expressible", str(why))
                continue
            except Exception as why:  # of a table, or of PyTorch
                case.end("wrong", f"no expectation: {type(why).__name__}: {str(why)[:150]}")
                continue
            case.tolerance, case.convention = spelled.tolerance, spelled.convention
            outputs = ", ".join(f'tl::named<"y{k}">({e})' for k, e in enumerate(spelled.expressions))
            used_inputs = [d for i, d in enumerate(declared) if re.search(rf"\bx{i}\b", outputs)]
            case.text = " ".join([*used_inputs, f"return tl::outputs({outputs});"])
            texts.add(case.text)
    unknown = TABLE.keys() - used
    assert only or not unknown, f"tables have operations that PyTorch has not: {sorted(unknown)}"
    return cases, others


class Compiler:
    FLAGS = ["-std=c++20", "-O0", "-g0", "-fconstexpr-ops-limit=2000000000", "-fconstexpr-loop-limit=100000000",
             "-fconstexpr-depth=4096", "-ftemplate-depth=4096", "-fdiagnostics-color=never", "-w",
             "--param=ggc-min-heapsize=1000000"]

    def __init__(self, command, includes, folder):
        self.folder = folder
        self.command = [command, *self.FLAGS, f"-I{HERE}", f"-I{ROOT / 'include'}",
                        *(word for i in includes for word in ("-isystem", i))]

    def object(self, source, *options):
        target = self.folder / (pathlib.Path(source).stem + ".o")
        done = subprocess.run([*self.command, *options, "-c", str(source), "-o", str(target)], capture_output=True,
                              text=True, check=False)
        return target, done.returncode, done.stderr

    def must(self, source, *options):
        target, code, errors = self.object(source, *options)
        if code != 0:
            sys.exit(errors)
        return target

    def header(self):
        source = self.folder / "models.hpp"
        source.write_text(f'#include "{HERE / "models.hpp"}"\n')
        done = subprocess.run([*self.command, "-x", "c++-header", str(source), "-o", f"{source}.gch"], check=False)
        if done.returncode != 0:
            sys.exit("models.hpp does not compile")

    def link(self, objects):
        program = self.folder / "compare"
        subprocess.run([self.command[0], *map(str, objects), "-o", str(program), "-lz"], check=True)
        return program


def source_of(models, cases, part):
    """One file: a line for each model, so that an error's line says whose it is, then the cases of these models."""
    lines = ['#include "models.hpp"', "namespace {"]
    for number, text in models.items():
        lines.append(f"struct m{number} {{ constexpr auto operator()() const {{ {text} }} }};")
    lines += ["}  // namespace", f"extern const std::vector<opinfo::sample_case> part_{part}{{"]
    for case, number in cases:
        lines.append(f'{{"{case.name}", &tl::lower<m{number}>::build, {case.tolerance}}},')
    return "\n".join(lines + ["};", ""])


def refused(errors, source, models):
    """Which models an error speaks of, each with the library's sentence, or the compiler's."""
    first_line = 3
    numbers = list(models)
    found = {}
    sentence = ""
    place = None
    for line in errors.splitlines():
        at = re.match(rf"{re.escape(str(source))}:(\d+):", line)
        if at and int(at[1]) - first_line in range(len(numbers)):
            place = numbers[int(at[1]) - first_line]
        said = re.search(r'compile_error<tapeless::sentence<\d+>\{"((?:[^"\\]|\\.)*)"', line)
        if said:
            sentence = said[1].replace('\\"', '"')
        if ": error: " in line and place is not None:
            text = sentence or "no sentence: " + line.split(": error: ", 1)[1][:150]
            found.setdefault(place, text)
            sentence, place = "", None
    return found


def compile_models(compiler, cases):
    """Compiles all texts; those that are refused end here. Post-condition: the object files and how many parts."""
    numbers = {}
    for case in cases:
        if case.text is not None:
            numbers.setdefault(case.text, len(numbers))
    by_model = collections.defaultdict(list)
    for case in cases:
        if case.text is not None:
            by_model[numbers[case.text]].append(case)
    objects, parts = [], 0
    everything = [(number, text) for text, number in numbers.items()]
    for begin in range(0, len(everything), MODELS_IN_A_FILE):
        models = dict(everything[begin : begin + MODELS_IN_A_FILE])
        while models:
            source = compiler.folder / f"models_{parts}.cpp"
            source.write_text(source_of(models, [(c, n) for n in models for c in by_model[n]], parts))
            target, code, errors = compiler.object(source)
            if code == 0:
                objects.append(target)
                parts += 1
                break
            found = refused(errors, source, models)
            if not found:
                (compiler.folder / "errors.txt").write_text(errors)
                sys.exit(f"an error of no model, see {compiler.folder / 'errors.txt'}")
            for number, sentence in found.items():
                del models[number]
                for case in by_model[number]:
                    if re.search("is not a member of .(tl|tapeless)", sentence):
                        case.end("absent")
                    elif sentence.startswith("no sentence"):
                        case.end("wrong", f"does not compile, with {sentence}")
                    else:
                        case.end("not expressible", sentence)
        print(f"  {begin + MODELS_IN_A_FILE} of {len(everything)} models", file=sys.stderr, flush=True)
    return objects, parts


def run(program, cases, data):
    done = subprocess.run([str(program), str(data)], capture_output=True, text=True, check=False)
    lines = {name: rest for name, *rest in (line.split("\t") for line in done.stdout.splitlines())}
    for case in cases:
        if case.outcome:
            continue
        if case.name in lines:
            problem = lines[case.name][-1]
            case.end("wrong" if problem else "convention" if case.convention else "agree", problem or case.convention)
        else:
            case.end("wrong", f"the program ended before: {done.stderr.strip()[-200:]}")


def table_of(cases, others):
    import torch

    absent = {case.operation for case in cases if case.outcome == "absent"}
    cases = [case for case in cases if case.operation not in absent]
    others = sorted([*others, *absent])
    by_operation = collections.defaultdict(list)
    for case in cases:
        by_operation[case.operation].append(case)
    outcomes = ("agree", "convention", "not expressible", "wrong")
    counts = {name: collections.Counter(c.outcome for c in all) for name, all in by_operation.items()}
    total = sum(counts.values(), collections.Counter())
    share = 100 * total["not expressible"] / max(1, len(cases))
    text = [
        "# PyTorch's samples against the library", "",
        f"{len(cases)} samples of {len(by_operation)} operations by PyTorch {torch.__version__.split('+')[0]}: "
        + ", ".join(f"{total[o]} {o}" for o in outcomes) + f". Not expressible are {share:.1f} %.", "",
        "`opinfo.py` writes this file. A sample agrees if its values, its gradients by a fixed cotangent and the",
        "derivatives of these do, in double, and if forward mode agrees with reverse mode.", "",
        "| operation | samples | " + " | ".join(outcomes) + " |", "|---|" + "---:|" * 5]
    for name, count in counts.items():
        numbers = " | ".join(str(count[o] or "") for o in outcomes)
        text.append(f"| `{name.replace('|', ', ')}` | {len(by_operation[name])} | {numbers} |")
    for outcome in outcomes[1:]:
        reasons = collections.Counter((c.operation, c.reason) for c in cases if c.outcome == outcome)
        if reasons:
            text += ["", f"## {outcome.capitalize()}", ""]
            for (name, reason), count in sorted(reasons.items()):
                text.append(f"- `{name.replace('|', ', ')}`, {count}: {reason}")
        if outcome == "convention":
            text.append("- `clamp`, not sampled: at a bound the gradient is 1 here (1/2 with one bound, which is `max` or `min`);"
                        " PyTorch's is 0 with two numbers, 1/2 with two tensors, 1 with one number")
    text += ["", "## Not asked", "", f"PyTorch has {len(others)} more, which have no counterpart here, or no line in",
             "`operations/` yet:", ", ".join(f"`{o.replace('|', ', ')}`" for o in others) + ".", ""]
    return "\n".join(text)


def write_slice(folder, cases):
    """The first sample of each operation and form, by what its text is without numbers, if it is small and agrees."""
    kept, forms = [], set()
    for case in cases:
        size = sum(t.numel() for t in case.roles.values())
        form = (case.operation, re.sub(r"[-\d.]+", "", case.text.split("return", 1)[1]) if case.text else "")
        if case.outcome not in ("agree", "convention") or form in forms or size > 200:
            continue
        forms.add(form)
        kept.append(case)
    folder.mkdir(parents=True, exist_ok=True)
    write_safetensors(folder / "slice.safetensors", data_of(kept))
    models = {number: case.text for number, case in enumerate(kept)}
    tail = "std::vector<opinfo::sample_case> opinfo::all_cases() { return part_0; }\n"
    head = "// SPDX-License-Identifier: BSL-1.0\n// Written by opinfo.py --slice; slice.safetensors has what PyTorch gives.\n// clang-format off\n"
    (folder / "slice.cpp").write_text(head + source_of(models, [(c, n) for n, c in enumerate(kept)], 0) + tail)
    print(f"slice: {len(kept)} cases")


def data_of(cases):
    return {f"{case.name}.{role}": t for case in cases for role, t in case.roles.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--include", action="append", default=["/usr/include/eigen3"])
    parser.add_argument("--only", default="")
    parser.add_argument("--each", type=int, default=1000000)
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--slice", type=pathlib.Path)
    options = parser.parse_args()

    folder = options.build.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    cases, others = take(options.only, options.each)
    write_safetensors(folder / "samples.safetensors", data_of([c for c in cases if not c.outcome]))
    compiler = Compiler(options.compiler, options.include, folder)
    compiler.header()
    objects, parts = compile_models(compiler, cases)
    (folder / "all.cpp").write_text(
        '#include "models.hpp"\n' + "".join(f"extern const std::vector<opinfo::sample_case> part_{p};\n" for p in range(parts))
        + "std::vector<opinfo::sample_case> opinfo::all_cases() {\n  std::vector<sample_case> all;\n"
        + "".join(f"  all.insert(all.end(), part_{p}.begin(), part_{p}.end());\n" for p in range(parts)) + "  return all;\n}\n")
    objects += [compiler.must(folder / "all.cpp"), compiler.must(HERE / "main.cpp"), compiler.must(HERE / "compare.cpp", "-O1")]
    run(compiler.link(objects), cases, folder / "samples.safetensors")
    text = table_of(cases, others)
    (options.results or folder / "results.md").write_text(text)
    if options.slice:
        write_slice(options.slice, cases)
    print(text.splitlines()[2])
    wrong = [c for c in cases if c.outcome == "wrong"]
    for case in wrong:
        print(f"wrong: {case.name}: {case.reason}\n    {case.text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
