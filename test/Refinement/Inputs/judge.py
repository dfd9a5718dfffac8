"""Holds toscac against the interpreter: one service, compiled as users do and with
--verify, and everything that is not as DESIGN says."""

import itertools
import json
import math
import os
import random
import subprocess

import failures
import replay
import semantics
import template as reader

# Warnings that say that orders differ. The compiler has to have a reason for them.
ORDER = {"lost-trigger", "event-race", "order-dependent", "broken-promise"}
# Warnings that say that a plan is less than it seems, without saying that orders differ.
RESERVED = {"early-event", "not-proved", "verify-limit"}
# How many states --verify may look at: what it does not decide by then is left out.
VERIFY_LIMIT = 2000


class Compiled:
    def __init__(self, code, diagnostics, plan):
        self.code, self.diagnostics, self.plan = code, diagnostics, plan

    def ids(self, severity=None):
        return {d["id"] for d in self.diagnostics if severity in (None, d["severity"])}


class Compiler:
    """Runs toscac on templates that are written to a folder."""

    def __init__(self, program, folder, verify=True, patience=None):
        self.program, self.folder = program, folder
        self.verify, self.patience = verify, patience
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if name not in ("TOSCAC_KEEP_PLANS", "TOSCAC_VERIFY_ROUNDTRIP")
        }
        # So that no handler's file is missing.
        with open(os.path.join(folder, "work.sh"), "w", encoding="utf-8") as file:
            file.write("exit 0\n")

    def write(self, case, system):
        path = os.path.join(self.folder, "service.yaml")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(case.template, file)
        if case.cells is not None:
            path = os.path.join(self.folder, "state.json")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(recorded(case, system), file)

    def compile(self, case, *options):
        plan = os.path.join(self.folder, "plan.json")
        if os.path.exists(plan):
            os.remove(plan)
        command = [self.program, os.path.join(self.folder, "service.yaml")]
        command += ["--workflow", case.workflow, "--diagnostics-format", "json"]
        command += ["-o", plan, *options]
        if case.cells is not None:
            command += ["--state", os.path.join(self.folder, "state.json")]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                env=self.environment,
                timeout=self.patience,
            )
        except subprocess.TimeoutExpired:
            return Compiled(None, [], None)
        lines = [line for line in done.stderr.splitlines() if line.startswith("{")]
        result = Compiled(done.returncode, [json.loads(line) for line in lines], None)
        if done.returncode == 0 and os.path.exists(plan):
            with open(plan, encoding="utf-8") as file:
                result.plan = json.load(file)
        return result


def recorded(case, system):
    """The state.json of a deployment whose cells are as the case says."""
    rows, counts = [], {}
    templates = case.template["service_template"]["node_templates"]
    for entity in system.entities:
        row = {"name": entity.name, "kind": entity.kind}
        if entity.kind == "node":
            kind = templates[entity.template]["type"]
            row.update(template=entity.template, index=entity.index, type=kind)
            counts[entity.template] = entity.index + 1
        elif entity.kind == "relationship":
            row.update(requirement=entity.requirement, index=entity.index, type="R")
            row.update(source=entity.source.name, target=entity.target.name)
            row.update(capability=entity.capability)
        else:
            continue
        cells = {}
        for interface, machine in entity.machines.items():
            for cell in machine.cells:
                number = system.cell_numbers[entity.name, interface, cell]
                cells.setdefault(interface, {})[cell] = system.initial[number]
        rows.append({**row, "properties": {}, "attributes": {}, "cells": cells})
    deployment = {
        "service": "service",
        "template": "sha256:" + 64 * "0",
        "inputs": {},
        "next_index": counts,
        "counts": counts,
        "entities": rows,
        "shared": [],
    }
    return {"state": 1, "deployments": {"default": deployment}}


