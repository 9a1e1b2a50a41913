#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Operations of this library and of PyTorch, on one thread, forward and with their derivatives, in one run.

  benchmarks/operations/operations.py [--families pointwise,shapes] [--cases REGEX] [--rounds 3]
                                      [--build FOLDER] [--output FILE.md] [--all]

Writes programs of the cases in cases/, builds them with g++ -O3 -march=native, and runs each in turn with PyTorch,
ROUNDS times. A time is the processor's of the thread, the fastest of all; both write results into memory of their own.
The table has what takes more than PyTorch's time, or all. Exits with 1 where both give other values, or a program
does not build."""
import argparse
import concurrent.futures
import importlib
import json
import pathlib
import re
import subprocess
import sys
import time

import torch

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "cases")]
import case as cases  # noqa: E402
import values         # noqa: E402

FAMILIES = [path.stem for path in sorted((HERE / "cases").glob("*.py"))]
TOGETHER = 12  # cases of a program
LIMITS = ["-fconstexpr-ops-limit=2000000000", "-fconstexpr-loop-limit=100000000", "-fconstexpr-depth=4096",
          "-ftemplate-depth=4096"]
TYPES = {torch.int64: "std::int64_t", torch.float32: "float"}
DIFFERENCE = 1e-4  # of checksums, relative to the magnitudes of their terms


def shaped(kind, shape):
    return ", ".join([kind, *map(str, shape)])


def source(case, folder):
    """The C++ of one case, whose inputs are written to the folder."""
    inputs = values.inputs_of(case)
    with torch.no_grad():
        shape = values.function_of(case)(*inputs.values()).shape
    tensors = {**inputs, "cotangent": values.cotangent(shape)} if case.by else inputs
    reads, bound = [], []
    for name, tensor in tensors.items():
        path = folder / f"{case.name}.{name}"
        tensor.numpy().tofile(path)
        reads.append(f'  const auto {name} = read<{TYPES[tensor.dtype]}>("{path}", {tensor.numel()});')
        bound.append(f'"{name}"_t = {name}')
    declared = "".join(f'  [[maybe_unused]] auto {name} = tl::input<"{name}", {shaped(TYPES[t.dtype], t.shape)}>;\n'
                       for name, t in inputs.items())
    # a trainer needs a loss and a parameter
    begin = f'{declared}  auto result = {case.ours};\n  auto loss = tl::sum(tl::param<"none", float, 1>);\n'
    outputs = '  return tl::outputs(loss, tl::named<"result">(result)'
    text = f"constexpr auto forward = [] {{\n{begin}{outputs});\n}};\n"
    run = f'  measure("{case.name}", "forward", forward, [](const auto& r) {{ return checksum_of(r.template get<"result">()); }}, '
    run += ", ".join(bound[:len(inputs)]) + ");\n"
    if case.by:
        text += f'constexpr auto both = [] {{\n{begin}  auto cotangent = tl::input<"cotangent", {shaped("float", shape)}>;\n'
        gradients = "".join(f', tl::named<"by {n}">(tl::grad(tl::sum(result * cotangent), {n}))' for n in case.by)
        text += f"{outputs}{gradients});\n}};\n"
        sums = " + ".join(f'checksum_of(r.template get<"by {n}">())' for n in case.by)
        run += f'  measure("{case.name}", "both", both, [](const auto& r) {{ return {sums}; }}, {", ".join(bound)});\n'
    space = "case_" + re.sub(r"\W", "_", case.name)
    return f"namespace {space} {{\n{text}void run() {{\n" + "\n".join(reads) + f"\n{run}}}\n}}\n", space


def build(number, group, folder):
    written = [source(case, folder) for case in group]
    path = folder / f"program{number}.cpp"
    calls = "".join(f"  {space}::run();\n" for _, space in written)
    path.write_text('#include "program.hpp"\n' + "".join(text for text, _ in written) + f"int main() {{\n{calls}}}\n")
    command = ["g++", "-std=c++20", "-O3", "-march=native", "-DNDEBUG", "-w", *LIMITS, f"-I{HERE}",
               f"-I{HERE.parent.parent / 'include'}", "-isystem", "/usr/include/eigen3", str(path), "-o",
               str(path.with_suffix("")), "-lpthread"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{path.name}, {', '.join(case.name for case in group)}: {done.stderr[:2000]}")
    return path.with_suffix("")


def fastest(call):
    """As in program.hpp."""
    call()
    start = time.thread_time()
    call()
    once = max(time.thread_time() - start, 1e-7)
    calls, least = max(1, int(300e-6 / once)), 1e9
    for _ in range(20 if once < 0.03 else 3):
        start = time.thread_time()
        for _ in range(calls):
            call()
        least = min(least, (time.thread_time() - start) / calls)
    return 1e6 * least


def checksum_of(tensors):
    """As in program.hpp, and the sum of the terms' magnitudes."""
    terms = [t.detach().double().reshape(-1) * (1 + torch.arange(t.numel()) % 7) for t in tensors]
    return sum(t.sum().item() for t in terms), sum(t.abs().sum().item() for t in terms)


