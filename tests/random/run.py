#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""Random programs, compared with PyTorch in float64.

  python3 tests/random/run.py --seed 7 --programs 6 [--compiler clang++-19] [--sanitize] [--size 8] [--keep FOLDER]

Writes one C++ file with a program for each of the seeds 7 to 12, compiles and runs it, and compares all values that it
prints with those of the same programs in torch: of a function its outputs, gradients and some second derivatives, of a
trainer the losses of a few steps, and the parameters and running statistics after them. Runs on one, two and three
threads must have the same bits, and so must straight lines and tables of kernels of the same extents; tl::bare has
functions of its own. Exits with 1 where something differs; then it prints the seed, the program in both languages, and
the first difference.

What to do with a finding: take statements out of the C++ in FOLDER while the difference stays, decide by hand or by
finite differences who is right, and add the smallest program as a test of its own at the path of the header that is
wrong. If it is the table that is wrong, as where the two disagree by intent, the entry in operations/ says so.

Of CTest's test random.programs these are the two halves: --write FILE writes the C++ and ends; --executable FILE runs
what was made of it and compares. A new operation is an entry in operations/."""

import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

from builder import random_model  # noqa: E402
from compare import check, printed, report, with_a_difference  # noqa: E402
from emitter import random_program, signature, translation_unit  # noqa: E402
from losses import LOSSES  # noqa: E402
from table import OPERATIONS  # noqa: E402

LIMITS = {"clang": ["-fconstexpr-steps=2000000000", "-fconstexpr-depth=4096", "-fbracket-depth=4096"],
          "g++": ["-fconstexpr-ops-limit=2000000000", "-fconstexpr-loop-limit=100000000", "-fconstexpr-depth=4096"]}


def random_programs(first_seed, count, size):
    programs, runs = [], 0
    for seed in range(first_seed, first_seed + count):
        numbers = random.Random(seed)
        programs.append(random_program(numbers, random_model(numbers, seed, OPERATIONS, LOSSES, size), runs))
        runs += len(programs[-1].runs)
    return programs


def compile_programs(options, source, executable):
    """Not optimized: most of the time is the compiler's own work."""
    command = [options.compiler, "-std=c++20", "-O0", "-w", "-ftemplate-depth=4096", "-DTAPELESS_CHECK_PLANS",
               *LIMITS["clang" if "clang" in options.compiler else "g++"], f"-I{options.include}",
               f"-I{ROOT / 'tests'}", "-isystem", "/usr/include/eigen3", *options.flag]
    if options.sanitize:
        command += ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    return subprocess.run([*command, str(source), "-o", str(executable), "-lz", "-lpthread"]).returncode == 0


def compare(programs, executable, size):
    """Whether all agree."""
    ran = subprocess.run([str(executable)], stdout=subprocess.PIPE, text=True)
    first, _, output = ran.stdout.partition("\n")
    if first != signature(programs):
        print(f"{executable} is not of these programs, which a change of the table makes others: build it again")
        return False
    runs = printed(output)
    wrong = left_out = 0
    for program in programs:
        complaints, useless = check(program, runs)
        if not complaints and not check(program, with_a_difference(program, runs))[0]:
            complaints = ["another number would not be complained of"]
        left_out += useless
        if complaints:
            wrong += 1
            print(report(program, complaints, size))
    if ran.returncode:
        print(f"{executable} ended with {ran.returncode}")
    print(f"{len(programs)} programs from seed {programs[0].model.seed}: {wrong} differ"
          + (f"; {left_out} have values that rounding decides, which were not compared" if left_out else ""))
    return not wrong and not ran.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=6)
    parser.add_argument("--size", type=int, default=8, help="statements of a program")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "c++"))
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--include", type=pathlib.Path, default=ROOT / "include", help="the library's headers")
    parser.add_argument("--flag", action="append", default=[], help="of the compiler, several times, as --flag=-O1")
    parser.add_argument("--keep", type=pathlib.Path, help="where the C++ and its executable stay")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--executable", type=pathlib.Path)
    options = parser.parse_args()

    programs = random_programs(options.seed, options.programs, options.size)
    if options.write:
        options.write.write_text(translation_unit(programs))
        return 0
    try:
        import torch
    except ImportError as why:
        print(f"SKIPPED: {why}")
        return 0
    torch.set_num_threads(1)
    if options.executable:
        return 0 if compare(programs, options.executable, options.size) else 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        source, executable = folder / "programs.cpp", folder / "programs"
        source.write_text(translation_unit(programs))
        if not compile_programs(options, source, executable):
            print(f"seeds {options.seed} to {options.seed + options.programs - 1} do not compile; --keep keeps the C++")
            return 1
        return 0 if compare(programs, executable, options.size) else 1


if __name__ == "__main__":
    sys.exit(main())
