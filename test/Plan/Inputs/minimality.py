"""Whether a plan has an edge too many: without it, every step that waited for it would
still find its precondition true, its event sent, itself not in flight, and what it reads
written."""

from event_system import holds


class PlanSteps:
    """The steps of a plan, joins included, and their events."""

    def __init__(self, system, plan, numbers):
        self.system = system
        self.steps = plan["steps"]
        self.events = {step: event for step, (event, _) in numbers.items()}
        self.deps = {step["id"]: set(step["deps"]) for step in self.steps}
        self.sources = {step: self.sources_of(step) for step in self.events}

    def sources_of(self, step):
        """The steps whose data a step reads; None where it does not wait for one."""
        before = self.closure(self.deps, step)
        found = set()
        for event in self.system.operations[self.events[step]].reads:
            writers = [other for other, writer in self.events.items() if writer == event]
            if writers:
                found.add(max((other for other in writers if other in before), default=None))
        return found

    def closure(self, deps, start):
        found, open_ = set(), [start]
        while open_:
            for dep in deps[open_.pop()]:
                if dep not in found:
                    found.add(dep)
                    open_.append(dep)
        return found

    def can_start(self, step, done, started):
        """Whether the step is asked for and can be accepted when the steps `done` have
        ended, in the plan's order, and `started` have begun."""
        event = self.events[step]
        pre = self.system.operations[event].pre
        cells, asked = dict(self.system.cells), False

        def act(sends):
            nonlocal asked
            rules = [(c, e) for _, c, e in self.system.rules]
            for condition, receiver in [*sends, *rules]:
                if receiver == event and holds(cells, condition) and holds(cells, pre):
                    asked = True

        def write(entity, sets):
            cells.update({(entity, cell): value for cell, value in sets.items()})

        act([(True, receiver) for receiver in self.system.start])
        for other in sorted(done | started):
            if other not in self.events:
                continue
            operation = self.system.operations[self.events[other]]
            # It has been asked for this one, not for the next.
            asked = asked and self.events[other] != event
            write(self.events[other][0], operation.entry)
            act(operation.entry_sends)
            if other in done:
                write(self.events[other][0], operation.success)
                act(operation.sends)
        asked = asked and self.sources[step] <= done
        running = {self.events[s] for s in started - done if s in self.events}
        return asked and event not in running and holds(cells, pre)

    def is_needed(self, dep, step):
        """Whether a step breaks if `step` does not wait for `dep`."""
        deps = {**self.deps, step: self.deps[step] - {dep}}
        users = [step]
        if step not in self.events:
            users = [s for s in deps if step in deps[s] and s in self.events]
        return any(self.breaks(user, dep, deps) for user in users)

    def breaks(self, step, dep, deps):
        before = self.closure(deps, step)
        if dep in before:
            return False
        ready = {s for s in deps if dep not in self.closure(deps, s) | {s}}
        ready = {s for s in ready if step not in self.closure(deps, s) | {s}}
        dep_before = self.closure(deps, dep)
        for done in (before, before | dep_before, ready | before | dep_before):
            if step in done or dep in done:
                continue
            for started in (done, done | {dep}):
                if started != done and not dep_before <= done:
                    continue
                if not self.can_start(step, done, started):
                    return True
        return False


def needless_edges(system, plan, numbers):
    steps = PlanSteps(system, plan, numbers)
    for step, sources in steps.sources.items():
        if None in sources:
            yield f"step {step} does not wait for what it reads"
            return
    for step in plan["steps"]:
        for dep in step["deps"]:
            is_known = dep in numbers or plan["steps"][dep]["kind"] == "join"
            is_own = step["id"] in numbers or step["kind"] == "join"
            if dep in step.get("choices", []) or not is_known or not is_own:
                continue
            if not steps.is_needed(dep, step["id"]):
                yield f"nobody needs the edge {dep} -> {step['id']} ({step.get('name')})"
