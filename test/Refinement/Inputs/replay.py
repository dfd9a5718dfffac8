"""Replays of a plan, and whether they refine the machines (DESIGN, section 6.2): whatever
the timing, each step starts where its precondition holds and its operation is not in
flight, and the cells end as the plan says.

A replay knows of a plan what an executor knows: deps, excludes, guards, and what steps
write when they start and when they end. Preconditions come from the template."""

import random


class Violation(Exception):
    """A replay that the machines would not allow: what is wrong, and the replay."""

    def __init__(self, kind, what, trace):
        super().__init__(f"{kind}: {what}")
        self.kind, self.what, self.trace = kind, what, trace


class Step:
    def __init__(self, row, number, names, system):
        self.name, self.number = row["name"], number
        entity, interface = names[row["entity"]], row["interface"]
        key = (entity, interface, row["operation"])
        self.operation = system.operation_numbers.get(key)
        self.holds, self.outputs = lambda cells: True, []
        self.reads = frozenset()
        if self.operation is not None:
            known = system.operations[self.operation]
            self.holds, self.outputs = known.holds, known.outputs
            self.reads = known.reads
        writes = lambda when: [
            (system.cell_numbers[entity, interface, cell], value)
            for cell, value in row.get(when, {}).items()
        ]
        self.entry, self.success = writes("entry"), writes("success")
        self.guard = None
        if "guard" in row:
            self.guard, reads = guard(row["guard"], names, system)
            self.reads |= reads
        self.before, self.apart, self.unless = set(), set(), set()

    def touches(self):
        written = {cell for cell, _ in self.entry + self.success}
        return self.reads | written | set(self.outputs)


def guard(expression, names, system):
    """A guard as a function of the cells, and the cells it reads."""
    reads = set()

    def text(part):
        if isinstance(part, dict):
            (function, arguments), = part.items()
            if function == "$get_state":
                entity, interface, cell = arguments
                number = system.cell_numbers[names[entity], interface, cell]
                reads.add(number)
                return f"c[{number}]"
            if function == "$not":
                inner = arguments[0] if isinstance(arguments, list) else arguments
                return f"(not {text(inner)})"
            if function in ("$and", "$or"):
                word = f" {function[1:]} "
                return "(" + word.join(map(text, arguments)) + ")"
            one, other = map(text, arguments)
            forms = {
                "$equal": f"({one} == {other})",
                "$valid_values": f"({one} in {other})",
                "$has_entry": f"({other} in {one})",
                "$has_any_entry": f"any(x in {one} for x in {other})",
                "$has_all_entries": f"all(x in {one} for x in {other})",
            }
            return forms[function]
        if isinstance(part, list):
            return "(" + "".join(f"{text(p)}," for p in part) + ")"
        return repr(part)

    return eval(f"lambda c: {text(expression)}"), frozenset(reads)


class Plan:
    def __init__(self, plan, system):
        self.system = system
        names = [entity["name"] for entity in plan["entities"]]
        rows = plan["steps"]
        self.steps = {}
        waits = {}
        for row in rows:
            # A join only waits; whoever waits for it waits for what it waits for.
            deps = set()
            for other in row["deps"]:
                deps |= waits[other] if rows[other]["kind"] == "join" else {other}
            waits[row["id"]] = deps
            if row["kind"] != "join":
                self.steps[row["id"]] = step = Step(row, row["id"], names, system)
                step.before = deps
                for other in row.get("excludes", []):
                    step.apart.add(other)
                    self.steps[other].apart.add(row["id"])
                step.unless = set(row.get("unless_failed", []))
        self.final = list(system.initial)
        for entity, interfaces in plan["final_state"].items():
            for interface, cells in interfaces.items():
                for cell, value in cells.items():
                    number = system.cell_numbers.get((entity, interface, cell))
                    if number is not None:
                        self.final[number] = value
        self.guarded = any(step.guard for step in self.steps.values())

    def counts(self):
        """How often the plan runs each operation, all guards being true."""
        counts = [0] * len(self.system.operations)
        for step in self.steps.values():
            if step.operation is not None:
                counts[step.operation] += 1
        return tuple(counts)

    def parts(self):
        """Steps that can have to do with each other, as lists of ids."""
        parent = {number: number for number in self.steps}

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        last = {}
        for number, step in self.steps.items():
            for other in step.before | step.apart:
                parent[find(other)] = find(number)
            for cell in step.touches():
                if cell in last:
                    parent[find(last[cell])] = find(number)
                last[cell] = number
        parts = {}
        for number in self.steps:
            parts.setdefault(find(number), []).append(number)
        return list(parts.values())


