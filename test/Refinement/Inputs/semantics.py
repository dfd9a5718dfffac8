"""What events mean (DESIGN, section 6.1), over explicit states, and every order in which
operations can end.

An act is one of two things. The workflow begins; or an operation that is in flight ends.
In an act everything happens at once: what the operation sets, what it sends in the order
of the text, what that lets enter, and then, in any order, the calls that tasks of the
workflow have been waiting to make and the rules that rise. A call that waits for an
operation comes before whatever else asks for that operation. Between acts nothing
happens, so that a schedule is a sequence of ends."""


class Endless(Exception):
    """An operation is accepted more often than anybody would want."""

    def __init__(self, operation):
        super().__init__(operation)
        self.operation = operation


class TooMany(Exception):
    """There are more orders of rules in one act than may be looked at."""


REPEATS = 12
RESULTS = 2000


class Act:
    """A state that is being changed. As a key it is (cells, in flight, held rules,
    tasks, how often each operation was accepted)."""

    def __init__(self, system, state=None, outputs=None):
        self.system = system
        self.outputs = outputs or {}
        self.entered, self.ignored, self.refused = [], [], []
        self.heard, self.unheard = [], []
        if state is None:
            self.cells = list(system.initial)
            self.running, self.held = 0, 0
            self.tasks = [(0, False)] * len(system.tasks)
            self.counts = [0] * len(system.operations)
        else:
            cells, self.running, self.held, tasks, counts = state
            self.cells, self.tasks, self.counts = list(cells), list(tasks), list(counts)

    def state(self):
        return (
            tuple(self.cells),
            self.running,
            self.held,
            tuple(self.tasks),
            tuple(self.counts),
        )

    def accepts(self, number):
        operation = self.system.operations[number]
        return not self.running >> number & 1 and operation.holds(self.cells)

    def enter(self, number):
        self.counts[number] += 1
        if self.counts[number] > REPEATS:
            raise Endless(number)
        self.entered.append(number)
        self.running |= 1 << number
        self.react(number, "entry")

    def react(self, number, when):
        operation = self.system.operations[number]
        for cell, value in operation.sets[when]:
            self.cells[cell] = value
        own = number == self.system.event
        for condition, _, receivers in operation.sends[when]:
            if condition is None or condition(self.cells):
                for receiver in receivers:
                    if self.called(receiver):
                        continue
                    if self.accepts(receiver):
                        self.heard += [receiver] if own else []
                        self.enter(receiver)
                    else:
                        self.unheard += [receiver] if own else []
                        self.ignored.append(receiver)

    def begin(self):
        """The workflow begins; all that this may lead to at once."""
        if self.system.event is not None:
            self.enter(self.system.event)
        return self.settle()

    def end(self, number, how="success"):
        """An operation ends; all that this may lead to at once."""
        self.running &= ~(1 << number)
        if how == "success":
            for cell in self.system.operations[number].outputs:
                self.cells[cell] = self.outputs[cell]
        self.react(number, how)
        for task, (position, called) in enumerate(self.tasks):
            if called and self.system.tasks[task][0][position] == number:
                self.tasks[task] = (position + 1, False)
        return self.settle()

    def settle(self):
        """Tasks call what is accepted by now, and rules fire that have risen. Which of
        them comes first is left open, so that there may be several results."""
        results, todo, seen = [], [self], set()
        while todo:
            act = todo.pop()
            ready = act.ready()
            if not ready:
                results.append(act)
                continue
            choices = act.alone(ready) or ready
            for choice in choices:
                after = act.copy() if len(choices) > 1 else act
                after.take(choice)
                key = after.state()
                if key not in seen:
                    seen.add(key)
                    todo.append(after)
            if len(seen) > RESULTS:
                raise TooMany()
        return results

    def copy(self):
        act = Act(self.system, self.state(), self.outputs)
        act.entered, act.ignored = list(self.entered), list(self.ignored)
        act.refused = list(self.refused)
        act.heard, act.unheard = list(self.heard), list(self.unheard)
        return act

    def calls(self):
        """Tasks that have come so far, with the operation that they call next."""
        for task, (calls, after) in enumerate(self.system.tasks):
            position, called = self.tasks[task]
            if called or position == len(calls) or not all(map(self.done, after)):
                continue
            yield task, calls[position]

    def called(self, number):
        """Whether a task has been waiting for this operation, and gets it now."""
        if self.system.tasks and self.accepts(number):
            for task, operation in self.calls():
                if operation == number:
                    self.take((task, None, number))
                    return True
        return False

    def ready(self):
        """What can happen now, as (task, rule, operation)."""
        calls = [(t, None, n) for t, n in self.calls() if self.accepts(n)]
        waiting = {number for _, _, number in calls}
        rules = [(None, r, self.system.rules[r].operation) for r in self.risen()]
        return calls + [rule for rule in rules if rule[2] not in waiting]

    def take(self, choice):
        task, rule, number = choice
        if rule is not None:
            self.held |= 1 << rule
        if task is not None:
            self.tasks[task] = (self.tasks[task][0], True)
        self.enter(number)

    def done(self, task):
        return self.tasks[task][0] == len(self.system.tasks[task][0])

    def risen(self):
        """Rules that hold and have not fired since they came to hold. One whose
        operation is in flight waits for its end."""
        risen = []
        for number, rule in enumerate(self.system.rules):
            asks = rule.condition(self.cells)
            if not (asks and self.system.operations[rule.operation].holds(self.cells)):
                self.held &= ~(1 << number)
                self.refused += [rule.operation] if asks and rule.conditional else []
            elif not (self.held >> number & 1 or self.running >> rule.operation & 1):
                risen.append(number)
        return risen

    def alone(self, ready):
        """One of what can happen that has nothing to do with any other, be it that
        this can happen now or because of something that does."""
        rules, operations = self.system.rules, self.system.operations
        others = [(None, n, rule.operation) for n, rule in enumerate(rules)]
        for task, (calls, _) in enumerate(self.system.tasks):
            others += [(task, None, n) for n in calls[self.tasks[task][0] :]]
        now = set(ready)

        def asks(choice, cells):
            if not cells.isdisjoint(operations[choice[2]].reads):
                return True
            return choice[1] is not None and not cells.isdisjoint(rules[choice[1]].reads)

        for choice in ready:
            operation = operations[choice[2]]
            if operation.sends["entry"]:
                continue
            written = {cell for cell, _ in operation.sets["entry"]}
            touched = written | operation.reads
            if choice[1] is not None:
                touched = touched | rules[choice[1]].reads
            for other in others:
                there = operations[other[2]]
                if other == choice:
                    continue
                if other in now and (
                    other[2] == choice[2]
                    or there.sends["entry"]
                    or any(cell in touched for cell, _ in there.sets["entry"])
                ):
                    break
                if written and other[2] != choice[2] and asks(other, written):
                    break
            else:
                return [choice]
        return []


