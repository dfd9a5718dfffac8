"""mutate.py COUNT SEED PATH...: breaks valid templates and sees what toscac says.

Templates are the YAML files below the paths, cut at lines `# -----`, without the
lines that are expected to be wrong; those that toscac accepts without a word are used.
Each mutant is one of them with one edit from the table KINDS, each of which makes any
template wrong. A mutant counts as found if an error, or a note of one, stands on a line
that was edited or on that of the definition around it. Prints a line for each kind and what was missed; fails below 99 percent."""

import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ENOUGH = 0.99
# So that no kind is drowned by a frequent one.
SHOWN_MISSES = 40

FIELD = re.compile(
    r' (?P<key>\w+)@(?P<kp>[\d:-]*)@(?P<vp>[\d:-]+)(?:=(?P<value>"(?:[^"\\]|\\.)*"|\S*))?'
)
ENTITY = re.compile(r'(?P<indent> *)(?P<role>\w+)(?: "(?P<name>[^"]*)"(?:@(?P<at>[\d:-]+))?)?')

Place = collections.namedtuple("Place", "line column end_line end_column")
Field = collections.namedtuple("Field", "key key_place place value")
Edit = collections.namedtuple("Edit", "start end text")


class Entity:
    """A line of `--emit=ast --print-locations`."""

    def __init__(self, role, name, place, parent):
        self.role, self.name, self.place, self.parent = role, name, place, parent
        self.fields = []

    def field(self, key):
        return next((field for field in self.fields if field.key == key), None)

    def within(self, *roles):
        """Whether the roles around this entity, innermost first, are these."""
        entity = self
        for role in roles:
            entity = entity.parent
            if entity is None or entity.role != role:
                return False
        return True

    def is_in(self, role):
        return self.role == role or bool(self.parent and self.parent.is_in(role))


def place_of(text):
    return Place(*map(int, re.split("[:-]", text))) if text else None


def parse_ast(text):
    """The entities of the first file."""
    entities, chain = [], []
    for line in text.splitlines():
        match = ENTITY.match(line)
        depth = len(match["indent"]) // 2
        if depth == 0 and entities:
            break
        parent = chain[depth - 1] if depth else None
        entity = Entity(match["role"], match["name"], place_of(match["at"]), parent)
        for field in FIELD.finditer(line, match.end()):
            entity.fields.append(
                Field(field["key"], place_of(field["kp"]), place_of(field["vp"]), field["value"])
            )
        chain[depth:] = [entity]
        entities.append(entity)
    return entities


class Template:
    def __init__(self, text, ast):
        self.text = text
        self.entities = parse_ast(ast)
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line, column):
        return self.starts[line - 1] + column - 1

    def span(self, place):
        return (
            self.offset(place.line, place.column),
            self.offset(place.end_line, place.end_column),
        )

    def source(self, place):
        return self.text[slice(*self.span(place))]

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def replace(self, place, text):
        return Edit(*self.span(place), text)


# ---- Kinds of defects: generators of edits, each of which breaks the template.

TYPED = {
    "node_templates", "relationship_templates", "groups", "policies", "properties",
    "attributes", "inputs", "outputs", "capabilities", "entry_schema", "key_schema",
}  # fmt: skip
WORD = re.compile(r"[A-Za-z][\w.:-]*")


def is_word(template, place):
    return WORD.fullmatch(template.source(place)) is not None


def unknown_type(template, entity):
    field = entity.field("type")
    if field and entity.role in TYPED and is_word(template, field.place):
        yield template.replace(field.place, "Missing9")


def unknown_parent(template, entity):
    field = entity.field("derived_from")
    if field and is_word(template, field.place):
        yield template.replace(field.place, "Missing9")


def unknown_target(template, entity):
    """A node, capability or relationship that a requirement names."""
    if entity.role != "requirements":
        return
    for key in ("node", "capability", "relationship"):
        field = entity.field(key)
        if field and is_word(template, field.place):
            yield template.replace(field.place, "Missing9")