def measured_by_torch(case):
    inputs, function = values.inputs_of(case), values.function_of(case)
    with torch.no_grad():
        y = function(*inputs.values())
        found = {"forward": fastest(lambda: function(*inputs.values())), "forward checksum": checksum_of([y])}
    if case.by:
        by, g = [inputs[name].requires_grad_(True) for name in case.by], values.cotangent(y.shape)

        def both():
            return torch.autograd.grad(function(*inputs.values()), by, g)

        found |= {"both": fastest(both), "both checksum": checksum_of(both())}
    return found


def least(found, new):
    for key, value in new.items():
        found[key] = value if key.endswith("checksum") else min(found.get(key, value), value)


def measure(group, program, rounds):
    ours, theirs = {case.name: {} for case in group}, {case.name: {} for case in group}
    for _ in range(rounds):
        for line in subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines():
            read = json.loads(line)
            least(ours[read.pop("name")], read)
        for case in group:
            least(theirs[case.name], measured_by_torch(case))
    return ours, theirs


def row(case, ours, theirs, complaints):
    ratios = [ours[what] / theirs[what] for what in ("forward", "both") if what in ours]
    for what in ("forward checksum", "both checksum"):
        if case.same and what in ours:
            own, (other, magnitude) = float(ours[what]), theirs[what]
            if not abs(own - other) <= DIFFERENCE * magnitude + 1e-6:
                complaints.append(f"{case.name}: {what} {own:.6g}, of PyTorch {other:.6g}")
    cells = [case.name]
    for what, ratio in zip(("forward", "both"), ratios + [None]):
        if ratio is not None:
            cells += [f"{ours[what]:.4g}", f"{theirs[what]:.4g}", f"{ratio:.2f}"]
    return max(ratios), "| " + " | ".join(cells + [""] * (7 - len(cells))) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--cases", default="")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build-operations"))
    parser.add_argument("--output", type=pathlib.Path, default=None)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(1)
    for family in options.families.split(","):
        importlib.import_module(family)
    chosen = [case for case in cases.CASES if re.search(options.cases, case.name)]
    groups = [chosen[i:i + TOGETHER] for i in range(0, len(chosen), TOGETHER)]
    options.build.mkdir(parents=True, exist_ok=True)
    folder = options.build.resolve()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        programs = list(pool.map(lambda both: build(*both, folder), enumerate(groups)))
    rows, complaints = [], []
    for group, program in zip(groups, programs):
        ours, theirs = measure(group, program, options.rounds)
        rows += [row(case, ours[case.name], theirs[case.name], complaints) for case in group]
    slower = [line for ratio, line in rows if ratio > 1]
    text = f"{len(rows)} operations, {len(slower)} slower than PyTorch {torch.__version__} in one of both:\n\n"
    text += "| operation | forward, us | torch | ratio | with derivatives, us | torch | ratio |\n|---|---:|---:|---:|---:|---:|---:|\n"
    text += "\n".join(line for ratio, line in rows if options.all or ratio > 1) + "\n"
    options.output.write_text(text) if options.output else print(text)
    print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
