"""Small event systems: as text of the graph IR, and run event by event with the
strict rules of events, in every order of completion.

A condition is ("eq", cell, value), ("in", cell, values), ("not", c),
("and", [c, ...]), ("or", [c, ...]), or True. A cell is (entity, name); all cells
are attributes of the one interface `i` of their entity."""

import json


class Operation:
    def __init__(self, pre=True, entry=None, success=None, sends=(), entry_sends=()):
        self.pre = pre
        self.entry = entry or {}  # name of an own cell -> value
        self.success = success or {}
        # (condition, (entity, operation))
        self.sends = list(sends)
        self.entry_sends = list(entry_sends)
        # Events whose data it needs; each gives an attribute of its entity.
        self.reads = []


class System:
    def __init__(self):
        self.cells = {}  # (entity, name) -> value
        self.operations = {}  # (entity, name) -> Operation
        self.rules = []  # (entity that has it, condition, event)
        self.start = []  # events that the workflow sends
        self.promises = []  # (entity that has it, what is always to hold)

    def entities(self):
        return list(dict.fromkeys(e for e, _ in [*self.cells, *self.operations]))

    # The system as text of the graph IR. All entities are nodes of one service,
    # and reach each other through it.
    def text(self):
        out = ["type node N"]
        if self.has_data():
            out.append('artifact Bash "work.sh"')
        names = self.entities()
        for number, entity in enumerate(names, 1):
            out.append(f"machine {label('i', number)} {{")
            for (owner, name), value in self.cells.items():
                if owner == entity:
                    out.append(f"  cell {name} : integer = {value}")
            for (owner, name), operation in self.operations.items():
                if owner == entity:
                    out += self.operation_text(entity, name, operation)
            for owner, condition, event in self.rules:
                if owner == entity:
                    out.append("  rule " + trigger_text(entity, condition, event))
            for name, (owner, condition) in enumerate(self.promises):
                if owner == entity:
                    out.append(f"  always p{name} when {to_json(entity, condition)}")
            out.append("}")
        out.append(f"machine {label('workflows', 1)} {{\n  operation go {{")
        for event in self.start:
            out.append("    entry send " + trigger_text(None, True, event))
        out.append("  }\n}\nservice s {\n  interface workflows")
        for number, entity in enumerate(names, 1):
            data = [name for owner, name in self.operations if owner == entity and self.has_data()]
            attributes = "".join(f"attribute data_{name}\n" for name in data)
            out.append(f"  class {entity} : N {{\n{attributes}interface {label('i', number)}\n}}")
            out.append(f"  node {entity}[0]")
        out.append("}")
        return "\n".join(out) + "\n"

    def has_data(self):
        return any(operation.reads for operation in self.operations.values())

    def data_text(self, name, operation):
        if not self.has_data():
            return []
        inputs = [
            f"    input from_{entity}_{other} = "
            + json.dumps({"$get_attribute": ["SELF", "SERVICE", "NODE", entity, 0, f"data_{other}"]})
            for entity, other in operation.reads
        ]
        return [*inputs, f'    handler "work.sh" {{ output data -> [SELF, data_{name}] }}']

    def operation_text(self, entity, name, operation):
        when = "" if operation.pre is True else f" when {to_json(entity, operation.pre)}"
        out = [f"  operation {name}{when} {{", *self.data_text(name, operation)]
        for keyword, sets in (("entry", operation.entry), ("success", operation.success)):
            out += [f"    {keyword} set {cell} = {value}" for cell, value in sets.items()]
        for keyword, sends in (
            ("entry", operation.entry_sends),
            ("success", operation.sends),
        ):
            for condition, event in sends:
                out.append(f"    {keyword} send {trigger_text(entity, condition, event)}")
        return [*out, "  }"]


def label(name, number):
    return name if number == 1 else f"{name}#{number}"


def trigger_text(sender, condition, event):
    entity, operation = event
    path = ["SELF"]
    if entity != sender:
        path += ["SERVICE", "NODE", entity, 0] if sender else ["NODE", entity, 0]
    path += ["INTERFACE", "i", operation]
    when = "" if condition is True else f" when {to_json(sender, condition)}"
    return json.dumps(path) + when


def to_json(owner, condition):
    def read(entity, cell):
        path = ["SELF"] if entity == owner else ["SELF", "SERVICE", "NODE", entity, 0]
        return {"$get_attribute": [*path, "INTERFACE", "i", cell]}

    return json.dumps(expression(condition, read))


def expression(condition, read):
    """The condition as a value of JSON; `read(entity, cell)` gives a query."""
    kind = condition[0]
    if kind in ("and", "or"):
        parts = [expression(part, read) for part in condition[1]]
        return {"$" + kind: parts} if len(parts) > 1 else parts[0]
    if kind == "not":
        return {"$not": [expression(condition[1], read)]}
    query = read(*condition[1])
    if kind == "eq":
        return {"$equal": [query, condition[2]]}
    return {"$valid_values": [query, list(condition[2])]}


def cells_of(condition):
    if condition is True:
        return set()
    if condition[0] in ("and", "or"):
        return set().union(*(cells_of(part) for part in condition[1]))
    return cells_of(condition[1]) if condition[0] == "not" else {condition[1]}


