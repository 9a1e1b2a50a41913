# SPDX-License-Identifier: BSL-1.0
"""What the C++ printed against torch, and runs against one another."""

import math

TOLERANCE = {"double": 1e-9, "float": 2e-4, "tl::f16": 5e-3, "tl::bf16": 3e-2}  # of the largest element, or of 1
ROUNDINGS = {"double": 1, "float": 1, "tl::f16": 4, "tl::bf16": 6}  # that are tried
ROOM = {"double": 50, "float": 50, "tl::f16": 16, "tl::bf16": 8}  # times what rounding was seen to change
USELESS = {"double": 1e-2, "float": 1e-2, "tl::f16": 2e-2, "tl::bf16": 5e-2}  # a program that it changes more is none


def printed(output):
    """{run: {(call, name): words}}; what a run throws is under (0, "THROWS")."""
    runs = {}
    for line in output.splitlines():
        run, call, name, *words = line.split()
        runs.setdefault(int(run), {})[int(call), name] = words
    return runs


def as_torch(program):
    lines = [line for s in program.model.statements if s.torch for line in s.torch.splitlines()]
    return "\n".join("  " + line for line in lines)


def as_tapeless(program):
    return "\n".join("  " + s.in_cpp() for s in program.model.statements)


def largest(values, where):
    return values.abs().where(where, 0).max()


def first_difference(program, run, found):
    """A sentence about the first value that is not torch's, or None; the number of values that were compared; and
    whether rounding decides too much of some."""
    import torch

    from reference import expected

    if (0, "THROWS") in found:
        return "throws: " + " ".join(found[0, "THROWS"]), 0, False
    compared, useless, element = 0, False, program.model.element
    exact = expected(program, run)
    others = [expected(program, run, i + 1) for i in range(ROUNDINGS[element])]
    for key, want in exact.items():
        call, name = key
        where = f"{name} at call {call}"
        got = torch.tensor([float(word) for word in found.get(key, [])], dtype=torch.float64)
        if got.shape != want.shape:
            return f"{where}: {len(got)} elements, torch has {len(want)}", compared, useless
        finite = want.isfinite()
        scale = max(1.0, float(largest(want, finite)))
        moved = max(float(largest(rounded[key] - want, finite)) for rounded in others) / scale
        if not moved < USELESS[element] or any(not torch.equal(rounded[key].isfinite(), finite) for rounded in others):
            useless = True
            continue
        compared += 1
        allowed = TOLERANCE[element] + ROOM[element] * moved
        apart = torch.where(finite | got.isfinite(), (got - want).abs() / scale, 0)
        worst = int(torch.argmax(torch.nan_to_num(apart, nan=math.inf)))
        if not apart[worst] <= allowed:
            return (f"{where}[{worst}]: {float(got[worst])!r}, torch has {float(want[worst])!r}; "
                    f"{float(apart[worst]):.1e} of the largest, {allowed:.1e} are allowed"), compared, useless
    return None, compared, useless


def other_bits(first, second):
    """The first value that is not the same in both, or None."""
    for key in first:
        if first[key] != second.get(key):
            return f"{key[1]} at call {key[0]}"
    return None


def check(program, runs):
    """(complaints, whether something was left out since rounding decides it) of a program's runs."""
    complaints, compared, left_out = [], 0, False
    for run in program.runs:
        if run.number not in runs:
            complaints.append(f"{run}: nothing was printed")
            continue
        difference, values, useless = first_difference(program, run, runs[run.number])
        compared += values
        left_out |= useless
        if difference:
            complaints.append(f"{run}: {difference}")
    for run in program.runs[1:]:
        like = next(r for r in program.runs if r.bits == run.bits)
        if like is not run and like.number in runs and run.number in runs:
            where = other_bits(runs[like.number], runs[run.number])
            if where:
                complaints.append(f"{run}: other bits than {like}: {where}")
    if not compared and not complaints:
        complaints.append("nothing was compared, since rounding decides all")
    return complaints, left_out


def with_a_difference(program, runs):
    """What was printed, but for the first number of each value, which is another in all runs alike."""
    return {run.number: {key: ["1e30", *words[1:]] for key, words in runs[run.number].items()} for run in program.runs}


def report(program, complaints, size):
    seed, element = program.model.seed, program.model.element
    return "\n".join([f"seed {seed} ({element}), again by: run.py --seed {seed} --programs 1 --size {size}",
                      "in tapeless:", as_tapeless(program), "in torch:", as_torch(program),
                      *([f"trained by {program.rule.cpp}"] if program.runs[0].trains else []), *complaints, ""])