def in_flight(mask):
    number = 0
    while mask:
        if mask & 1:
            yield number
        mask >>= 1
        number += 1


class Outcome:
    """How a schedule ends: how often each operation ran, the cells, how far the tasks
    are, and the schedule itself. `endless` is the operation that never stops."""

    def __init__(self, state, schedule, endless=None):
        self.cells, _, _, self.tasks, self.counts = state
        self.schedule, self.endless = schedule, endless

    def key(self):
        if self.endless is not None:
            return "endless"
        return self.counts, self.cells, self.tasks


class Exploration:
    """What all orders lead to. Where `limit` states were not enough, `complete` is
    false. `unheard` are operations that the workflow's event asks for and that no order
    has accepted when it did so; `refused` those that anybody, be it a rule with a
    condition, asked for in vain. `tasks_done`: some order gets all tasks done."""

    def __init__(self, system, limit=20000, outputs=None, enough=2):
        self.system, self.outputs = system, outputs
        self.outcomes, self.complete = [], True
        self.came, self.heard, self.unheard = {}, set(), set()
        self.refused, self.tasks_done = set(), False
        try:
            self.follow(limit, enough)
        except TooMany:
            self.complete = False
        self.unheard -= self.heard

    def follow(self, limit, enough):
        keys, todo = set(), []
        self.act(None, None, lambda act: act.begin(), todo)
        while todo:
            state = todo.pop()
            if isinstance(state, Outcome) or not state[1]:
                if not isinstance(state, Outcome):
                    state = Outcome(state, schedule_to(self.came, state))
                self.tasks_done |= all(
                    position == len(calls)
                    for (calls, _), (position, _) in zip(self.system.tasks, state.tasks)
                )
                if state.key() not in keys:
                    keys.add(state.key())
                    self.outcomes.append(state)
                if len(keys) >= enough:
                    return
                continue
            for number in in_flight(state[1]):
                self.act(state, number, lambda act: act.end(number), todo)
            if len(self.came) > limit:
                self.complete = False
                return

    def act(self, state, number, do, todo):
        act = Act(self.system, state, self.outputs)
        try:
            results = do(act)
        except Endless as endless:
            schedule = [] if state is None else schedule_to(self.came, state)
            schedule.append((number, None))
            todo.append(Outcome(act.state(), schedule, endless.operation))
            return
        for result in results:
            self.heard.update(result.heard)
            self.unheard.update(result.unheard)
            self.refused.update(result.ignored, result.refused)
            after = result.state()
            if after not in self.came:
                self.came[after] = (state, number)
                todo.append(after)


