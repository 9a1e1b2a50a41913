# SPDX-License-Identifier: BSL-1.0
"""Prepares the headers for Doxygen, and fails where a docstring lacks what its page needs.

    pages.py SOURCE FOLDER    writes FOLDER/rooms: declarations as users read them, guides, sentences
"""
import html
import re
import sys
from pathlib import Path

from docstrings import Declaration, arguments, read_all, without_requires, without_template
from examples import expression_and_result
from rooms import GUIDES, HIDDEN, NEEDS, PARTS, ROOMS
from sentences import read_errors, write_errors, write_run_time_errors

TITLES = {"formula": "Formula", "shapes": "Shapes and types", "states": "States", "paper": "Paper",
          "torch": "PyTorch", "jax": "JAX", "optax": "Optax", "errors": "Errors"}
problems = []
checked = set()


# --- declarations -----------------------------------------------------------------------------------------------


def signature(d: Declaration):
    """The declaration without what serves the compiler alone: operands that are expressions have that type."""
    head, rest = without_template(" ".join(d.text.split()))
    requires = ""
    if rest.startswith("requires"):
        at = re.search(r"\) (?=TAPELESS_FACTORY|constexpr|inline|auto)|> (?=TAPELESS_FACTORY|constexpr|inline|auto)", rest)
        requires, rest = (rest[: at.end()], rest[at.end():]) if at else (rest, rest)
    depth, sign = 0, re.search(r"operator\W+?(?=\()", rest)
    for i, c in enumerate(rest):  # up to the body
        if sign and sign.start() <= i < sign.end():
            continue
        depth += (c in "(<") - (c in ")>")
        if depth == 0 and (c in "{;" or rest[i:].startswith(" : ")):
            rest = rest[:i].strip()
            break
    rest = re.sub(r"TAPELESS_FACTORY |\binline |\bconstexpr (?=.*\()|\bexplicit ", "", rest)
    kept, replaced = [], {}
    for part in arguments(head[len("template <"):-1] if head.startswith("template <") else head[len("template<"):-1]):
        found = re.match(r"(?:std::same_as<(\w+)>|((?:expression_|reduction_|layer_)?operand|class|element_type)) ?(\.\.\.)? ?(\w+)(?: = (.*))?$", part)
        if found and found[1]:
            replaced[found[4]] = found[1] + (found[5] and "" or "")
        elif found and found[2] and found[2].endswith("operand"):
            replaced[found[4]] = "expression"
        elif found and found[2] == "class" and d.is_operation and re.search(rf"\b{found[4]}\b", requires):
            replaced[found[4]] = "expression"
        else:
            kept.append(part)
    for name, type_name in replaced.items():
        rest = re.sub(rf"\b{name}\b(?=\.\.\.|[ &]|\)|,)", type_name, rest)
    rest = re.sub(r"\b(expression_|layer_)?operand auto\b", "expression", rest)
    return (f"template <{', '.join(kept)}>\n" if kept else "") + rest + ";"


# --- prose ------------------------------------------------------------------------------------------------------

INSIDE = r"(?:\"[^\"]*\"|[^<>\"])*"  # of angle brackets
CALL = r"\((?:[^()]|\([^()]*\))*\)"
CODE = re.compile(rf"`[^`]+`|[\w:]+<(?:{INSIDE}<{INSIDE}>)?{INSIDE}>(?:{CALL})?|(?<![\w|])[a-z_]\w*{CALL}(?! \^)"
                  r"|\b\w+::\w+(?:::\w+)*|\w*\[[\w., *+/-]*\]")


def prose(text):
    """HTML of a docstring's words: what is code looks like it, nothing else means anything to Doxygen."""
    result, at = [], 0
    for found in CODE.finditer(text):
        result += [html.escape(text[at:found.start()], quote=False), f"<code>{html.escape(found[0].strip('`'), quote=False)}</code>"]
        at = found.end()
    return "".join(result + [html.escape(text[at:], quote=False)])


def paragraphs(lines):
    blocks, items = [], []

    def end_items():
        if items:
            blocks.append("<ul>" + "".join(f"<li>{prose(i)}</li>" for i in items) + "</ul>")
            items.clear()

    words = []

    def end_words():
        if words:
            blocks.append(f"<p>{prose(' '.join(words))}</p>")
            words.clear()

    for line in lines:
        if re.match(r" {2}\S", line):
            end_words()
            items.append(line.strip())
        elif items and re.match(r" {3,}\S", line):
            items[-1] += " " + line.strip()
        else:
            end_items()
            if line.strip():
                words.append(line.strip())
            else:
                end_words()
    end_items()
    end_words()
    return blocks


