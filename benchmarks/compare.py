#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Training steps of this library, by hand with Eigen, and of the frameworks that are installed, in one run.

  benchmarks/compare.py [--rows REGEX] [--threads 1,2] [--rounds 5] [--seconds 0.5] [--build FOLDER] [--output FOLDER]

Builds the programs of benchmarks/steps, lets them write each row's first parameters and inputs, and runs all
programs of a row in turn, ROUNDS times, on as many cores as it has threads; none runs beside another. PyTorch
runs eager and compiled, each as installed and with its MKL told that the processor is Intel's ("unlocked"), which
on others makes it faster. JAX runs by jax.jit. Frameworks that this Python cannot import are left out, which is
said. Writes FOLDER/steps.md and FOLDER/steps_N_threads.svg: the median of all rounds' times of a step, the spread
of its middle half, what part of the machine's peak it is, and the peak memory.

All programs start from the same parameters: exits with 1 where a loss after ten steps differs from the library's
by more than 0.1 percent, or where a program fails."""

import argparse
import dataclasses
import datetime
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ORDER = ["by hand", "torch eager", "torch eager, unlocked", "torch compile", "torch compile, unlocked", "jax", "tapeless"]
DIFFERENCE = 1e-3  # of losses; floating-point sums in another order, ten steps on


@dataclasses.dataclass
class Measured:
    """One program's times of one row, in seconds."""
    times: list = dataclasses.field(default_factory=list)
    loss: float = None
    megabytes: float = 0.0

    def median(self):
        return statistics.median(self.times)

    def spread(self):
        """Of the middle half of all times, relative to the median."""
        if len(self.times) < 4:
            return (max(self.times) - min(self.times)) / self.median()
        quarters = statistics.quantiles(self.times, n=4)
        return (quarters[2] - quarters[0]) / self.median()


def duration(seconds):
    """In the unit that leaves one to three digits before the point."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def complaints(results):
    """A line for each program of {row: {program: Measured}} whose loss is not the library's."""
    lines = []
    for row, programs in results.items():
        own = programs.get("tapeless")
        for program, measured in programs.items():
            if own is None or own.loss is None or measured.loss is None:
                continue
            if not abs(measured.loss - own.loss) <= DIFFERENCE * max(abs(own.loss), 1e-3):
                lines.append(f"{row}: the loss of {program} is {measured.loss:.6g}, tapeless has {own.loss:.6g}")
    return lines


def best_framework(programs, unlocked):
    """The framework that is fastest, with or without unlocked ones; None where none was measured."""
    names = [name for name in programs if name.split()[0] in ("torch", "jax") and (unlocked or "unlocked" not in name)]
    return min(names, key=lambda name: programs[name].median(), default=None)


def table(results, rows, peak):
    """Markdown: a line for each row, a column for each program that was measured."""
    columns = [name for name in ORDER if any(name in programs for programs in results.values())]
    head = ["step", *columns, "of by hand", "best framework is", "best unlocked is", "of peak"]
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    for row, programs in results.items():
        own = programs.get("tapeless")
        cells = [row]
        for name in columns:
            m = programs.get(name)
            cells.append(f"{duration(m.median())} ±{50 * m.spread():.0f} %, {m.megabytes:.0f} MB" if m else "")
        hand = programs.get("by hand")
        cells.append(f"{own.median() / hand.median():.2f}" if own and hand else "")
        for unlocked in (False, True):
            best = best_framework(programs, unlocked)
            cells.append(f"{programs[best].median() / own.median():.2f} times as long" if own and best else "")
        cells.append(f"{100 * part_of_peak(own.median(), rows[row], peak):.0f} %" if own else "")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def part_of_peak(seconds, row, peak):
    """What the step needs at the machine's peak, by the seconds that it took."""
    least = row["bytes"] / peak["bytes"] if row["bytes"] else row["operations"] / peak["operations"]
    return least / seconds