def schedule_to(came, state):
    """The operations that end one after another, each with the state that follows;
    the first is None, the beginning."""
    schedule = []
    while state is not None:
        before, number = came[state]
        schedule.append((number, state))
        state = before
    return schedule[::-1]


def story(system, schedule, outputs=None):
    """A schedule in words."""
    names = lambda numbers: ", ".join(system.operations[n].name for n in numbers)
    lines, state = [], None
    for number, after in schedule:
        act = Act(system, state, outputs)
        try:
            results = act.begin() if number is None else act.end(number)
        except Endless as endless:
            name = system.operations[endless.operation].name
            return lines + [f"and so on: {name} goes on for ever"]
        act = next(result for result in results if result.state() == after)
        line = "at first" if number is None else f"{system.operations[number].name} ends"
        if act.entered:
            line += f"; {names(act.entered)} start"
        if act.ignored:
            line += f"; {names(act.ignored)} ignored"
        lines.append(line)
        state = after
    return lines


def components(system):
    """Parts of the system that cannot influence each other, as systems of their own.
    Each has its own copy of the workflow's event; the numbers stay as they are."""
    parent = list(range(len(system.operations) + len(system.cells)))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    def join(numbers):
        numbers = list(numbers)
        for other in numbers[1:]:
            parent[find(other)] = find(numbers[0])

    base = len(system.operations)
    for number, operation in enumerate(system.operations):
        touched = {base + cell for cell in operation.reads}
        for when in ("entry", "success"):
            touched |= {base + cell for cell, _ in operation.sets[when]}
            for _, reads, receivers in operation.sends[when]:
                if number != system.event:
                    touched |= {base + cell for cell in reads} | set(receivers)
        touched |= {base + cell for cell in operation.outputs}
        join([number, *touched])
    for rule in system.rules:
        join([rule.operation, *(base + cell for cell in rule.reads)])
    groups = {}
    for number in range(len(parent)):
        groups.setdefault(find(number), []).append(number)
    if system.tasks or system.event is None and not system.rules:
        return [Part(system, range(len(parent)))]
    parts = [Part(system, group) for group in groups.values() if min(group) < base]
    if system.event is not None and len(parts) > 1:
        parts = [part for part in parts if part.operations_in != {system.event}]
    return parts or [Part(system, range(len(parent)))]


class Part:
    """A view of a system in which the workflow sends only to some operations, and only
    their rules are there."""

    def __init__(self, system, numbers):
        base = len(system.operations)
        inside = {n for n in numbers if n < base}
        self.operations_in = inside
        self.cells_in = sorted(n - base for n in numbers if n >= base)
        self.whole = system
        self.initial, self.event = system.initial, system.event
        self.tasks = system.tasks
        self.rules = [rule for rule in system.rules if rule.operation in inside]
        self.operations = system.operations
        if system.event is not None:
            self.operations = list(system.operations)
            self.operations[system.event] = restricted(
                system.operations[system.event], inside | {system.event}
            )


def restricted(operation, inside):
    copy = type(operation)(**vars(operation))
    copy.sends = {
        when: [
            (condition, reads, [r for r in receivers if r in inside])
            for condition, reads, receivers in sends
        ]
        for when, sends in operation.sends.items()
    }
    return copy