def brief(lines):
    text = " ".join(line.strip() for line in lines).strip()
    found = re.match(r"(.*?[.:;])(?=\s[A-Z]|\s*$)", text)
    sentence = re.sub("[;:]$", ".", found[1]) if found else text
    parts = sentence.split("`")  # between two of them is code, which Doxygen takes as it is
    parts[::2] = [re.sub(r'([<>&@#%\\\\"])', r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)


# --- facts ------------------------------------------------------------------------------------------------------


def row(title, content):
    return f"<tr><th>{title}</th><td>{content}</td></tr>"


def facts(d, sentences, structs):
    """The table below the prose: what the tags say, defaults, the example."""
    rows = []
    for tag, title in TITLES.items():
        for text in d.all(tag):
            if tag == "errors":
                links = []
                for stem in text.split():
                    if stem not in sentences:
                        problems.append(f"{d.header}: {d.name} names the error {stem}, which tests/errors lacks")
                        continue
                    said = sentences[stem][0]
                    own = [s for s in said if re.match(rf"{re.escape(d.name)}\W", s)]
                    links.append(f'<a href="errors.html#{stem}">{html.escape((own or said)[0])}</a>')
                content = "<br>".join(links)
            elif tag in ("formula", "torch", "jax", "optax"):
                content = f"<code>{html.escape(text)}</code>"
            else:
                content = prose(text)
            rows.append(row(title, content))
    options = re.search(r"\bOptions = (\w+)|same_as<(\w+)>|\b(\w+_options) o\b", d.text)
    if d.room.startswith("optim/") and options and (struct := structs.get(options[1] or options[2] or options[3])):
        rows.append(row("Defaults", defaults(struct)))
    elif d.room == "optim/rules" and d.tags:
        problems.append(f"{d.header}: the defaults of {d.name} are not found")
    if d.all("gives"):
        lines = [text for given in d.all("given") for text in map(str.strip, given.split(";"))]
        known = ("<p>with " + ", ".join(f"<code>{html.escape(line)}</code>" for line in lines) + "</p>") if lines else ""
        code = d.all("example")[:]
        for gives in d.all("gives"):
            expression, value = expression_and_result(gives)
            code.append(f"{expression}   // {value}")
        rows.append(row("Example", known + f"<pre>{html.escape(chr(10).join(code))}</pre>"))
    return f'<table class="facts">{"".join(rows)}</table>' if rows else ""


def defaults(struct):
    lines = []
    for line in struct.text.split("\n")[1:-1]:
        if found := re.match(r"\s*([\w:<>]+) (\w+)(?: = ([^;]+)|\{([^}]*)\})?;\s*(?:///?<? ?(.*))?$", line):
            value = found[3] or found[4] or ""
            note = f" <span class='note'>{html.escape(found[5])}</span>" if found[5] else ""
            lines.append(f"<code>.{found[2]}{' = ' + html.escape(value) if value else ''}</code>{note}")
    return "<br>".join(lines)


# --- files ------------------------------------------------------------------------------------------------------


def comment(d, forms, sentences, structs):
    text = [f"\\ingroup {ROOMS[d.room].group}" if d.room in ROOMS else "", "\\brief " + brief(d.doc), ""]
    forms = "\n".join(signature(form) for form in forms) if d.kind == "function" else ""
    body = f'<pre class="signature">{html.escape(forms)}</pre>' if forms else ""
    body += "".join(paragraphs(d.doc)) + facts(d, sentences, structs)
    body += f'<p class="header">#include &lt;tapeless/{d.header}&gt;</p>'
    text += ["\\htmlonly[block]", f'<div class="doc">{body}</div>', "\\endhtmlonly"]
    return "/**\n" + "\n".join(text) + "\n*/\n"


def check(d):
    for tag in NEEDS.get(d.room, ()):
        if not d.all(tag):
            problems.append(f"{d.header}: no docstring of {d.name} has @{tag}")
    for gives in d.all("gives"):
        if expression_and_result(gives)[1] is None:
            problems.append(f"{d.header}: the example of {d.name} has no result yet: {gives}")


def shown(d):
    if d.room not in ROOMS or not d.doc or d.kind in ("specialization", "other", "alias") and not d.doc:
        return False
    if d.kind == "class" and re.search(r"_(operation|statement|layer|transform|contract|kernel)$", d.name):
        return False
    if d.room.startswith("ops/") and d.kind == "function" and not d.is_operation:
        return False
    return (d.header, d.name) not in HIDDEN and (d.header, "*") not in HIDDEN and ROOMS[d.room].takes(d)


def write_rooms(declarations, folder, sentences):
    structs = {d.name: d for d in declarations if d.kind == "class"}
    for d in declarations:  # options by another name
        if (found := re.match(r"using (\w+) = (\w+);", d.text)) and found[2] in structs:
            structs.setdefault(found[1], structs[found[2]])
    tags, entries, files = {}, {}, {}
    for d in declarations:  # what is said of one form holds for all
        if d.tags:
            tags.setdefault((d.header, d.name), d.tags)
    for d in filter(shown, declarations):
        entries.setdefault((d.header, d.name, d.kind, "\n".join(d.doc)), []).append(d)
    for room in sorted({d.room for d in declarations if d.is_operation and d.room.startswith("ops/")} - set(ROOMS)):
        problems.append(f"docs/reference/rooms.py has no chapter for the room {room}")
    for (header, name, kind, _), forms in entries.items():
        first = forms[0]
        first.tags = tags.pop((header, name), [])
        if kind == "function" and (header, name) not in checked:
            checked.add((header, name))
            if first.room != "optim/rules" or name in ROOMS[first.room].names(declarations):
                check(first)
        head, rest = without_template(first.text)
        text = signature(first) if kind == "function" else f"{head}\n{without_requires(rest)}"
        text = f"namespace {first.namespace} {{\n{comment(first, forms, sentences, structs)}{text}\n}}\n"
        files.setdefault(header, []).append(text)
    for header, texts in files.items():
        path = folder / "rooms" / header
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(texts))
    groups = []
    for part in PARTS:
        groups.append(f"/** \\defgroup {part.group} {part.title}\n\\brief {part.text} */\n")
    for room in ROOMS.values():
        if room.part:
            groups.append(f"/** \\defgroup {room.group} {room.title}\n\\ingroup {room.part}\n" + (f"\\brief {room.text} " if room.text else "") + "*/\n")
    (folder / "rooms" / "groups.dox").write_text("\n".join(groups))