class Truth:
    """What the interpreter says of a service, given what handlers will tell."""

    def __init__(self, system, outputs, limit):
        self.outputs = outputs
        self.differs, self.decided = False, True
        self.endless = self.always_endless = False
        self.witness, self.unheard, self.refused = None, set(), set()
        self.counts = [0] * len(system.operations)
        self.cells = list(system.initial)
        self.tasks_done = True
        self.system, self.explorations = system, []
        self.states = 0
        for part in semantics.components(system):
            seen = semantics.Exploration(part, limit, outputs)
            self.states += len(seen.came)
            self.explorations.append(seen)
            endless = [o for o in seen.outcomes if o.endless is not None]
            self.endless |= bool(endless)
            if len(seen.outcomes) > 1:
                self.differs = True
                self.witness = self.witness or (part, seen.outcomes)
                continue
            if not seen.complete or not seen.outcomes:
                self.decided = False
                continue
            outcome = seen.outcomes[0]
            self.always_endless |= bool(endless)
            self.unheard |= seen.unheard
            self.refused |= seen.refused
            for number in part.operations_in:
                self.counts[number] = outcome.counts[number]
            if system.event is not None:
                self.counts[system.event] = 1
            for cell in part.cells_in:
                self.cells[cell] = outcome.cells[cell]
            self.tasks_done &= seen.tasks_done
        self.decided |= self.differs

    def story(self):
        """Two orders that differ, in words."""
        if not self.witness:
            return []
        part, outcomes = self.witness
        told = [semantics.story(part, o.schedule, self.outputs) for o in outcomes]
        return [line for story in told for line in [*story, "--"]]

    def overlap(self, ring):
        """Whether in every order each operation of the ring starts before the next one
        ends, so that there is no order of whole operations."""
        numbers = {o.name: n for n, o in enumerate(self.system.operations)}
        ring = [numbers[name] for name in ring]

        def has_ended(state, number):
            return state[4][number] and not state[1] >> number & 1

        return not any(
            has_ended(state, later) and not state[4][number]
            for seen in self.explorations
            for state in seen.came
            for number, later in zip(ring, ring[1:])
        )

    def same(self):
        return self.decided and not self.differs and not self.endless


class Judgement:
    def __init__(self):
        self.findings = []
        self.clean = self.warned = self.benign = self.reserved = self.refused = False
        self.undecided = self.slow = self.guardable = False
        self.replayed = self.failures = 0
        self.verdict_compared = False

    def find(self, kind, text, story=()):
        self.findings.append((kind, text, list(story)))

    def kinds(self):
        return {kind for kind, _, _ in self.findings}


def judge(case, compiler, limit=6000):
    """Compares; reader.NotUnderstood where the template is beyond the subset."""
    result = Judgement()
    system = reader.read(
        case.template, case.workflow, case.inputs, "service", case.cells
    )
    compiler.write(case, system)
    inputs = [f"--input={name}={value}" for name, value in case.inputs.items()]
    plain = compiler.compile(case, *inputs)
    if plain.code is None:
        result.slow = True
        return result
    if plain.code not in (0, 1, 2):
        result.find("crash", f"exit code {plain.code}")
        return result
    if plain.code == 1:
        messages = [d["message"] for d in plain.diagnostics if d["severity"] == "error"]
        result.find("rejected", f"exit code 1: {messages[:2]}")
        return result
    cells = sorted({cell for o in system.operations for cell in o.outputs})
    domains = [system.domains[cell] or [None] for cell in cells]
    truths = [Truth(system, world, limit) for world in some_worlds(cells, domains)]
    all_worlds = len(truths) == math.prod(map(len, domains))
    if plain.code == 2:
        refused(result, plain, system, truths, all_worlds)
        return result
    compare(result, plain, system, truths, all_worlds)
    if compiler.verify and all_worlds:
        bounded = ("--verify", f"--verify-limit={VERIFY_LIMIT}", *inputs)
        verify(result, compiler.compile(case, *bounded), system, truths, plain)
    return result


