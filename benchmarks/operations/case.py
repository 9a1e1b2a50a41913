# SPDX-License-Identifier: BSL-1.0
"""A case is one operation, written for both libraries, with the inputs that it is measured with."""
import dataclasses

CASES = []  # in the order of the files in cases/


@dataclasses.dataclass
class Input:
    """`kind` is one of values.py, with its numbers behind colons."""
    kind: str
    shape: tuple

    def is_floating(self):
        return self.kind.split(":")[0] not in ("below", "between", "equal", "permutation")


@dataclasses.dataclass
class Case:
    name: str
    ours: str   # an expression of C++
    torch: str  # an expression of Python
    inputs: dict
    by: list    # the inputs by which it is differentiated
    same: bool  # whether both give the same values


def case(name, ours, torch, by=None, same=True, **inputs):
    """Inputs are "kind extent extent ..."; without `by` all floating ones are differentiated by; `same` is False where
    both may choose: the order of equal elements, the last of two writers, signs of vectors, random numbers."""
    read = {key: Input(text.split()[0], tuple(map(int, text.split()[1:]))) for key, text in inputs.items()}
    floating = [key for key, value in read.items() if value.is_floating()]
    CASES.append(Case(name, ours, torch, read, floating if by is None else list(by), same))
