"""Holds toscac against the interpreter: one service, compiled as users do and with
--verify, and everything that is not as DESIGN says."""

import itertools
import json
import os
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
        self.witness, self.unheard = None, set()
        self.counts = [0] * len(system.operations)
        self.cells = list(system.initial)
        self.tasks_done = True
        self.states = 0
        for part in semantics.components(system):
            seen = semantics.Exploration(part, limit, outputs)
            self.states += len(seen.came)
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
            for number in part.operations_in:
                self.counts[number] = outcome.counts[number]
            if system.event is not None:
                self.counts[system.event] = 1
            for cell in part.cells_in:
                self.cells[cell] = outcome.cells[cell]
            for task, (calls, _) in enumerate(system.tasks):
                self.tasks_done &= outcome.tasks[task][0] == len(calls)
        self.decided |= self.differs

    def story(self):
        """Two orders that differ, in words."""
        if not self.witness:
            return []
        part, outcomes = self.witness
        told = [semantics.story(part, o.schedule, self.outputs) for o in outcomes]
        return [line for story in told for line in [*story, "--"]]

    def same(self):
        return self.decided and not self.differs and not self.endless


class Judgement:
    def __init__(self):
        self.findings = []
        self.clean = self.warned = self.benign = self.reserved = self.refused = False
        self.undecided = self.slow = False
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
    worlds = [dict(zip(cells, values)) for values in itertools.product(*domains)][:8]
    truths = [Truth(system, world, limit) for world in worlds]
    if plain.code == 2:
        refused(result, plain, system, truths)
        return result
    compare(result, plain, system, truths)
    if compiler.verify and not cells:
        bounded = ("--verify", f"--verify-limit={VERIFY_LIMIT}", *inputs)
        verify(result, compiler.compile(case, *bounded), system, truths[0], plain)
    return result


def refused(result, plain, system, truths):
    """The compiler makes no plan: is there a reason?"""
    result.refused = True
    ids = sorted(plain.ids("error"))
    messages = [d["message"] for d in plain.diagnostics if d["severity"] == "error"]
    if "transient-precondition" in ids:
        if any(borne_out(system, t, messages) for t in truths):
            return
    if all(t.same() and not missed(system, t) for t in truths):
        result.find(f"refused {'+'.join(ids)}", f"all orders agree, but: {messages[0]}")


def borne_out(system, truth, messages):
    """Whether an operation that is said to hold only for a while is accepted at all."""
    told = " ".join(messages)
    names = [o.name for o, count in zip(system.operations, truth.counts) if count]
    said = [name for name in names if f"'{name}' can be accepted only" in told]
    return truth.differs or bool(said)


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


def compare(result, plain, system, truths):
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
    # A goal may depend on what handlers tell.
    texts = [missed(system, t) for t in truths if t.same()]
    if len(texts) == len(truths) and all(texts):
        result.find("goal missed", texts[0])
    if not cells_told(truths):
        try:
            result.failures = failures.check(plan, plain.plan, system)
        except replay.Violation as violation:
            kind = "failure step: false precondition"
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


def verify(result, verified, system, truth, plain):
    """The verdict of --verify against that of the interpreter."""
    errors = verified.ids("error")
    if verified.code is None:
        result.slow = True
        return
    if not truth.decided or "verify-limit" in verified.ids():
        result.undecided = True
        return
    if "orders-not-explored" in errors:
        return
    result.verdict_compared = True
    plan = replay.Plan(plain.plan, system)
    wrong = truth.differs or truth.endless or unlike(plan, system, truth)
    if verified.code == 0 and wrong:
        text = wrong if isinstance(wrong, str) else "orders differ"
        result.find("verdict: too good", f"verified, but {text}", truth.story())
    elif verified.code != 0 and not wrong and not missed(system, truth):
        found = [d for d in verified.diagnostics if d["severity"] == "error"]
        text = "; ".join(d["message"] for d in found[:2])
        result.find(f"verdict: too bad ({'+'.join(sorted(errors))})", text)