def chart(results):
    """SVG: for each row a bar for each program, as long as its time by the library's, on a logarithmic scale."""
    colours = {"by hand": "#8c8c8c", "torch eager": "#f5b7a0", "torch eager, unlocked": "#e8825d",
               "torch compile": "#d95f30", "torch compile, unlocked": "#a8401a", "jax": "#8fb8de", "tapeless": "#2a7f62"}
    left, width, bar, gap, top = 150, 560, 9, 12, 40
    y, shapes = top, []

    def place(ratio):
        return left + width * min(max(math.log2(ratio) + 2, 0), 10) / 10  # from a quarter to 256 times

    for power in range(-2, 9, 2):
        x = place(2.0 ** power)
        shapes.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{top - 8}" y2="BOTTOM" stroke="#8884"/>'
                      f'<text x="{x:.1f}" y="{top - 14}" text-anchor="middle">{2.0 ** power:g}</text>')
    for row, programs in results.items():
        own = programs.get("tapeless")
        if own is None:
            continue
        names = [name for name in ORDER if name in programs]
        shapes.append(f'<text x="{left - 8}" y="{y + bar * len(names) / 2 + 4:.0f}" text-anchor="end">{row}</text>')
        for name in names:
            ratio = programs[name].median() / own.median()
            shapes.append(f'<rect x="{left}" y="{y}" width="{max(place(ratio) - left, 1):.1f}" height="{bar - 1}" '
                          f'fill="{colours[name]}"><title>{row}, {name}: {duration(programs[name].median())}</title></rect>')
            y += bar
        y += gap
    used = [name for name in ORDER if any(name in programs for programs in results.values())]
    for i, name in enumerate(used):
        x, line = left + 190 * (i % 3), y + 12 + 18 * (i // 3)
        shapes.append(f'<rect x="{x}" y="{line - 9}" width="10" height="10" fill="{colours[name]}"/>'
                      f'<text x="{x + 15}" y="{line}">{name}</text>')
    bottom = y + 24 + 18 * ((len(used) + 2) // 3)
    body = "\n".join(shapes).replace("BOTTOM", str(y - gap + 4))
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 30} {bottom}" '
            f'font-family="sans-serif" font-size="11" fill="#777">\n<title>Time of a step by the library\'s</title>\n'
            f"{body}\n</svg>\n")


def google_benchmark(text, program):
    """What one run of a program of Google Benchmark has measured."""
    measured = Measured()
    for entry in json.loads(text)["benchmarks"]:
        if entry.get("run_type", "iteration") == "iteration":
            measured.times.append(entry["real_time"] * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}[entry["time_unit"]])
            measured.loss, measured.megabytes = entry["loss"], entry["megabytes"]
    if not measured.times:
        raise ValueError(f"{program} has measured nothing")
    return measured


def framework(text, program):
    """The same of a program in Python: one line of JSON."""
    lines = [line for line in text.splitlines() if line.startswith("{")]
    if not lines:
        raise ValueError(f"{program} has measured nothing")
    found = json.loads(lines[-1])
    return Measured(found["seconds"], found["loss"], found["megabytes"])


def filter_of(row):
    """The extended regular expression of POSIX for one row: escapes of other characters are errors there."""
    return "^" + re.sub(r"([.+*?()\[\]{}|^$\\])", r"\\\1", row) + "/"


def can_import(module):
    return subprocess.run([sys.executable, "-c", f"import {module}"], capture_output=True).returncode == 0