def page(path, name):
    """A document as a page of Doxygen's: with a name, and links that lead to pages."""
    text = path.read_text()
    text = re.sub(r"^# (.*)$", rf"# \1 {{#{name}}}", text, count=1, flags=re.M)
    text = re.sub(r"\]\((?:\.\./)?(?:guide/)?(\w+)\.md\)", r"](@ref guide_\1)", text)
    return re.sub(r"<!-- .*? -->\n", "", text)


def write_guides(source, folder):
    items = []
    for path in [source / "docs/guide" / f"{name}.md" for name in GUIDES] + [source / "docs/accuracy.md"]:
        if not path.exists():
            problems.append(f"docs/reference/rooms.py names the guide {path.name}, which does not exist")
            continue
        title = path.read_text().split("\n")[0].removeprefix("# ")
        items.append(f"- [{title}](@ref guide_{path.stem})")
        (folder / "rooms" / f"guide_{path.stem}.md").write_text(page(path, f"guide_{path.stem}"))
    for path in (source / "docs/guide").glob("*.md"):
        if path.stem not in GUIDES:
            problems.append(f"docs/reference/rooms.py does not name the guide {path.name}")
    (folder / "rooms" / "guides.md").write_text("# Guides {#guides}\n\n" + "\n".join(items) + "\n")
    index = (source / "docs/reference/index.md").read_text()
    (folder / "rooms" / "index.md").write_text(index.replace("@GUIDES@", "\n".join(items)))


def main(source, folder):
    sentences = read_errors(source)
    declarations = read_all(source / "include")
    write_rooms(declarations, folder, sentences)
    write_errors(sentences, folder)
    write_run_time_errors(source, folder)
    write_guides(source, folder)
    if problems:
        sys.exit("\n".join(dict.fromkeys(problems)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
