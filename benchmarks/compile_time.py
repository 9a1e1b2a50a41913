#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""What it costs to compile programs that use the library: seconds, peak memory and object size, as a
Markdown table, for each compiler that is found.

  benchmarks/compile_time.py [API-FOLDER] [--compilers g++,clang++] [--programs 01,residual] [--repeat 3]

Compiles the complete user programs 01, 02 and 06 of API-FOLDER (tests/api unless told otherwise), the
transformer of 06 with 12 layers by repeat and with 1 and 12 by scan, residual networks of 10, 40 and 80
linear layers, and the 784-500-10 network written by hand with Eigen, for comparison. Seconds are the
processors' time, user and system, of the fastest of REPEAT compilations, so that other work on the machine
shows little; for one compiler process they are the time that one waits.

Exits with 1 where something doesn't compile, or exceeds what is allowed with g++ -O2: 9 s and 600 MB for
02, 15 s and 750 MB for 06, 60 s for its 12 layers by repeat; more by scan for 12 layers than for 1; and more
than linear growth from 40 to 80 residual layers.
"""

import argparse
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
LAYERS = (10, 40, 80)
MOST = {"api/02": (9.0, 600.0), "api/06": (15.0, 750.0), "06, 12 layers by repeat": (60.0, None)}
MEASURED = 1.1  # what two measurements of the same may differ by
LINEAR = 2.2  # times as much for twice the layers: 2 and what is measured unsharply


@dataclasses.dataclass
class Cost:
    """Of one compilation; what it printed where it failed."""
    seconds: float
    megabytes: float
    object_kilobytes: float
    error: str = ""


@dataclasses.dataclass
class Compiler:
    """A compiler with its options, without those that say where headers are."""
    title: str
    command: list
    include: str = "-isystem"


def compilers(wanted):
    """Those of the wanted names that this machine has."""
    # as cmake/limits.cmake has them
    gcc_limits = ["-fconstexpr-ops-limit=2000000000", "-fconstexpr-loop-limit=100000000",
                  "-fconstexpr-depth=4096", "-ftemplate-depth=4096"]
    clang_limits = ["-fconstexpr-steps=2000000000", "-fconstexpr-depth=4096", "-ftemplate-depth=4096",
                    "-fbracket-depth=4096"]
    clang = shutil.which("clang++-19") or shutil.which("clang++")
    nvcc = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
    found = []
    if shutil.which("g++"):
        found += [("g++", Compiler(f"g++ {option}", ["g++", *option.split(), *gcc_limits]))
                  for option in ("-O2", "-O2 -g")]
    if clang:
        found.append(("clang++", Compiler("clang++ -O2", [clang, "-O2", *clang_limits])))
    if nvcc:
        found.append(("nvcc", Compiler("nvcc -O2", [nvcc, "-O2", "-x", "cu"])))
    return [c for name, c in found if not wanted or name in wanted]


def eigen_folder():
    """Where Eigen's headers are, by pkg-config or by the usual place."""
    try:
        flags = subprocess.run(["pkg-config", "--cflags-only-I", "eigen3"], capture_output=True, text=True,
                               check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError):
        flags = []
    return flags[0][2:] if flags else "/usr/include/eigen3"


def residual_program(layers):
    """A program that takes one step of a network with so many residual layers."""
    lines = "\n".join(f'  auto h{i} = h{i - 1} + tl::relu(tl::linear<"layer{i}", 64>(h{i - 1}));'
                      for i in range(1, layers + 1))
    return f"""#include <tapeless/tapeless.hpp>
namespace tl = tapeless;
using namespace tl::literals;

constexpr auto batch = tl::dyn<"batch">;
constexpr auto model = [] {{
  auto h0 = tl::input<"x", float, batch, 64>;
  auto y = tl::input<"y", float, batch, 64>;
{lines}
  return tl::mean(tl::square(h{layers} - y));
}};

int main() {{
  tl::trainer net{{model, tl::adam({{}})}};
  std::vector<float> x(32 * 64, 1), y(32 * 64, 2);
  return net.step("x"_t = x, "y"_t = y).loss() > 0 ? 0 : 1;
}}
"""


HAND_WRITTEN = """#include "hand_written_mlp.hpp"
#include <vector>

int main() {
  by_hand::classifier<by_hand::Dynamic> net(32, {});
  std::vector<float> x(32 * 784, 1);
  std::vector<std::int32_t> y(32, 2);
  return net.step(x, y) > 0 ? 0 : 1;
}
"""


def with_layers(transformer, layers):
    """The program 06 with another number of layers."""
    return transformer.replace("layers = 4", f"layers = {layers}")


def by_scan(transformer):
    """The program 06 with a loop of layers whose parameters are stacked."""
    start = transformer.index("tl::repeat<layers>(")
    end = transformer.index("});", start) + 2
    return (transformer[:start] + 'tl::scan<layers>(h, [](auto x) { return block<"block">(x); })' + transformer[end:])