class Replay:
    """A replay that is under way."""

    def __init__(self, plan, outputs=None, state=None):
        self.plan, self.outputs = plan, outputs or {}
        if state is None:
            self.cells = list(plan.system.initial)
            self.running = self.done = self.skipped = frozenset()
        else:
            cells, self.running, self.done, self.skipped = state
            self.cells = list(cells)

    def state(self):
        return tuple(self.cells), self.running, self.done, self.skipped

    def ready(self, numbers):
        for number in numbers:
            step = self.plan.steps[number]
            if (
                number not in self.done
                and number not in self.running
                and step.before <= self.done
                and not step.apart & self.running
            ):
                yield number

    def start(self, number):
        """Starts a step; what is wrong with that, or None."""
        step = self.plan.steps[number]
        if step.guard and not step.guard(self.cells):
            self.done |= {number}
            self.skipped |= {number}
            return None
        wrong = None
        if not step.holds(self.cells):
            wrong = "false precondition"
        elif step.operation is not None and step.operation in {
            self.plan.steps[other].operation for other in self.running
        }:
            wrong = "already in flight"
        for cell, value in step.entry:
            self.cells[cell] = value
        self.running |= {number}
        return wrong

    def end(self, number):
        step = self.plan.steps[number]
        for cell in step.outputs:
            self.cells[cell] = self.outputs[cell]
        for cell, value in step.success:
            self.cells[cell] = value
        self.running -= {number}
        self.done |= {number}


def describe(plan, trace):
    return [f"{plan.steps[n].name} {what}" for what, n in trace]


def search(plan, outputs=None, limit=20000, final=None):
    """Looks at every replay, part by part. Returns the number of states, or None where
    there are too many; raises Violation."""
    total = 0
    for part in plan.parts():
        seen = search_part(plan, part, outputs, limit, final)
        if seen is None:
            return None
        total += seen
    return total


def search_part(plan, part, outputs, limit, final):
    final = final or plan.final
    mine = sorted(set().union(*(plan.steps[n].touches() for n in part)))
    first = Replay(plan, outputs)
    came = {first.state(): None}
    todo = [first.state()]

    def trace(state, last):
        steps = [last] if last else []
        while came[state] is not None:
            state, step = came[state]
            steps.append(step)
        return describe(plan, steps[::-1])

    while todo:
        state = todo.pop()
        now = Replay(plan, outputs, state)
        moves = [("starts", n) for n in now.ready(part)]
        moves += [("ends", n) for n in now.running]
        if not moves:
            for cell in mine:
                if now.cells[cell] != final[cell]:
                    where = ".".join(plan.system.cells[cell])
                    what = f"{where} is {now.cells[cell]}, not {final[cell]}"
                    raise Violation("wrong end", what, trace(state, None))
            if len(now.done) != len(part):
                raise Violation("stuck", "no step is ready", trace(state, None))
        for move in moves:
            after = Replay(plan, outputs, state)
            if move[0] == "starts":
                wrong = after.start(move[1])
                if wrong:
                    raise Violation(wrong, plan.steps[move[1]].name, trace(state, move))
            else:
                after.end(move[1])
            key = after.state()
            if key not in came:
                came[key] = (state, move)
                todo.append(key)
        if len(came) > limit:
            return None
    return len(came)


def run(plan, seed, width=0, lazy=False, outputs=None, final=None):
    """One replay: at most `width` steps at once (0: no limit), each starting as soon
    as it can or, lazily, at any time, each running for a random time."""
    chance = random.Random(seed)
    now, trace = Replay(plan, outputs), []
    numbers = list(plan.steps)
    while True:
        ready = list(now.ready(numbers))
        if width and len(now.running) >= width:
            ready = []
        ending = sorted(now.running)
        if not ready and not ending:
            break
        if ready and (not ending or not lazy or chance.random() < 0.3):
            move = ("starts", chance.choice(ready))
        else:
            move = ("ends", chance.choice(ending))
        trace.append(move)
        if move[0] == "ends":
            now.end(move[1])
            continue
        wrong = now.start(move[1])
        if wrong:
            raise Violation(wrong, plan.steps[move[1]].name, describe(plan, trace))
    for cell, value in enumerate(final or plan.final):
        if now.cells[cell] != value:
            where = ".".join(plan.system.cells[cell])
            what = f"{where} is {now.cells[cell]}, not {value}"
            raise Violation("wrong end", what, describe(plan, trace))


def check(plan, outputs=None, limit=20000, final=None, seeds=8):
    """Every replay where there are not too many, else some of each kind. Returns how
    many replays, or states of replays, were looked at."""
    seen = search(plan, outputs, limit, final)
    if seen is not None:
        return seen
    for seed in range(seeds):
        run(plan, seed, outputs=outputs, final=final)
        run(plan, seed, lazy=True, outputs=outputs, final=final)
        run(plan, seed, width=1, outputs=outputs, final=final)
        run(plan, seed, width=2, outputs=outputs, final=final)
    return 4 * seeds
