"""Random event systems with fixed seeds."""

import copy
import random

from event_system import Operation, System


def machines(rng, most=4):
    """Entities with one operation each, which wait for each other's states and
    for shared cells, driven by events and rules."""
    system = System()
    names = [f"e{i}" for i in range(rng.randint(2, most))]
    flags = [("x", f"c{k}") for k in range(rng.randint(0, 2))]
    events = [(name, "op") for name in names]
    for flag in flags:
        system.cells[flag] = 0
    for name in names:
        own = (name, "s")
        system.cells[own] = 0
        pre = [("eq", own, 0)]
        for other in names:
            if other != name and rng.random() < 0.3:
                pre.append(literal(rng, (other, "s")))
        if len(pre) > 2 and rng.random() < 0.4:
            pre = [pre[0], ("or", pre[1:])]
        entry = {"s": 1} if rng.random() < 0.9 else {}
        success = {"s": 0 if rng.random() < 0.05 else 2}
        sends = []
        for event in events:
            if rng.random() < 0.35:
                condition = True
                if rng.random() < 0.15:
                    condition = literal(rng, (rng.choice(names), "s"))
                sends.append((condition, event))
        system.operations[(name, "op")] = Operation(
            ("and", pre), entry, success, sends
        )
    add_flags(rng, system, names, flags)
    for event in events:
        if rng.random() < 0.35:
            condition = literal(rng, (rng.choice(names), "s"))
            system.rules.append((event[0], condition, event))
    system.start = [e for e in events if rng.random() < 0.5] or [events[0]]
    return system


def literal(rng, cell):
    draw = rng.random()
    if draw < 0.7:
        return ("eq", cell, 2)
    if draw < 0.8:
        return ("eq", cell, 1)
    if draw < 0.9:
        return ("in", cell, [1, 2])
    return ("not", ("eq", cell, rng.choice([0, 1])))


def add_flags(rng, system, names, flags):
    """An entity `x` whose operations raise and clear flags that others read."""
    for entity, cell in flags:
        value = rng.choice([1, 2])
        condition = True if rng.random() < 0.5 else ("eq", (rng.choice(names), "s"), 2)
        system.operations[(entity, f"set_{cell}")] = Operation(
            condition, {}, {cell: value}
        )
        if rng.random() < 0.5:
            system.rules.append(
                (entity, ("eq", (rng.choice(names), "s"), 2), (entity, f"set_{cell}"))
            )
        for name in names:
            operation = system.operations[(name, "op")]
            if rng.random() < 0.3:
                operation.sends.append((True, (entity, f"set_{cell}")))
            if rng.random() < 0.2:
                operation.pre = (
                    "and",
                    [operation.pre, ("eq", (entity, cell), rng.choice([0, value]))],
                )


def lifecycle(rng, most=4):
    """Nodes with three operations, a random topology between them, and rules or
    events that drive them, with something left out at times."""
    system = System()
    count = rng.randint(2, most)
    names = [f"n{i}" for i in range(count)]
    needs = {n: [m for m in names[:i] if rng.random() < 0.5] for i, n in enumerate(names)}
    by_rule = rng.random() < 0.6
    for name in names:
        system.cells[(name, "s")] = 0
    phases = [("create", 0, 1, 2), ("configure", 2, 3, 4), ("start", 4, 5, 6)]
    phases = phases[: rng.randint(2, 3)]
    last = phases[-1][3]
    for name in names:
        for number, (operation, before, during, after) in enumerate(phases):
            pre = [("eq", (name, "s"), before)]
            for other in needs[name]:
                if rng.random() < 0.7:
                    reached = [p[3] for p in phases if p[3] >= after]
                    wanted = rng.choice([("in", reached), ("eq", [last])])
                    if wanted[0] == "in":
                        pre.append(("in", (other, "s"), wanted[1]))
                    else:
                        pre.append(("eq", (other, "s"), last))
            sends = []
            if not by_rule and rng.random() < 0.95:
                if number + 1 < len(phases):
                    sends.append((True, (name, phases[number + 1][0])))
                for other in names:
                    if name in needs[other] and rng.random() < 0.8:
                        sends.append((True, (other, rng.choice(phases)[0])))
            system.operations[(name, operation)] = Operation(
                ("and", pre), {"s": during}, {"s": after}, sends
            )
            if by_rule:
                system.rules.append((name, True, (name, operation)))
    if not by_rule:
        system.start = [(n, "create") for n in names]
    elif rng.random() < 0.3:
        # Down again, once somebody else is up.
        name, other = rng.choice(names), rng.choice(names)
        system.operations[(name, "stop")] = Operation(
            ("eq", (name, "s"), last), {"s": 7}, {"s": 8}
        )
        system.rules.append((name, ("eq", (other, "s"), last), (name, "stop")))
    return system


def with_data(rng, system):
    """The same system, in which operations read what others write."""
    result = copy.deepcopy(system)
    events = list(result.operations)
    for number, event in enumerate(events):
        # Mostly of those before it, so that there are few cycles.
        is_any = rng.random() < 0.1
        others = [other for other in events if other != event] if is_any else events[:number]
        count = rng.choice([0, 1, 1, 2])
        result.operations[event].reads = rng.sample(others, min(count, len(others)))
    return result


def with_promises(rng, system):
    """The same system, in which some entity says what always holds."""
    cells = [cell for cell in system.cells if cell[1] == "s"]
    for _ in range(rng.choice([0, 1, 1, 2])):
        own, other = rng.choice(cells), rng.choice(cells)
        promise = ("or", [("not", literal(rng, own)), literal(rng, other)])
        system.promises.append((own[0], promise))
    return system


def systems(count, seed):
    rng = random.Random(seed)
    for number in range(count):
        make = rng.choice([machines, machines, lifecycle])
        # Some are too large for all orders.
        yield number, make(rng, 7 if number % 25 == 24 else 4)
