# SPDX-License-Identifier: BSL-1.0
"""The C++ of several random programs in one translation unit, and in what ways each of them runs."""

import dataclasses
import itertools
import math
import zlib

from rules import random_rule
from values import size_of

BATCHES = (3, 1, 7)  # of the calls at run time
STATIC = (3, 3)
STEPS = 7  # of a trainer, whose batches begin anew after the last one


@dataclasses.dataclass
class Way:
    """What a program runs on. Those of the same `bits` promise the same bits."""
    policy: str
    static: bool
    bits: str
    threads: int = 1
    batches: tuple = BATCHES

    @property
    def is_bare(self):
        return self.policy == "tl::bare{}"


@dataclasses.dataclass
class Run(Way):
    number: int = 0
    trains: bool = False

    def __post_init__(self):
        if self.trains:
            self.batches = tuple(itertools.islice(itertools.cycle(self.batches), STEPS))

    def __str__(self):
        kind, batch = "trainer" if self.trains else "function", "static" if self.static else "run-time"
        return f"{kind} on {self.policy}, {batch} batch"


@dataclasses.dataclass
class Program:
    model: object
    rule: object
    runs: list


def by_tables(static, threads):
    return Way(f"tl::cpu_by_tables{{.threads = {threads}}}", static, "static" if static else "run time", threads,
               STATIC if static else BATCHES)


AT_RUN_TIME = [by_tables(False, threads) for threads in (1, 2, 3)]
TABLES = by_tables(True, 1)
STRAIGHT = Way("tl::cpu{.threads = 1}", True, "static", batches=STATIC)
# of the model at run time, with the bits of the static one in this batch
STRAIGHT_AT = Way(f"tl::straight_line_at<{STATIC[0]}>{{.threads = 1}}", False, "static", batches=STATIC)
BARE = Way("tl::bare{}", True, "bare", batches=STATIC)  # its functions are its own


def random_program(random, model, first_run):
    """Values and gradients, or training; with a run-time batch on several threads, static by tables and not."""
    trains = random.random() < 0.4 and "16" not in model.element  # whose parameters rules round in each step
    rule = random_rule(random, model.parameters + [p for p in model.owned if not p.is_state])
    bare = BARE if rule.every == 1 else TABLES  # it cannot accumulate
    ways = random.choice([AT_RUN_TIME, [TABLES, by_tables(True, 3), STRAIGHT], [*AT_RUN_TIME, STRAIGHT],
                          [TABLES, random.choice([STRAIGHT_AT, bare])]])
    runs = [Run(**vars(way), number=first_run + i, trains=trains) for i, way in enumerate(ways)]
    return Program(model, rule, runs)


def model_lines(program):
    """The body of the model's function. Of what trains, the loss alone is first."""
    model, trains = program.model, program.runs[0].trains
    lines = [s.in_cpp() for s in model.statements]
    named = ["loss" if trains else 'tl::named<"loss">(loss)']
    named += [f'tl::named<"{v}.out">({v})' for v in model.outputs]
    if not trains:
        lines += [f"auto grad_{v} = tl::grad(loss, {v});" for v in model.leaves]
        named += [f'tl::named<"grad.{v}">(grad_{v})' for v in model.leaves]
        if model.twice:
            v = model.leaf_of_second
            lines.append(f"auto second = tl::grad(0.5_c * tl::sum(tl::square(grad_{v})), {v});")
            lines.append(f"auto slope = tl::jvp(loss, {v}, grad_{v});")
            named += ['tl::named<"second">(second)', 'tl::named<"slope">(slope)']
    return lines + [f"return tl::outputs({', '.join(named)});"]


def shown_names(program):
    model = program.model
    if program.runs[0].trains:
        return [f"{v}.out" for v in model.outputs]
    names = ["loss", *(f"{v}.out" for v in model.outputs), *(f"grad.{v}" for v in model.leaves)]
    return names + ["second", "slope"] * model.twice


def run_lines(program, run):
    """Calls the function, or steps the trainer, with each batch in turn."""
    model = program.model
    rule = f", {program.rule.cpp}" if run.trains else ""
    lines = [f"test::attempt({run.number}, [] {{"]
    if run.threads > 1:
        lines.append("  const test::smallest_shares split_all;")
    kind, model_name = "trainer" if run.trains else "function", "fixed" if run.static else "at_run_time"
    lines.append(f"  tl::{kind} program{{{model_name}::model{rule}, {run.policy}}};")
    parameters = [(p, f'test::parameter<"{p.label}", {math.prod(p.shape)}>(program)')
                  for p in model.parameters + model.owned]
    lines += [f'  test::start({view}, "{p.label}", {p.low}, {p.high});' for p, view in parameters]
    for call, batch in enumerate(run.batches):
        bound = []
        lines.append("  {")
        if run.trains and call in (program.rule.freezes.start, program.rule.freezes.stop) and program.rule.freezes:
            word = "freeze" if call in program.rule.freezes else "thaw"
            lines.append(f'    program.{word}<"{model.parameters[0]}">();')
        for x in model.inputs:
            which = f'"{x}", {call}, {math.prod(size_of(x.shape, batch))}'
            drawn = f"drawn_indices({which}, {x.below})" if x.below else f"drawn<{model.element}>({which})"
            lines.append(f"    const auto {x} = test::{drawn};")
            bound.append(f'"{x}"_t = {x}')
        lines.append(f"    auto result = program{'.step' if run.trains else ''}({', '.join(bound)});")
        if run.is_bare:
            lines.append('    if (!result.is_valid()) throw std::runtime_error("is not valid");')
        if run.trains:
            lines.append(f'    test::show({run.number}, {call}, "loss", std::vector<double>{{double(result.loss())}});')
        lines += [f'    test::show({run.number}, {call}, "{name}", result.get<"{name}">());'
                  for name in shown_names(program)]
        lines.append("  }")
    if run.trains:
        lines += [f'  test::show({run.number}, {len(run.batches)}, "{p}", {view});' for p, view in parameters]
    return lines + ["});"]


def program_lines(program, index):
    lines = [f"namespace program_{index} {{  // seed {program.model.seed}"]
    batches = {"at_run_time": 'tl::dyn<"batch">', "fixed": f"std::int64_t{{{STATIC[0]}}}"}
    for name, batch in batches.items():
        if any(run.static == (name == "fixed") for run in program.runs):
            lines += [f"namespace {name} {{", f"constexpr auto batch = {batch};", "constexpr auto model = [] {"]
            lines += ["  " + line for line in model_lines(program)] + ["};", "}"]
    lines.append("void run() {")
    for run in program.runs:
        lines += ["  " + line for line in run_lines(program, run)]
    return lines + ["}", f"}}  // namespace program_{index}", ""]


def signature(programs):
    """The first line that their executable prints."""
    return f"programs {zlib.crc32(repr([program_lines(p, 0) for p in programs]).encode())}"


def translation_unit(programs):
    lines = ['#include "random/random_program.hpp"', ""]
    for index, program in enumerate(programs):
        lines += program_lines(program, index)
    runs = [f"  program_{index}::run();" for index in range(len(programs))]
    return "\n".join([*lines, "int main() {", f'  std::puts("{signature(programs)}");', *runs, "}", ""])