def holds(cells, condition):
    if condition is True:
        return True
    kind = condition[0]
    if kind == "eq":
        return cells[condition[1]] == condition[2]
    if kind == "in":
        return cells[condition[1]] in condition[2]
    if kind == "not":
        return not holds(cells, condition[1])
    results = (holds(cells, part) for part in condition[1])
    return all(results) if kind == "and" else any(results)


class State:
    """Between two acts; hashable by key()."""

    def __init__(self, cells, running=(), held=(), started=None, finished=None, kept=()):
        self.cells = dict(cells)
        self.kept = set(kept)  # promises that have come to hold
        self.running = list(running)
        self.held = set(held)
        self.started = dict(started or {})
        self.finished = dict(finished or {})

    def copy(self):
        return State(
            self.cells, self.running, self.held, self.started, self.finished, self.kept
        )

    def key(self):
        return (
            tuple(self.cells.values()),
            tuple(sorted(self.running)),
            frozenset(self.held),
            frozenset(self.kept),
            tuple(sorted(self.started.items())),
            tuple(sorted(self.finished.items())),
        )


class Exploration:
    """Runs a system in all orders of completion, or in some. `on_start(state, event)`
    is called for each event that is accepted, with the state just before."""

    def __init__(self, system, on_start=lambda state, event: None, limit=3000):
        self.system = system
        self.on_start = on_start
        self.limit = limit
        self.terminals = []
        self.complete = True
        # (a, b), each an event and how often: in some order a has ended and b not
        self.ended_before = set()
        self.during = set()  # (a, b): a started while b was running
        self.breaks = False  # some promise, in some order

    def deliver(self, state, event):
        operation = self.system.operations[event]
        if event in state.running or not holds(state.cells, operation.pre):
            return False
        self.on_start(state, event)
        self.during.update((event, other) for other in state.running)
        state.started[event] = state.started.get(event, 0) + 1
        state.cells.update({(event[0], c): v for c, v in operation.entry.items()})
        state.running.append(event)
        self.send(state, operation.entry_sends)
        return True

    def send(self, state, sends):
        for condition, event in sends:
            if holds(state.cells, condition):
                self.deliver(state, event)

    def risen(self, state):
        """Rules that fire now; those that do not hold may rise again."""
        result = []
        for number, (_, condition, event) in enumerate(self.system.rules):
            pre = self.system.operations[event].pre
            if not (holds(state.cells, condition) and holds(state.cells, pre)):
                state.held.discard(number)
            elif number not in state.held and event not in state.running:
                result.append(number)
        return result

    def fire(self, state, rule):
        state.held.add(rule)
        self.deliver(state, self.system.rules[rule][2])

    def look_at_promises(self, state):
        for number, (_, condition) in enumerate(self.system.promises):
            if holds(state.cells, condition):
                state.kept.add(number)
            elif number in state.kept:
                self.breaks = True

    def settle(self, state):
        """States after the rules that rose have fired, in whatever order."""
        done, seen, open_ = [], set(), [state]
        while open_:
            at = open_.pop()
            rules = self.risen(at)
            self.look_at_promises(at)
            if at.key() in seen:
                continue
            seen.add(at.key())
            if not rules:
                done.append(at)
            for rule in rules:
                after = at.copy()
                self.fire(after, rule)
                open_.append(after)
        return done

    def begin(self):
        first = State(self.system.cells)
        self.look_at_promises(first)
        for event in self.system.start:
            self.deliver(first, event)
        return first

    def end(self, state, event):
        state.running.remove(event)
        state.finished[event] = state.finished.get(event, 0) + 1
        operation = self.system.operations[event]
        state.cells.update({(event[0], c): v for c, v in operation.success.items()})
        self.send(state, operation.sends)

    def note(self, state):
        if not state.running:
            self.terminals.append(state)
        ended = [(e, n + 1) for e, count in state.finished.items() for n in range(count)]
        for event in self.system.operations:
            missing = (event, state.finished.get(event, 0) + 1)
            self.ended_before.update((turn, missing) for turn in ended)

    def run(self):
        """Every order, unless there are too many."""
        open_ = self.settle(self.begin())
        seen = set()
        while open_:
            state = open_.pop()
            if state.key() in seen:
                continue
            seen.add(state.key())
            self.states = len(seen)
            if len(seen) > self.limit or sum(state.started.values()) > 60:
                self.complete = False
                return self
            self.note(state)
            for event in state.running:
                after = state.copy()
                self.end(after, event)
                open_ += self.settle(after)
        return self

    def run_some(self, rng, count):
        """As many orders, drawn at random."""
        for _ in range(count):
            state = self.begin()
            while sum(state.started.values()) <= 60:
                if rules := self.risen(state):
                    self.fire(state, rng.choice(rules))
                    continue
                self.note(state)
                if not state.running:
                    break
                self.end(state, rng.choice(state.running))
        return self

    def replay(self, ends):
        """The states that there can be when the events `ends` have ended, in this
        order, and nothing else has."""
        states = self.settle(self.begin())
        for event in ends:
            after = []
            for state in states:
                if event in state.running:
                    following = state.copy()
                    self.end(following, event)
                    after += self.settle(following)
            states = after
        return states
