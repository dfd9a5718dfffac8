"""Reads what `tosca-walk --show` prints, checks what the profile `simple` promises of
the order of steps, and prints of each entity whether it comes `up` or goes `down`, by
all operations that belong to that; other operations are printed as they are.

A relationship `source[2].link[0]` belongs to its source by name; its target is the node
whose steps wait for it, or that it waits for. Where an end has no steps, it is there
already, or stays. Each row of the tables below says that the first step comes after the
second, directly or not."""

import re
import sys

LINE = re.compile(r"  (\S+): (.*)")
STEP = re.compile(r"(\w+)(?:\(([^)]*)\))?")
ENDS = re.compile(r"(.*\])\.\w+\[\d+\]")

# What comes up: a relationship (R), its source (S) and its target (T).
UP = [
    ("R pre_configure_source", "S create"),
    ("S configure", "R pre_configure_source"),
    ("R post_configure_source", "S configure"),
    ("S start", "R post_configure_source"),
    ("R add_source", "S start"),
    ("R pre_configure_target", "T create"),
    ("T configure", "R pre_configure_target"),
    ("R post_configure_target", "T configure"),
    ("T start", "R post_configure_target"),
    ("R pre_configure_source", "T start"),
    ("R add_target", "T start"),
]
# What goes: unlinked before it stops, deleted before what it used stops.
DOWN = [
    ("S stop", "R remove_source"),
    ("R remove_target", "S delete"),
    ("T stop", "R remove_target"),
]
WORDS = {
    "up": [
        {"create", "configure", "start"},
        {f"{when}_configure_{end}" for when in ("pre", "post") for end in ("source", "target")}
        | {"add_source", "add_target"},
    ],
    "down": [{"stop", "delete"}, {"remove_source", "remove_target"}],
}


def summarize(operations):
    names = [name for name, _ in STEP.findall(operations)]
    for word, sets in WORDS.items():
        if set(names) in sets and len(set(names)) == len(names):
            return word
    return " ".join(names)


class Workflow:
    def __init__(self):
        # (entity, operation) -> what it waits for.
        self.deps = {}

    def add(self, entity, operations):
        previous = None
        for operation, waits in STEP.findall(operations):
            deps = {tuple(wait.rsplit(".", 1)) for wait in waits.split()}
            if previous:
                deps.add(previous)
            previous = (entity, operation)
            self.deps[previous] = deps

    def before(self, step):
        seen, todo = set(), [step]
        while todo:
            for dep in self.deps.get(todo.pop(), ()):
                if dep not in seen:
                    seen.add(dep)
                    todo.append(dep)
        return seen

    def target_of(self, relationship, source):
        near = set()
        for (entity, operation), deps in self.deps.items():
            if entity == relationship and "target" in operation:
                near |= {other for other, _ in deps}
            elif any(o == relationship and "target" in p for o, p in deps):
                near.add(entity)
        nodes = {n for n in near if not ENDS.fullmatch(n)} - {source}
        return nodes.pop() if len(nodes) == 1 else None

    def relations(self):
        """Each pair that the tables order, and whether the plan does."""
        for relationship in sorted({entity for entity, _ in self.deps}):
            match = ENDS.fullmatch(relationship)
            if not match:
                continue
            names = {"R": relationship, "S": match[1]}
            names["T"] = self.target_of(relationship, match[1])
            for rule in UP + DOWN:
                later, earlier = [
                    (names[part], operation)
                    for part, operation in (side.split() for side in rule)
                ]
                if later in self.deps and earlier in self.deps:
                    yield (later, earlier), earlier in self.before(later)


def main():
    workflow, title, checked, wrong = Workflow(), "", 0, 0

    def finish():
        nonlocal checked, wrong
        for (later, earlier), holds in workflow.relations():
            checked += 1
            if not holds:
                wrong += 1
                print(f"{title}: {'.'.join(later)} does not wait for {'.'.join(earlier)}")

    for line in sys.stdin.read().splitlines():
        if match := LINE.fullmatch(line):
            workflow.add(*match.groups())
            print(f"  {match[1]}: {summarize(match[2])}")
        else:
            finish()
            workflow, title = Workflow(), line
            print(line)
    finish()
    print(f"{checked} relations")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
