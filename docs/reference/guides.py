# SPDX-License-Identifier: BSL-1.0
"""The code in docs/guide is quoted from programs that are compiled and run.

    guides.py check SOURCE PROGRAMS    fails where a guide says something else; runs the programs in the folder PROGRAMS
    guides.py update SOURCE PROGRAMS   writes what the programs say into the guides

Before a block of code stands whose it is: <!-- NAME.cpp: BEGINNING --> is the function, class or paragraph of
tests/docs/guide/NAME.cpp whose first line begins so; <!-- NAME.cpp --> is all from the first include on, and
<!-- NAME prints --> what the program prints. No other C++ may stand there.
"""
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

BLOCK = re.compile(r"(<!-- (\w+(?:\.[ch]pp)?)(?:: (.*?)| (prints))? -->\n)?```(\w*)\n(.*?)```", re.S)


def quoted(text, beginning):
    lines = text.split("\n")
    if not beginning:
        return text[text.index("#include"):]
    found = [i for i, line in enumerate(lines) if line.strip().startswith(beginning)]
    if not found:
        return None
    first = last = found[0]
    while lines[first - 1].startswith("template <"):
        first -= 1
    if not lines[last].startswith(" "):  # to the end of the definition
        while not re.search(r"^}|^[^ ].*[;}]$", lines[last]):
            last += 1
    else:  # to the end of the paragraph
        indent = len(lines[first]) - len(lines[first].lstrip())
        while lines[last + 1].strip() and len(lines[last + 1]) - len(lines[last + 1].lstrip()) >= indent:
            last += 1
    return textwrap.dedent("\n".join(lines[first:last + 1])) + "\n"


def main(command, source, programs):
    folder, wrong, printed = Path(source) / "tests/docs/guide", [], {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in sorted(folder.glob("*.cpp")):
            text = path.read_text()
            if "<tapeless/mpi.hpp>" in text and not (Path(programs) / path.stem).exists():
                continue  # there is no MPI
            if "int main(" in text:
                run = subprocess.run([str(Path(programs).resolve() / path.stem)], cwd=scratch, capture_output=True, text=True)
                printed[path.stem] = run.stdout
                if run.returncode != 0:
                    wrong.append(f"{path.stem} ended with {run.returncode}: {run.stdout}{run.stderr}")
    blocks, quoted_files = 0, set()
    for path in sorted((Path(source) / "docs/guide").glob("*.md")):

        def check(found):
            nonlocal blocks
            mark, name, beginning, prints, language, block = found.groups()
            if not mark:
                if language == "cpp":
                    wrong.append(f"{path.name} has C++ that is quoted from nowhere: {block.splitlines()[0]}")
                return found[0]
            blocks += 1
            quoted_files.add(name.split(".")[0])
            if prints:
                expected = printed.get(name)
            else:
                expected = quoted((folder / name).read_text(), beginning) if (folder / name).exists() else None
            if expected is None:
                wrong.append(f"{path.name} quotes {mark.strip()}, which is not there")
                return found[0]
            if block != expected and command == "check":
                wrong.append(f"{path.name}: the block {mark.strip()} is not what its program says")
            return f"{mark}```{language}\n{expected}```"

        text = path.read_text()
        updated = BLOCK.sub(check, text)
        if command == "update" and updated != text:
            path.write_text(updated)
    for path in folder.glob("*.cpp"):
        if path.stem not in quoted_files:
            wrong.append(f"no guide quotes {path.name}")
    if wrong:
        sys.exit("\n".join(wrong) + "\nThe target guides_update writes what the programs say.")
    print(f"{blocks} blocks of the guides are what their programs say")


if __name__ == "__main__":
    main(*sys.argv[1:])
