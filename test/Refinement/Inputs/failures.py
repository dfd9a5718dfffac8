"""What a plan does when a step fails: its failure steps, and the steps that go on, start
only where the machines let them, whatever the other steps have come to by then."""

import random

from replay import Replay, Step, Violation


class FailureSteps:
    """The failure steps of a plan, by the step that has to fail."""

    def __init__(self, plan, written, system):
        names = [entity["name"] for entity in written["entities"]]
        self.plan, self.after = plan, {}
        joins = {
            row["id"]: set(row["deps"]) for row in written["steps"] if row["kind"] == "join"
        }
        for row in written["failure_steps"]:
            deps = set().union(set(), *(joins.get(d, {d}) for d in row["deps"]))
            if row["kind"] == "join":
                joins[row["id"]] = deps
                continue
            step = Step(row, row["id"], names, system)
            step.before = deps
            self.after.setdefault(row["after_failure"], []).append(step)


class Failing(Replay):
    """A replay in which one step fails. As tosca-run does it, what runs is ended and
    nothing else is started (`stop`), or all that does not wait for the failed step, that
    it does not exclude and that does not name it in `unless_failed` (`continue`)."""

    def fail(self, number, failure):
        for cell, value in failure:
            self.cells[cell] = value
        self.running -= {number}


def fail_once(plan, failing, failed, seed, system):
    """One replay in which the step `failed` fails, at a random moment."""
    chance = random.Random(seed)
    go_on = chance.random() < 0.5
    now, trace = Failing(plan), []
    numbers, steps = list(plan.steps), {step.number: step for step in failing}
    doomed = {failed} | plan.steps[failed].apart
    for number in numbers:
        step = plan.steps[number]
        if step.before & doomed or failed in step.unless:
            doomed.add(number)
    operation = system.operations[plan.steps[failed].operation]
    happened, over, live = False, set(), {}
    while True:
        moves = [("ends", n) for n in sorted(now.running) if n != failed]
        if not happened:
            moves += [("starts", n) for n in now.ready(numbers)]
        elif go_on:
            moves += [("starts", n) for n in now.ready(numbers) if n not in doomed]
        if failed in now.running:
            moves.append(("fails", failed))
        if happened:
            for number, step in steps.items():
                if number in over or number in live:
                    continue
                if settled(step, now, over, doomed, go_on, steps):
                    moves.append(("reacts", number))
            moves += [("ends", n) for n in live]
        if not moves:
            return
        move, number = chance.choice(moves)
        trace.append((move, number))
        if move == "starts":
            wrong = now.start(number)
            if wrong and happened:
                raise Violation(wrong, plan.steps[number].name, told(plan, steps, trace))
            if wrong:
                return  # Found by other replays.
        elif move == "fails":
            now.fail(number, operation.sets["failure"])
            happened = True
        elif move == "reacts":
            step = steps[number]
            if step.guard and not step.guard(now.cells):
                over.add(number)
                continue
            if not step.holds(now.cells):
                what = told(plan, steps, trace)
                raise Violation("false precondition", step.name, what)
            for cell, value in step.entry:
                now.cells[cell] = value
            live[number] = step
        elif number in live:
            for cell, value in live.pop(number).success:
                now.cells[cell] = value
            over.add(number)
        else:
            now.end(number)


def told(plan, steps, trace):
    names = {**plan.steps, **steps}
    return [f"{names[n].name} {what}" for what, n in trace]


def settled(step, now, over, doomed, go_on, steps):
    """Whether a failure step may start: what it waits for is over or will not run."""
    for number in step.before:
        if number in steps:
            if number not in over:
                return False
        elif number in now.running:
            return False
        elif number not in now.done and go_on and number not in doomed:
            return False
    return True


def check(plan, written, system, seeds=6):
    """Fails each step a few times; how often that was."""
    failure_steps = FailureSteps(plan, written, system)
    tried = 0
    for failed in plan.steps:
        # A step that runs nothing cannot fail.
        number = plan.steps[failed].operation
        if number is None or not system.operations[number].calls:
            continue
        for seed in range(seeds):
            steps = failure_steps.after.get(failed, [])
            fail_once(plan, steps, failed, seed, system)
            tried += 1
    return tried
