# SPDX-License-Identifier: BSL-1.0
"""Reads the docstrings of the library's headers: what stands in front of a declaration, with its tags."""
import re
from dataclasses import dataclass, field
from pathlib import Path

TAGS = ("formula", "shapes", "errors", "torch", "jax", "optax", "states", "paper", "given", "example", "gives")


@dataclass
class Declaration:
    """One declaration at the level of namespace tapeless, with the comment in front of it."""

    header: str  # below include/tapeless
    name: str
    kind: str  # function, class, concept, variable, alias
    text: str
    doc: list = field(default_factory=list)  # lines of prose
    tags: list = field(default_factory=list)  # (tag, text)
    is_operation: bool = False  # takes or returns expressions
    namespace: str = "tapeless"

    @property
    def room(self):
        return str(Path(self.header).parent)

    def all(self, tag):
        return [text for name, text in self.tags if name == tag]


def bare(line):
    """The line without strings, characters and comments, so that its brackets count."""
    line = re.sub(r'"(\\.|[^"\\])*"', '""', line)
    line = re.sub(r"'(\\.|[^'\\])'", "''", line)
    return re.sub(r"//.*", "", line)


def balance(line):
    line = bare(line)
    return sum(line.count(c) for c in "{(") - sum(line.count(c) for c in "})")


def chunks(text):
    """(namespace, comment lines, declaration lines) of what is in the library's namespaces; detail is left out."""
    lines = iter(text.split("\n"))
    inside, comment = [], []
    for line in lines:
        if found := re.match(r"namespace (tapeless(?:::data)?|literals|forms) \{", line):
            inside.append(found[1])
        elif line.startswith("namespace ") and line.endswith("{"):
            end = "}  // " + line[:-2]
            for line in lines:
                if line == end:
                    break
            comment = []
        elif line.startswith("}  // namespace"):
            comment = []
            if inside:
                inside.pop()
        elif not inside or not line.strip() or line.startswith("#"):
            comment = []
        elif line.startswith("///"):
            comment.append(line[3:].removeprefix(" "))
        elif line.startswith("//"):
            comment = []
        else:
            declaration, depth = [line], balance(line)
            while depth > 0 or not re.search(r"[;}]\s*$", bare(line)):
                line = next(lines)
                declaration.append(line)
                depth += balance(line)
            yield "::".join(name for name in inside if name != "forms"), comment, declaration
            comment = []


def without_template(text):
    """(template head, the rest) of a declaration."""
    if not text.startswith("template"):
        return "", text
    depth = 0
    for i, c in enumerate(text):
        depth += {"<": 1, ">": -1}.get(c, 0)
        if c == ">" and depth == 0:
            return text[: i + 1], text[i + 1 :].strip()
    raise ValueError(text)


def arguments(text, brackets="<({[>)}]"):
    """The parts of a list, split at its own commas."""
    parts, depth, start, quote = [], 0, 0, False
    for i, c in enumerate(text):
        quote = quote != (c == '"' and text[i - 1:i] != "\\" and text[i - 1:i + 2] != "'\"'")
        if not quote and c in brackets:
            depth += 1 if brackets.index(c) < len(brackets) // 2 else -1
        if c == "," and depth == 0 and not quote:
            parts.append(text[start:i].strip())
            start = i + 1
    return [p for p in parts + [text[start:].strip()] if p]


def without_requires(text):
    """What a class's requires-clause stands in front of; any other declaration as it is."""
    found = re.match(r"requires\s*\(.*?\)\s*(?=(?:class|struct) )", text, re.S)
    return text[found.end():] if found else text


def name_and_kind(text):
    rest = without_requires(without_template(text)[1])
    if found := re.match(r"concept (\w+)", rest):
        return found[1], "concept"
    if found := re.match(r"using (\w+)", rest):
        return found[1], "alias"
    if found := re.search(r"^(?:class|struct|enum class|enum) (?:\[\[[^]]*\]\] )?(\w+)(\S*)", rest):
        return found[1], "specialization" if found[2].startswith("<") else "class"
    before = re.sub(r"\[\[[^]]*\]\]", "", rest)
    if found := re.search(r"(operator\S+|\boperator\"\"\s*\w+|~?\w+)\(", re.sub(r"requires\s*\(", "requires ", before)):
        return found[1], "function"
    if found := re.search(r"(\w+)(?:<[^=;]*>)?\s*(?:=|\{|;)", before):
        return found[1], "variable"
    return "", "other"


def split_tags(comment):
    doc, tags = [], []
    for line in comment:
        found = re.match(r"@(\w+) ?(.*)", line)
        if found and found[1] in TAGS:
            tags.append([found[1], found[2]])
        elif tags and line.strip():
            tags[-1][1] += ("\n" if tags[-1][0] == "example" else " ") + line.strip()
        elif not tags:
            doc.append(line)
    return doc, [tuple(tag) for tag in tags]


def read(root, header):
    result, last = [], None
    for namespace, comment, lines in chunks((root / header).read_text()):
        text = "\n".join(lines)
        if text.startswith("template <layer_argument"):  # what chooses among a layer's forms
            continue
        name, kind = name_and_kind(text)
        doc, tags = split_tags(comment)
        declaration = Declaration(header, name, kind, text, doc, tags)
        declaration.namespace = namespace
        declaration.is_operation = "TAPELESS_FACTORY" in text or "  return leaf<" in text
        # an overload for expressions has the comment of the one for values in front of it
        if not comment and last and last.name == name and kind == "function":
            declaration.doc, declaration.tags = last.doc, last.tags
        result.append(declaration)
        last = declaration
    return result


def read_all(include):
    root = Path(include) / "tapeless"
    headers = sorted(str(p.relative_to(root)) for p in root.rglob("*.hpp"))
    return [d for header in headers for d in read(root, header)]