class Comparison:
    def __init__(self, arguments):
        self.a = arguments
        self.build = pathlib.Path(arguments.build).resolve()
        self.programs = self.build / "benchmarks" / "steps"
        self.inputs = self.build / "inputs"
        self.failures = []
        self.frameworks = [name for name, module in (("torch", "torch"), ("jax", "optax")) if can_import(module)]
        for name in ("torch", "jax"):
            if name not in self.frameworks:
                print(f"left out: {name}, which {sys.executable} cannot import", flush=True)

    def prepare(self):
        run = lambda *command: subprocess.run([str(part) for part in command], check=True)
        run("cmake", "-S", HERE.parent, "-B", self.build, "-DCMAKE_BUILD_TYPE=Release", "-DTAPELESS_BUILD_TESTS=OFF",
            "-DTAPELESS_BUILD_EXAMPLES=OFF", "-DTAPELESS_BUILD_BENCHMARKS=ON")
        run("cmake", "--build", self.build, "--parallel", "2", "--target", "benchmark_steps", "benchmark_steps_by_hand")
        self.inputs.mkdir(exist_ok=True)
        run(self.programs / "steps", "--write", self.inputs)
        # the function of MKL that says whether the processor is Intel's
        source = self.build / "unlocked.c"
        source.write_text("int mkl_serv_intel_cpu_true(void) { return 1; }\n")
        run("cc", "-shared", "-fPIC", "-o", self.build / "unlocked.so", source)

    def rows(self):
        listed = subprocess.run([self.programs / "steps", "--rows"], check=True, capture_output=True, text=True).stdout
        rows = [json.loads(line) for line in listed.splitlines()]
        return {row["name"]: row for row in rows if re.search(self.a.rows, row["name"])}

    def peak(self, threads):
        command = self.pinned(threads) + [str(self.programs / "steps"), "--threads", str(threads), "--peak"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    @staticmethod
    def pinned(threads):
        cores = sorted(os.sched_getaffinity(0))[-threads:]
        return ["taskset", "-c", ",".join(map(str, cores))]

    def commands(self, row, threads):
        """Of all programs of a row: name, command, environment, reader of what it prints."""
        alone = {"OMP_NUM_THREADS": str(threads), "MKL_NUM_THREADS": str(threads)}
        timed = [f"--benchmark_min_time={self.a.seconds}", "--benchmark_format=json"]
        exactly = f"--benchmark_filter={filter_of(row)}"
        own = [str(self.programs / "steps"), "--threads", str(threads), exactly, *timed]
        commands = [("tapeless", own, alone, google_benchmark)]
        hand = [str(self.programs / "steps_by_hand"), str(self.inputs), exactly, *timed]
        if threads == 1 and row.split("/")[0] in ("784-500-10", "lstm", "conv-net"):
            commands.append(("by hand", hand, alone, google_benchmark))
        peers = HERE / "peers"
        given = [str(self.inputs), row, str(self.a.seconds), str(threads)]
        if "torch" in self.frameworks:
            for mode in ("eager",) if row.startswith("lookups") else ("eager", "compile"):
                command = [sys.executable, str(peers / "torch_steps.py"), mode, *given]
                preload = f"{self.build / 'unlocked.so'} {os.environ.get('LD_PRELOAD', '')}".strip()
                commands.append((f"torch {mode}", command, alone, framework))
                commands.append((f"torch {mode}, unlocked", command, {**alone, "LD_PRELOAD": preload}, framework))
        if "jax" in self.frameworks:
            one = {"XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"} if threads == 1 else {}
            commands.append(("jax", [sys.executable, str(peers / "jax_steps.py"), *given], {**alone, **one}, framework))
        return commands

    def measure(self, row, threads):
        results = {}
        for _ in range(self.a.rounds):
            for name, command, environment, reader in self.commands(row, threads):
                if (row, name) in self.failures:
                    continue
                done = subprocess.run(self.pinned(threads) + command, capture_output=True, text=True,
                                      env={**os.environ, **environment}, timeout=900)
                try:
                    if done.returncode != 0:
                        raise ValueError(f"{name} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
                    measured = reader(done.stdout, name)
                except ValueError as error:
                    print(f"{row}: {error}", flush=True)
                    self.failures.append((row, name))
                    continue
                all_rounds = results.setdefault(name, Measured())
                all_rounds.times += measured.times
                all_rounds.loss, all_rounds.megabytes = measured.loss, max(all_rounds.megabytes, measured.megabytes)
        print(f"{row}, {threads}: " + ", ".join(f"{name} {duration(m.median())}" for name, m in results.items()), flush=True)
        return results

    def run(self):
        self.prepare()
        output = pathlib.Path(self.a.output)
        output.mkdir(parents=True, exist_ok=True)
        rows, text, wrong = self.rows(), [f"# Training steps, {datetime.date.today()}, {processor()}\n"], []
        for threads in map(int, self.a.threads.split(",")):
            peak = self.peak(threads)
            results = {row: self.measure(row, threads) for row in rows}
            wrong += complaints(results)
            text.append(f"## {threads} thread{'s' if threads > 1 else ''}: peak {peak['operations'] / 1e9:.0f} GF/s of "
                        f"products, {peak['bytes'] / 1e9:.0f} GB/s of copies\n\n{table(results, rows, peak)}\n")
            (output / f"steps_{threads}_threads.svg").write_text(chart(results))
        text += [f"- {line}" for line in wrong]
        (output / "steps.md").write_text("\n".join(text))
        print("\n".join(text))
        return 1 if wrong or self.failures else 0


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", default="", help="only rows whose name this regular expression finds")
    parser.add_argument("--threads", default="1")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--build", default=str(HERE.parent / "build" / "compare"))
    parser.add_argument("--output", default=str(HERE.parent / "build" / "compare"))
    sys.exit(Comparison(parser.parse_args()).run())


if __name__ == "__main__":
    main()