def some_worlds(cells, domains, most=8):
    """What handlers may tell: all of it, or so many of the combinations at random."""
    if math.prod(map(len, domains)) <= most:
        return [dict(zip(cells, values)) for values in itertools.product(*domains)]
    chance = random.Random(len(cells))
    worlds = [dict(zip(cells, [d[at] for d in domains])) for at in (0, -1)]
    while len(worlds) < most:
        worlds.append({cell: chance.choice(d) for cell, d in zip(cells, domains)})
    return worlds


def refused(result, plain, system, truths, all_worlds):
    """The compiler makes no plan: is there a reason?"""
    result.refused = True
    ids = sorted(plain.ids("error"))
    messages = [d["message"] for d in plain.diagnostics if d["severity"] == "error"]
    if "transient-precondition" in ids:
        if any(borne_out(system, t, messages) for t in truths):
            return
    # What no guard can tell may be refused: the message says why.
    if ids == ["unplannable-outcome"] and cells_told(truths):
        if all_worlds and all(t.same() and not missed(system, t) for t in truths):
            result.guardable = could_be_guarded(system, truths)
        return
    if ids == ["must-overlap"] and truths[0].overlap(ring_in(messages[0])):
        return
    if all(t.same() and not missed(system, t) for t in truths):
        result.find(f"refused {'+'.join(ids)}", f"all orders agree, but: {messages[0]}")


def borne_out(system, truth, messages):
    """Whether an operation that is said to hold only for a while is accepted at all."""
    told = " ".join(messages)
    names = [o.name for o, count in zip(system.operations, truth.counts) if count]
    said = [name for name in names if f"'{name}' can be accepted only" in told]
    return truth.differs or bool(said)


def could_be_guarded(system, truths):
    """Whether some plan of one step after another is right whatever outputs turn out to
    be: operations end as in an order that has all there are in any, those that one of the
    others has not are left out, and what is known by then tells which."""
    most = max(truths, key=lambda truth: sum(truth.counts))
    for truth in truths:
        if any(count > most.counts[n] for n, count in enumerate(truth.counts)):
            return False
    if any(count > 1 for count in most.counts):
        return False
    ends = [
        number
        for seen in most.explorations
        for number, _ in seen.outcomes[0].schedule
        if number is not None
    ]
    cells = [list(system.initial) for _ in truths]
    known = [() for _ in truths]
    for number in ends:
        operation, decided = system.operations[number], {}
        for at, truth in enumerate(truths):
            takes = truth.counts[number] > 0
            if decided.setdefault(known[at], takes) != takes:
                return False
            if not takes:
                continue
            if not operation.holds(cells[at]):
                return False
            told = [(cell, truth.outputs[cell]) for cell in operation.outputs]
            for cell, value in operation.sets["entry"] + told + operation.sets["success"]:
                cells[at][cell] = value
            known[at] += tuple(told)
    return all(cells[at] == truth.cells for at, truth in enumerate(truths))


def ring_in(message):
    """The names of operations that a message says to be in a ring, each of which has to
    start before the next one ends."""
    return message.split("'")[1::2]


def missed(system, truth):
    """What the workflow wants and does not get, in words."""
    if not truth.tasks_done:
        return "tasks are left"
    for cell, value in system.desired:
        if truth.cells[cell] != value:
            return f"{'.'.join(system.cells[cell])} does not become {value}"
    # What is there already may ignore a message to all of its kind.
    for number in [] if system.recorded else sorted(truth.unheard):
        if truth.counts[number] == 0:
            return f"{system.operations[number].name} is never accepted"
    return None