def unknown_listed(template, entity):
    """A name in a list of names."""
    for key in (
        "members", "targets", "valid_source_node_types", "valid_capability_types",
        "valid_relationship_types", "valid_target_node_types", "on_success", "on_failure",
    ):  # fmt: skip
        field = entity.field(key)
        if not field or field.value is None or entity.role == "operations":
            continue
        start, end = template.span(field.place)
        for word in WORD.finditer(template.text[start:end]):
            yield Edit(start + word.start(), start + word.end(), "missing9")


def unknown_member(template, entity):
    """An assignment to something that the type does not have."""
    in_template = entity.within("node_templates") or entity.within("relationship_templates")
    # An interface that the type does not declare is only warned of.
    if entity.place and in_template and entity.role in ("requirements", "capabilities"):
        yield template.replace(entity.place, "missing9")
    if entity.place and entity.role == "operations" and entity.within("interfaces", "node_templates"):
        yield template.replace(entity.place, "missing9")


def assigned(template, entity):
    """The offset and text of what a template assigns to its properties."""
    in_template = entity.role in ("node_templates", "relationship_templates", "groups", "policies")
    field = entity.field("properties")
    if in_template and field and field.value is not None:
        start, end = template.span(field.place)
        return start, template.text[start:end]
    return None


def undeclared_property(template, entity):
    found = assigned(template, entity)
    key = found and re.match(r"\{?\s*([a-z]\w*):", found[1])
    if key:
        yield Edit(found[0] + key.start(1), found[0] + key.end(1), "missing9")


def map_for_scalar(template, entity):
    """A property that takes a scalar gets a map."""
    found = assigned(template, entity)
    value = found and re.match(r"\{?\s*[a-z]\w*: *([A-Za-z0-9.]+)(?=[,}\n])", found[1])
    if value:
        yield Edit(found[0] + value.start(1), found[0] + value.end(1), "{wrong9: {}}")


def wrong_default(template, entity):
    types = {"integer": "oops", "float": "oops", "boolean": "12", "string": "[1]", "timestamp": "oops"}
    default, kind = entity.field("default"), entity.field("type")
    if default and kind and template.source(kind.place) in types:
        yield template.replace(default.place, types[template.source(kind.place)])


def changed_type(template, entity):
    """The default no longer fits."""
    default, kind = entity.field("default"), entity.field("type")
    is_literal = default and "$" not in template.source(default.place)
    if is_literal and kind and template.source(kind.place) in ("integer", "float", "string", "boolean"):
        yield template.replace(kind.place, "list")


def unknown_keyname(template, entity):
    for field in entity.fields:
        if field.key_place:
            yield template.replace(field.key_place, "bogus_keyname9")


def wrong_shape(template, entity):
    for field in entity.fields:
        is_map = field.value is None or field.value == "{"
        if is_map and field.key_place and field.key not in ("default", "value", "metadata"):
            yield template.replace(field.place, "[[42]]")


def dropped_key(template, entity):
    """A mandatory keyname is missing, or what remains of the entity is nothing."""
    mandatory = {
        "node_templates": "type", "relationship_templates": "type", "groups": "type",
        "policies": "type", "file": "tosca_definitions_version",
        "substitution_mappings": "node_type", "repositories": "url", "steps": "activities",
    }  # fmt: skip
    field = entity.field(mandatory.get(entity.role, ""))
    if not field or not field.key_place or entity.field("copy"):
        return
    start, end = template.span(field.key_place)[0], template.span(field.place)[1]
    rest = re.compile(r"[ \t]*,[ \t]*").match(template.text, end)
    before = template.text[template.text.rfind("\n", 0, start) + 1 : start]
    if rest:
        yield Edit(start, rest.end(), "")
    elif not before.strip() and template.text[end : end + 1] in ("\n", ""):
        yield Edit(start, end, "")


def bad_range(template, entity):
    field = entity.field("count_range")
    if field:
        yield template.replace(field.place, "[3, 2]")
        yield template.replace(field.place, "[-1, 2]")
    field = entity.field("count")
    if field:
        yield template.replace(field.place, "-1")


CALL = re.compile(r"\$([a-z_]+): *(\[[^\[\]{}\n]*\]|[A-Za-z_]\w*(?=[ ,}\n]))")
FIXED = {
    "equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal", "not", "length",
    "has_key", "token", "matches", "has_prefix", "has_suffix", "get_input", "get_property",
    "get_attribute", "round", "floor", "ceil", "xor", "get_state", "get_artifact",
    "available_allocation", "valid_values", "has_entry", "has_all_entries", "for_each",
}  # fmt: skip


