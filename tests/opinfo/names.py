# SPDX-License-Identifier: BSL-1.0
"""The names that docstrings give behind @torch exist in PyTorch. Usage: python names.py INCLUDE

A name without a module, as in "torch.nn.BatchNorm1d, BatchNorm2d", is of the module before it. What is no name, such as
"a + b", is not looked at; nor are torchvision's names where it is not installed."""

import importlib
import pathlib
import re
import sys

OLDEST = (2, 9)  # that has all of them
TAG = re.compile(r"^\s*/// @torch (.*(?:\n\s*///   .*)*)", re.MULTILINE)
NAME = re.compile(r"\b(torch(?:vision)?(?:\.\w+)+)|(?<![\w.(=])([A-Z]\w+)(?![\w.=])")


def exists(name):
    """Whether the longest part of the name that is a module has the rest."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:end]))
        except ImportError:
            continue
        for part in parts[end:]:
            if not hasattr(found, part):
                return False
            found = getattr(found, part)
        return True
    return False


def names_of(text):
    module = ""
    for full, short in NAME.findall(text):
        module = full.rpartition(".")[0] or module
        if module:
            yield full or f"{module}.{short}"


def main():
    try:
        import torch
    except ImportError as why:
        print(f"SKIPPED: {why}")
        return 0
    if tuple(map(int, torch.__version__.split(".")[:2])) < OLDEST:
        print(f"SKIPPED: PyTorch {torch.__version__} is older than {OLDEST[0]}.{OLDEST[1]}")
        return 0
    count, wrong = 0, []
    for header in sorted(pathlib.Path(sys.argv[1]).rglob("*.hpp")):
        for tag in TAG.findall(header.read_text()):
            for name in names_of(tag):
                if name.startswith("torchvision.") and not exists("torchvision"):
                    continue
                count += 1
                if not exists(name):
                    wrong.append(f"{header}: PyTorch {torch.__version__} has no {name}")
    print("\n".join(wrong or [f"PyTorch {torch.__version__} has all {count} names"]))
    return 1 if wrong or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