def programs(api, folder, wanted):
    """Titles and files; those that have to be written are put into `folder`."""
    found = []
    for start in ("01", "02", "06"):
        found += [(f"api/{file.stem}", file) for file in sorted(api.glob(f"{start}*.cpp"))]
    if not found:
        print(f"no programs in {api}", file=sys.stderr)
    written = {f"residual, {n} layers": residual_program(n) for n in LAYERS}
    written["by hand, 784-500-10"] = HAND_WRITTEN
    for file in api.glob("06*.cpp"):
        transformer = file.read_text()
        written["06, 12 layers by repeat"] = with_layers(transformer, 12)
        for n in (1, 12):
            written[f"06, {n} layers by scan"] = by_scan(with_layers(transformer, n))
    for i, (title, text) in enumerate(written.items()):
        file = folder / f"program{i}.cpp"
        file.write_text(text)
        found.append((title, file))
    return [(title, file) for title, file in found if not wanted or any(w in title for w in wanted)]


def compile_once(compiler, source, folder):
    """The cost of compiling one file, from the operating system's account of the finished process."""
    out = folder / "program.o"
    out.unlink(missing_ok=True)
    command = [*compiler.command, "-std=c++20", "-I", str(REPOSITORY / "include"),
               "-I", str(REPOSITORY / "benchmarks"), compiler.include, eigen_folder(),
               "-c", str(source), "-o", str(out)]
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=errors, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        text = errors.read().decode(errors="replace") if process.returncode else ""
    size = out.stat().st_size if out.exists() else 0
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1000, size / 1000,
                text or ("failed" if process.returncode else ""))


def measure(compiler, source, folder, repeat):
    """The cheapest of several compilations; the first that fails ends it."""
    best = None
    for _ in range(repeat):
        cost = compile_once(compiler, source, folder)
        if cost.error:
            return cost
        best = cost if best is None or cost.seconds < best.seconds else best
    return best


def first_error(text):
    """The first line of a compiler's output that names an error."""
    lines = text.strip().splitlines()
    return next((line for line in lines if "error" in line), lines[0] if lines else "")


def most_of(program):
    """The seconds and megabytes that a program may take, if that is laid down."""
    return next((most for start, most in MOST.items() if program.startswith(start)), None)


def exceeded(costs):
    """Sentences about what exceeds the limits; costs by compiler and program."""
    for (compiler, program), cost in costs.items():
        if cost.error:
            yield f"{program} does not compile with {compiler}: {first_error(cost.error)}"
        elif compiler == "g++ -O2" and (allowed := most_of(program)):
            seconds, megabytes = allowed
            if cost.seconds > seconds or cost.megabytes > (megabytes or cost.megabytes):
                yield (f"{program} with {compiler}: {cost.seconds:.1f} s and {cost.megabytes:.0f} MB, at most "
                       f"{seconds:.0f} s" + (f" and {megabytes:.0f} MB" if megabytes else "") + " are allowed")
        elif program == "06, 12 layers by scan":
            one = costs.get((compiler, "06, 1 layers by scan"))
            if one and cost.seconds > MEASURED * one.seconds:
                yield f"{compiler}: 12 layers by scan take {cost.seconds:.1f} s, one takes {one.seconds:.1f} s"
        elif program == "residual, 80 layers":
            less = costs.get((compiler, "residual, 40 layers"))
            for what in ("seconds", "megabytes", "object_kilobytes"):
                if less and not less.error and getattr(cost, what) > LINEAR * getattr(less, what):
                    yield f"{compiler}: {what} grow more than linearly from 40 to 80 layers"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("api", nargs="?", default=REPOSITORY / "tests" / "api", type=pathlib.Path)
    parser.add_argument("--compilers", help="g++, clang++, nvcc, separated by commas", default="")
    parser.add_argument("--programs", help="parts of the programs' titles, separated by commas", default="")
    parser.add_argument("--repeat", type=int, default=1, help="compile so many times, take the fastest")
    options = parser.parse_args()

    def names(text):
        return [t for t in text.split(",") if t]

    costs = {}
    print("| program | compiler | seconds | memory, MB | object, kB |\n|---|---|---:|---:|---:|", flush=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for title, source in programs(options.api, folder, names(options.programs)):
            for compiler in compilers(names(options.compilers)):
                cost = measure(compiler, source, folder, max(1, options.repeat))
                costs[compiler.title, title] = cost
                figures = ("does not compile | |" if cost.error else
                           f"{cost.seconds:.1f} | {cost.megabytes:.0f} | {cost.object_kilobytes:.0f}")
                print(f"| {title} | {compiler.title} | {figures} |", flush=True)
    complaints = list(exceeded(costs))
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