def calls(template, entity):
    for field in entity.fields:
        if field.value is not None and field.key not in ("description", "metadata"):
            start, end = template.span(field.place)
            for call in CALL.finditer(template.text, start, end):
                if call[1] in FIXED:
                    yield call


def wrong_arity(template, entity):
    for call in calls(template, entity):
        yield Edit(call.start(2), call.end(2), "[]")


def unknown_function(template, entity):
    for call in calls(template, entity):
        yield Edit(call.start(1), call.end(1), "missing9_function")


def unknown_input(template, entity):
    """In a type, nobody knows the inputs of the service that will use it."""
    if not entity.is_in("service_template"):
        return
    for call in calls(template, entity):
        if call[1] == "get_input":
            name = WORD.search(call[2])
            if name:
                at = call.start(2)
                yield Edit(at + name.start(), at + name.end(), "missing9")


def unknown_event(template, entity):
    """What a trigger sends; of events of services, outsiders may know more."""
    field = entity.field("event")
    in_type = entity.is_in("node_types") or entity.is_in("relationship_types")
    in_policy = entity.is_in("policies") or entity.is_in("policy_types")
    if entity.role not in ("triggers", "trigger") or in_policy or not field:
        return
    words = list(WORD.finditer(template.source(field.place)))
    is_path = len(words) > 1
    if words and (in_type or not is_path) and words[0][0] != "SERVICE":
        start = template.span(field.place)[0]
        yield Edit(start + words[-1].start(), start + words[-1].end(), "missing9")


def unknown_cell(template, entity):
    for call in calls(template, entity):
        name = WORD.search(call[2])
        if call[1] == "get_state" and name:
            at = call.start(2)
            yield Edit(at + name.start(), at + name.end(), "missing9")
    field = entity.field("set")
    key = field and re.match(r"[\[{]?\s*([a-z]\w*)", template.source(field.place))
    if key:
        start = template.span(field.place)[0]
        yield Edit(start + key.start(1), start + key.end(1), "missing9")


def repeated_key(template, entity):
    """A keyname with its value stands on a line of its own, twice."""
    for field in entity.fields:
        if not field.key_place or field.key_place.line != field.place.end_line:
            continue
        start = template.offset(field.key_place.line, 1)
        end = template.text.find("\n", start) + 1
        line = template.text[start:end]
        if re.fullmatch(r" *\w+: [^\n{\[&|>]+\n", line) and not line.lstrip().startswith("-"):
            yield Edit(end, end, line)


def unclosed_bracket(template, entity):
    for field in entity.fields:
        start, end = template.span(field.place)
        if field.value in ("{", "[") and template.text[end - 1] in "}]":
            yield Edit(end - 1, end, "")


def tab(template, entity):
    if entity.place and entity.place.column > 1:
        start = template.offset(entity.place.line, 1)
        if not template.text[start : template.offset(*entity.place[:2])].strip():
            yield Edit(start, start + 1, "\t")


KINDS = [
    unknown_type, unknown_parent, unknown_target, unknown_listed, unknown_member,
    undeclared_property, map_for_scalar, wrong_default, changed_type, unknown_keyname,
    wrong_shape, dropped_key, bad_range, wrong_arity, unknown_function, unknown_input,
    unknown_event, unknown_cell, repeated_key, unclosed_bracket, tab,
]  # fmt: skip


# ---- Running toscac.


def run(arguments):
    process = subprocess.run(
        ["toscac", *arguments], capture_output=True, text=True, encoding="utf-8"
    )
    if process.returncode not in (0, 1):
        print(process.stderr[-4000:])
        sys.exit(f"toscac ended with {process.returncode}: {' '.join(arguments[:3])} ...")
    return process


