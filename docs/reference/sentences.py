# SPDX-License-Identifier: BSL-1.0
"""The pages of errors: the compiler's sentences with cause and remedy, from tests/errors, and those that are thrown."""
import html
import re
import textwrap

from docstrings import arguments


def read_errors(source):
    """stem -> (sentences, what the file is about, its program)."""
    result = {}
    for path in sorted((source / "tests/errors").glob("*.cpp")):
        lines = path.read_text().split("\n")
        about, parts, wrapped = [], [], False
        for line in lines[1:]:
            if found := re.match(r"// expect(?:-gnu)?: (.*)", line):
                text = re.sub(r"^/|/$|\.\*", "", found[1].replace('\\"', '"'))
                begins = re.match(r"(?!it )\S+ (got|of a value|takes)\b|(\w+): .*\btl::\2\b", text)
                parts.append(parts.pop() + " " + text if wrapped and not begins else text)
                wrapped = len(found[1]) > 75  # a sentence goes on in the next line
            elif line.startswith("// ") and not re.match(r"// (reject|expect|first|lines|both compilers)", line):
                about.append(line[3:])
            elif not line.startswith("//"):
                break
        program = "\n".join(line for line in lines if not line.startswith("// "))
        result[path.stem] = (parts, " ".join(about), program)
    return result


def difference(program):
    """What is wrong and what is right in a program with #ifdef CORRECTED."""
    wrong, right, where = [], [], None
    for line in program.split("\n"):
        if re.match(r"#if(def CORRECTED| *defined)", line):
            where = right
        elif line.startswith("#ifndef CORRECTED"):
            where = wrong
        elif line.startswith("#else") and where is not None:
            where = wrong if where is right else right
        elif line.startswith("#endif"):
            where = None
        elif where is not None:
            where.append(line)
    return tuple(textwrap.dedent("\n".join(lines)).strip("\n") for lines in (wrong, right))


def write_errors(sentences, folder):
    parts = ["/** \\page errors Sentences of the compiler\n\\htmlonly[block]",
             "<p>What the compiler says where a model does not fit: the sentence, the line that causes it, and the line "
             "that is right. Each is a test of <code>tests/errors</code>. <a href='run_time_errors.html'>"
             "Errors at run time</a> are <code>tl::error</code>s.</p>"]
    for stem, (said, about, program) in sentences.items():
        wrong, right = difference(program)
        said = "".join(f'<p class="sentence">{html.escape(sentence)}</p>' for sentence in said)
        parts.append(f'<section class="error" id="{stem}"><h2>{html.escape(about)}</h2>{said}')
        if wrong:
            parts.append(f"<h3>Cause</h3><pre>{html.escape(wrong)}</pre>")
        if right:
            parts.append(f"<h3>Remedy</h3><pre>{html.escape(right)}</pre>")
        parts.append("</section>")
    (folder / "rooms" / "errors.dox").write_text("\n".join(parts) + "\n\\endhtmlonly */\n")


AREAS = {"train/binding": "What is bound", "train/program": "Calls and results", "train/trainer": "Trainers",
         "train/loop": "Loops", "train/files": "Weights and checkpoints", "optim": "Rules and schedules", "data": "Data sets",
         "io": "Files", "run": "Policies", "": "Others"}


def thrown(text):
    """The sentences that a header throws, with … for what is known only then."""
    for found in re.finditer(r"\bthrow_error\(", text):
        depth, end, quote = 1, found.end(), False
        while depth:
            c = text[end]
            quote = quote != (c == '"' and text[end - 1] != "\\")
            depth += 0 if quote else (c == "(") - (c == ")")
            end += 1
        sentence = ""
        for part in arguments(text[found.end():end - 1].strip().removeprefix("{").removesuffix("}"), "({[)}]"):
            literals = re.findall(r'"((?:\\.|[^"\\])*)"', part)
            whole = re.fullmatch(r'(?:"(?:\\.|[^"\\])*"\s*)+', part)
            sentence += "".join(literals).replace('\\"', '"') if whole else "…"
        sentence = re.sub("…+", "…", sentence)
        if len(sentence) > 12:
            yield sentence


def write_run_time_errors(source, folder):
    sentences = {area: [] for area in AREAS.values()}
    for path in sorted((source / "include/tapeless").rglob("*.hpp")):
        header = str(path.relative_to(source / "include/tapeless"))
        area = next(title for start, title in AREAS.items() if header.startswith(start))
        sentences[area] += [said for said in thrown(path.read_text()) if said not in sentences[area]]
    parts = ["/** \\page run_time_errors Errors at run time\n\\htmlonly[block]",
             "<p>The sentences of <code>tl::error</code>, each behind <code>tapeless: </code>. Where … stands, they name "
             "what came: an input, a file, a number. They say what was expected, which is the remedy.</p>"]
    for area, said in sentences.items():
        if said:
            parts.append(f"<h2>{area}</h2>" + "".join(f'<p class="sentence">{html.escape(s)}</p>' for s in said))
    (folder / "rooms" / "run_time_errors.dox").write_text("\n".join(parts) + "\n\\endhtmlonly */\n")
