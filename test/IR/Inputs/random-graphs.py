"""Prints random graphs in their text form: random-graphs.py SEED COUNT

An implementation of the form of its own, from docs/IR.md: what tosca-opt prints
after reading one of these must be the same bytes."""

import collections
import json
import random
import re
import sys

WORDS = ["a", "site", "vpn", "x-y", "n.s:T", "in", "next", "node", "two words", "é",
         "9", 'q"', "dot.", "", "b_1", "none"]  # fmt: skip
KINDS = ["nil", "boolean", "integer", "float", "string", "bytes", "timestamp",
         "version", "scalar", "list", "map", "record"]  # fmt: skip


class Graph:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.depth = 0
        self.types = collections.defaultdict(list)

    # Building blocks.

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def some(self, most):
        return range(self.random.randint(0, most))

    def word(self):
        return self.random.choice(WORDS)

    def distinct(self, most):
        count = self.random.randint(0, most)
        return self.random.sample(WORDS, count)

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def block(self, head, body):
        """The items of body in braces, or nothing if there are none."""
        at = len(self.lines)
        self.depth += 1
        body()
        self.depth -= 1
        if len(self.lines) == at:
            self.line(head)
        else:
            self.lines.insert(at, "  " * self.depth + head + " {")
            self.line("}")

    # Values and expressions.

    def literal(self, depth=0):
        choice = self.random.randrange(14 if depth < 3 else 10)
        if choice < 3:
            return str(self.random.randint(-5, 5))
        if choice == 3:
            return repr(self.random.randint(-20, 20) / 4)
        if choice == 4:
            return self.random.choice(["true", "false", "null"])
        if choice < 8:
            return string(self.random.choice(WORDS + ["\n\\", "\u0001", "$$x"]))
        if choice == 8:
            return self.random.choice(
                ['{"$:version": "1.2.3"}', '{"$:float": ".nan"}',
                 '{"$:bytes": "AAEC"}', '{"$:timestamp": "2025-04-12"}',
                 '{"$:scalar": ["4 GB", "4000 MB", "Size"]}'])  # fmt: skip
        if choice == 9:
            return '{"$:map": [[1, %s], [true, 2]]}' % self.literal(3)
        items = [self.literal(depth + 1) for _ in self.some(3)]
        if choice < 12:
            return "[" + ", ".join(items) + "]"
        keys = self.random.sample(WORDS + ["$$k"], len(items))
        pairs = [string(k) + ": " + v for k, v in zip(keys, items)]
        return "{" + ", ".join(pairs) + "}"

    def expr(self, depth=0):
        if depth > 2 or self.chance(50):
            return self.literal(depth)
        function = self.random.choice(["concat", "sum", "and", "my own", "get_input"])
        count = self.random.randint(2, 3)
        arguments = [self.expr(depth + 1) for _ in range(count)]
        if function == "get_input":
            arguments = ['"x"', "0"]
        return "{%s: [%s]}" % (string("$" + function), ", ".join(arguments))

    def kind(self):
        return " : " + self.random.choice(KINDS) if self.chance(50) else ""

    def flag(self, text, percent=20):
        return " " + text if self.chance(percent) else ""

    def value(self, percent=60):
        return " = " + self.expr() if self.chance(percent) else ""

    def when(self):
        return " when " + self.expr() if self.chance(30) else ""

    # Sections.

    def make(self):
        for _ in self.some(6):
            self.make_type()
        self.artifacts = label_all([self.word() for _ in self.some(3)], string)
        for artifact in self.artifacts:
            self.line(f"artifact {name(self.word())} {artifact}")
        for text in self.distinct(4):
            self.line(f"input {name(text)}{self.flag('sensitive')}{self.value()}")
        for text in self.distinct(4):
            kind, flag = self.kind(), self.flag("sensitive")
            self.line(f"output {name(text)}{kind}{flag}{self.value()}")
        self.machines = []
        interfaces = [self.word() for _ in self.some(4)]
        for interface, label in zip(interfaces, label_all(interfaces, name)):
            self.make_machine(interface, label)
        self.services = []
        self.relationships = []
        self.nodes = []
        self.capabilities = {}
        for number in range(self.random.randint(1, 3)):
            self.make_service(number)
        for relationship in self.relationships:
            self.make_relationships(*relationship)
        for text in self.distinct(3):
            self.make_group(text)
        return "\n".join(self.lines) + "\n" if self.lines else ""

    def make_type(self):
        kind = self.random.choice(["node", "relationship", "capability", "group"])
        known = self.types[kind]
        text = self.word()
        same = sum(1 for other, _ in known if other == text)
        label = name(text) + (f"#{same + 1}" if same else "")
        parent = " : " + self.random.choice(known)[1] if known and self.chance(50) else ""
        marks = "".join(
            f" mark {name(key)} = {string(self.word())}" for key in self.distinct(2)
        )
        known.append((text, label))
        self.line(f"type {kind} {label}{parent}{marks}")

    def type_of(self, kind):
        known = self.types[kind]
        return " : " + self.random.choice(known)[1] if known and self.chance(70) else ""

    def make_machine(self, interface, label):
        cells = [(text, self.literal()) for text in self.distinct(3)]
        operations = self.distinct(3)
        self.machines.append((interface, label, cells))

        def body():
            for text, initial in cells:
                domain = ""
                if self.chance(30):
                    domain = f" in [{initial}, {self.literal()}]"
                # Values outside of a domain would be refused.
                self.line(f"cell {name(text)}{self.cell_kind()} = {initial}" + domain)
            self.free = [c for c in cells if " in [" not in self.cell_line(c[0])]
            for text in operations:
                self.make_operation(text, interface, operations)
            for _ in self.some(2 if operations else 0):
                self.make_event("rule", interface, operations)
            if self.free:
                for text in self.distinct(2):
                    cell = name(self.random.choice(self.free)[0])
                    self.line(f"intent {name(text)} set {cell} = {self.literal()} goal {cell}")
                for _ in self.some(2):
                    cell = name(self.random.choice(self.free)[0])
                    self.line(f"failed {cell} = {self.literal()}")

        kind = f" : {name(self.word() or 'T')}" if self.chance(50) else ""
        self.block(f"machine {label}{kind}", body)
        self.machines[-1] += (self.free,)

    def cell_kind(self):
        kind = self.random.choice(KINDS)
        return "" if kind == "string" else f" : {kind}"

    def cell_line(self, text):
        start = f"  cell {name(text)}"
        for line in reversed(self.lines):
            if line.startswith((start + " :", start + " =")):
                return line
        raise AssertionError(text)

    def make_operation(self, text, interface, operations):
        def body():
            self.make_arguments()
            self.make_mappings()
            self.make_handlers()
            for moment in ("entry", "success", "failure"):
                for _ in self.some(2 if self.free else 0):
                    cell = self.random.choice(self.free)[0]
                    self.line(f"{moment} set {name(cell)} = {self.expr()}")
                for _ in self.some(1):
                    self.make_event(moment + " send", interface, operations)

        options = self.flag("notification") + self.when()
        options += self.flag("timeout 60") + self.flag("retries 2")
        self.block(f"operation {name(text)}{options}", body)

    def make_event(self, keyword, interface, operations):
        step = self.random.choice(
            [[], ["RELATIONSHIP", "nowhere", 0, "TARGET"],
             ["RELATIONSHIP", "nowhere", "ALL", "SOURCE", "CAPABILITY", "ALL",
              "RELATIONSHIP", "ALL"],
             ["NODE", "nowhere", "ALL"]])  # fmt: skip
        words = ["SELF", *step, "INTERFACE", interface, self.random.choice(operations)]
        if "" in words:
            words = ["SELF", "NODE", "nowhere", 3, "INTERFACE", "i", "o"]
        path = ", ".join(string(w) if isinstance(w, str) else str(w) for w in words)
        self.block(f"{keyword} [{path}]{self.when()}", self.make_arguments)

    def make_arguments(self):
        for text in self.distinct(2):
            flags = self.flag("optional") + self.flag("sensitive")
            self.line(f"input {name(text)}{self.kind()}{flags}{self.value()}")

    def make_mappings(self):
        for text in self.distinct(1):
            target = ", ".join(map(name, ["SELF", self.word()]))
            self.line(f"output {name(text)}{self.kind()} -> [{target}]")

    def make_handlers(self):
        for _ in self.some(2 if self.artifacts else 0):
            files = ""
            if self.chance(30):
                files = " files [" + ", ".join(self.artifacts) + "]"

            def body():
                self.make_arguments()
                self.make_mappings()

            self.block(f"handler {self.random.choice(self.artifacts)}{files}", body)

    def make_service(self, number):
        outer = ""
        if number:
            free = [n for n in self.nodes if n[1] not in self.services]
            if not free:
                return
            _, outer, _ = self.random.choice(free)
            self.services.append(outer)

        def body():
            for machine in self.choose_machines():
                self.make_slot(machine, 1)
            for _ in self.some(1):
                self.line(f"operation {name(self.word())} {name(self.word())} -> w")
            for text in self.distinct(2):
                self.make_workflow(text)
            for text in self.distinct(1):
                targets = f" targets [{name(self.word())}]" if self.chance(50) else ""
                head = f"policy {name(text)} event {name(self.word())}"
                self.block(head + targets + self.when(), self.make_activities)
            prefix = outer + "/" if outer else ""
            for text in self.distinct(4):
                self.make_class(text, prefix)

        self.block(f"service {name(self.word())}" + (f" for {outer}" if outer else ""), body)

    def make_workflow(self, text):
        steps = self.distinct(3)

        def body():
            self.make_arguments()
            self.make_handlers()
            self.make_mappings()
            for step in steps:
                options = ""
                if self.chance(50):
                    options += " target " + name(self.word() or "t")
                if self.chance(20):
                    options += " relationship " + name(self.word() or "r")
                options += self.when()
                for keyword in ("success", "failure"):
                    if self.chance(30):
                        options += f" {keyword} [{name(self.random.choice(steps))}]"
                self.block(f"step {name(step)}{options}", self.make_activities)

        self.block(f"workflow {name(text)}{self.when()}", body)

    def make_activities(self):
        for _ in self.some(2):
            what = self.random.choice(["call", "set", "delegate", "inline"])
            head = f"{what} {name(self.word())}"
            if what in ("call", "set"):
                head += " " + name(self.word())
            if what == "set":
                head += " = " + self.literal()
            self.block(head, self.make_arguments)

    # Classes and their instances.

    def choose_machines(self):
        chosen = {m[0]: m for m in self.machines if self.chance(60)}
        return [m for m in self.machines if chosen.get(m[0]) is m]

    def column(self, rows, default=None):
        """Values of all rows, the one that most have, and what the lines say."""
        pool = [self.expr() for _ in range(2)] + ([None] if default is None else [default])
        if default is not None:
            pool = [self.literal(), self.literal(), default]
        if rows == 0 or self.chance(40):
            values = [self.random.choice(pool)] * max(rows, 1)
        else:
            values = [self.random.choice(pool) for _ in range(rows)]
        best, count = collections.Counter(values).most_common(1)[0]
        common = best if count > len(values) // 2 else default
        return values, common

    def make_columns(self, keyword, rows, section, varying):
        for text in self.distinct(2):
            values, common = self.column(rows)
            varying.append((f"{section}{name(text)}", values, common))
            kind, flag = self.kind(), self.flag("sensitive")
            shown = f" = {common}" if common is not None else ""
            self.line(f"{keyword} {name(text)}{kind}{flag}{shown}")

    def make_slot(self, machine, rows, varying=None):
        interface, label, cells, free = machine

        def body():
            for cell in cells:
                values, common = [cell[1]] * max(rows, 1), cell[1]
                if cell in free:
                    values, common = self.column(rows, cell[1])
                if varying is not None:
                    varying.append((f"cell {name(interface)} {name(cell[0])}", values, common))
                if common != cell[1]:
                    self.line(f"cell {name(cell[0])} = {common}")

        self.block(f"interface {label}", body)

    def assignments(self, varying, row):
        result = ""
        for label, values, common in varying:
            if values[row] != common:
                result += f" {label} = {values[row] if values[row] is not None else 'none'}"
        return result

    def make_class(self, text, prefix):
        indices = sorted(self.random.sample(range(9), self.random.randint(0, 5)))
        rows = len(indices)
        varying = []
        usual = indices[-1] + 1 if indices else 0
        following = self.random.choice([usual, usual, usual + 2])
        shown = f" next {following}" if following != usual else ""
        node_class = (text, prefix)
        capabilities = self.distinct(2)

        def body():
            self.make_columns("property", rows, "property ", varying)
            self.make_columns("attribute", rows, "attribute ", varying)
            for capability in capabilities:
                def columns():
                    for section in ("property", "attribute", "remaining"):
                        start = f"capability {name(capability)} {section} "
                        self.make_columns(section, rows, start, varying)
                self.block(f"capability {name(capability)}{self.type_of('capability')}", columns)
            for machine in self.choose_machines():
                self.make_slot(machine, rows, varying)
            requirements = [self.word() for _ in self.some(3)]
            taken = collections.Counter()
            for requirement, label in zip(requirements, label_all(requirements, name)):
                self.make_requirement(label, requirement, node_class, indices, taken)

        self.block(f"class {name(text)}{self.type_of('node')}{shown}", body)
        for row, index in enumerate(indices):
            self.line(f"node {name(text)}[{index}]{self.assignments(varying, row)}")
            full = f"{prefix}{name(text)}[{index}]"
            self.nodes.append((node_class, full, index))
            self.capabilities[full] = capabilities

    def make_requirement(self, label, requirement, node_class, indices, taken):
        ends = []
        for index in indices:
            for _ in self.some(2):
                ends.append((index, taken[index, requirement]))
                taken[index, requirement] += self.random.randint(1, 2)
        varying = []

        # Whether there are targets is known when all nodes are there; so the
        # lines of this block are made then.
        marker = f"requirement {len(self.relationships)}"
        self.relationships.append((marker, self.depth, label, node_class, ends,
                                   self.type_of("relationship"), varying))  # fmt: skip
        self.lines.append(marker)

    def make_relationships(self, marker, depth, label, node_class, ends, kind, varying):
        targets = [n for n in self.nodes if self.capabilities[n[1]]]
        if not targets:
            ends = []
        before, self.lines, self.depth = self.lines, [], depth

        def body():
            self.make_columns("property", len(ends), "property ", varying)
            self.make_columns("attribute", len(ends), "attribute ", varying)
            for machine in self.choose_machines():
                self.make_slot(machine, len(ends), varying)

        self.block(f"requirement {label}{kind}", body)
        # One entry may hold several lines, so that others keep their places.
        before[before.index(marker)] = "\n".join(self.lines)
        self.lines, self.depth = before, 0
        for row, (index, number) in enumerate(ends):
            source = f"{node_class[1]}{name(node_class[0])}[{index}]"
            _, target, _ = self.random.choice(targets)
            capability = name(self.random.choice(self.capabilities[target]))
            self.line(f"relationship {source}.{label}[{number}] -> {target}.{capability}"
                      + self.assignments(varying, row))  # fmt: skip

    def make_group(self, text):
        def body():
            self.make_columns("property", 1, "", [])
            for index in sorted(self.random.sample(range(5), 2)):
                nodes = [n[1] for n in self.nodes if self.chance(30)]
                self.line(f"instance [{index}] [{', '.join(nodes)}]")

        members = ", ".join(map(name, self.distinct(2)))
        self.block(f"group {name(text)}{self.type_of('group')} members [{members}]", body)


def string(text):
    return json.dumps(text, ensure_ascii=False)


def name(text):
    bare = re.fullmatch(r"[A-Za-z_]([A-Za-z0-9_]|([.:]|-+)(?=[A-Za-z0-9_]))*", text)
    return text if bare else string(text)


def label_all(texts, write):
    counts = collections.Counter()
    labels = []
    for text in texts:
        counts[text] += 1
        labels.append(write(text) + (f"#{counts[text]}" if counts[text] > 1 else ""))
    return labels


def main():
    seed, count = map(int, sys.argv[1:])
    parts = [Graph(seed + i).make() for i in range(count)]
    print("# -----\n".join(parts), end="")


main()