def check(folder, texts):
    """The diagnostics of each text, from one run over all of them."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(os.path.join(folder, f"{number:05}.yaml"))
        with open(paths[-1], "w", encoding="utf-8", newline="") as file:
            file.write(text)
    output = run(["--check", "--diagnostics-format=json", *paths]).stdout
    found = collections.defaultdict(list)
    for line in output.splitlines():
        diagnostic = json.loads(line)
        found[diagnostic["file"]].append(diagnostic)
    return [found[path] for path in paths]


def read_templates(paths, folder):
    parts = []
    for path in map(pathlib.Path, paths):
        for file in sorted(path.rglob("*.yaml")) if path.is_dir() else [path]:
            # Tests of errors mostly have a line for each, between those that are right.
            text = file.read_text(encoding="utf-8")
            text = re.sub(r"^.*# expected-(error|warning).*\n", "", text, flags=re.M)
            text = re.sub(r" *# expected-.*", "", text)
            parts += re.split(r"^# -----\n", text, flags=re.M)
    parts = [part for part in parts if "\ntosca_definitions_version" in "\n" + part]
    templates = []
    for text, diagnostics in zip(parts, check(folder, parts)):
        if not diagnostics and "&" not in text and "imports:" not in text:
            path = os.path.join(folder, "seed.yaml")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            ast = run(["--emit=ast", "--print-locations", path]).stdout
            templates.append(Template(text, ast))
    return templates


def choose(templates, count):
    """(kind, template, edit), the same number of each kind as far as there are."""
    mutants = []
    for number, kind in enumerate(KINDS):
        edits = [
            (kind.__name__, template, edit)
            for template in templates
            for entity in template.entities
            for edit in kind(template, entity)
        ]
        share = (count - len(mutants)) // (len(KINDS) - number)
        mutants += random.sample(edits, min(share, len(edits)))
    return mutants


def lines_around(template, edit):
    """The lines of the edit and of what it is a part of, up to the definition."""
    first = template.line_of(edit.start)
    edited = set(range(first, template.line_of(edit.end) + 2))
    lines = template.text.splitlines()
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip()) if first <= len(lines) else 0
    for number in range(first - 1, 0, -1):
        line = lines[number - 1]
        depth = len(line) - len(line.lstrip(" -"))
        if line.strip() and not line.lstrip().startswith("#") and depth < indent:
            return edited | {number}
    # The definition is the file itself, which begins with its first keyname.
    content = [n for n, line in enumerate(lines, 1) if line.strip() and line[0] not in "#-"]
    return edited | set(content[:2])


def is_found(template, edit, diagnostics):
    lines = lines_around(template, edit)
    # Others may know a function that nothing here defines.
    errors = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic["severity"] == "error" or diagnostic["id"] == "unknown-function"
    ]
    places = errors + [note for error in errors for note in error["notes"]]
    return any(place["line"] in lines for place in places)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    random.seed(int(sys.argv[2]))
    with tempfile.TemporaryDirectory() as folder:
        templates = read_templates(sys.argv[3:], folder)
        mutants = choose(templates, int(sys.argv[1]))
        texts = [
            template.text[: edit.start] + edit.text + template.text[edit.end :]
            for _, template, edit in mutants
        ]
        results = check(folder, texts)
    total, found = collections.Counter(), collections.Counter()
    misses = []
    for (kind, template, edit), diagnostics, text in zip(mutants, results, texts):
        total[kind] += 1
        if is_found(template, edit, diagnostics):
            found[kind] += 1
        else:
            misses.append((kind, template, edit, diagnostics, text))
    for kind in KINDS:
        print(f"{kind.__name__}: {found[kind.__name__]} of {total[kind.__name__]}")
    for kind, template, edit, diagnostics, text in misses[:SHOWN_MISSES]:
        line = template.line_of(edit.start)
        print(f"\nmissed: {kind}, line {line}: {text.splitlines()[line - 1]}")
        for diagnostic in diagnostics:
            print("  ", diagnostic["line"], diagnostic["severity"], diagnostic["message"])
        if os.environ.get("SHOW_MUTANTS"):
            print(text)
    rate = sum(found.values()) / max(1, sum(total.values()))
    print(f"{len(templates)} templates, {sum(total.values())} mutants, {rate:.1%} found")
    sys.exit(0 if rate >= ENOUGH and all(total[kind.__name__] for kind in KINDS) else 1)


main()