def compare(result, plain, system, truths, all_worlds):
    """A plan was made: does it say what happens, and is it followed safely?"""
    warnings = plain.ids("warning")
    result.warned = bool(warnings & ORDER)
    result.reserved = bool(warnings & RESERVED)
    result.clean = not result.warned and not result.reserved
    plan = replay.Plan(plain.plan, system)
    matches = True
    for truth in truths:
        final = None
        if not truth.decided:
            result.undecided = True
        elif truth.differs or truth.endless:
            matches = False
            if result.clean:
                result.find("silent", "orders differ and nothing is said", truth.story())
        else:
            difference = unlike(plan, system, truth)
            if difference:
                matches = False
                if result.clean:
                    text = f"all orders agree, but the plan does not: {difference}"
                    result.find("silent", text)
            elif truth.outputs:
                final = truth.cells
        if result.undecided or truth.outputs and not final:
            continue
        try:
            result.replayed += replay.check(plan, truth.outputs, final=final)
        except replay.Violation as violation:
            kind = "refinement" if result.clean else "refinement (warned)"
            result.find(f"{kind}: {violation.kind}", violation.what, violation.trace)
    # A goal may depend on what handlers tell: none of all that they can tell reaches it.
    texts = [missed(system, t) for t in truths if t.same()]
    if all_worlds and len(texts) == len(truths) and all(texts):
        result.find("goal missed", texts[0])
    if not cells_told(truths):
        try:
            result.failures = failures.check(plan, plain.plan, system)
        except replay.Violation as violation:
            kind = f"after a failure: {violation.kind}"
            result.find(kind, violation.what, violation.trace)
    if result.warned and matches and not result.undecided:
        result.benign = True


def cells_told(truths):
    return any(truth.outputs for truth in truths)


def unlike(plan, system, truth):
    """How the plan differs from what all orders do, in words."""
    counts = list(plan.counts())
    if plan.guarded:
        now = replay.Replay(plan, truth.outputs)
        for number in plan.steps:
            now.start(number)
            if number in now.running:
                now.end(number)
        for number in now.skipped:
            counts[plan.steps[number].operation] -= 1
    for number, count in enumerate(counts):
        if count != truth.counts[number]:
            name = system.operations[number].name
            return f"{name} runs {truth.counts[number]} times, in the plan {count}"
    if not truth.outputs:
        for number, value in enumerate(plan.final):
            if value != truth.cells[number]:
                name = ".".join(system.cells[number])
                return f"{name} ends as {truth.cells[number]}, in the plan {value}"
    return None


def verify(result, verified, system, truths, plain):
    """The verdict of --verify against that of the interpreter."""
    errors = verified.ids("error")
    if verified.code is None:
        result.slow = True
        return
    if not all(t.decided for t in truths) or "verify-limit" in verified.ids():
        result.undecided = True
        return
    if "orders-not-explored" in errors:
        return
    result.verdict_compared = True
    plan = replay.Plan(plain.plan, system)
    wrong = [t for t in truths if unproved(plan, system, t)]
    if verified.code == 0 and wrong:
        text = unproved(plan, system, wrong[0])
        result.find("verdict: too good", f"verified, but {text}", wrong[0].story())
    elif verified.code != 0 and not wrong and not all(missed(system, t) for t in truths):
        if errors == {"never-ready"} and asked_in_vain(system, truths[0], verified):
            return
        found = [d for d in verified.diagnostics if d["severity"] == "error"]
        text = "; ".join(d["message"] for d in found[:2])
        result.find(f"verdict: too bad ({'+'.join(sorted(errors))})", text)


def unproved(plan, system, truth):
    """Why the plan is no proof of what all orders do, in words."""
    if truth.differs or truth.endless:
        return "orders differ"
    return unlike(plan, system, truth)


def asked_in_vain(system, truth, verified):
    """Whether each operation that is said to be sent and never accepted is."""
    names = {
        system.operations[number].name
        for number in truth.refused
        if truth.counts[number] == 0
    }
    said = [d["message"] for d in verified.diagnostics if d["severity"] == "error"]
    return all(any(f"'{name}' is sent" in text for name in names) for text in said)
