#!/usr/bin/env python3
"""run-plans.py FOLDER SEED...: has tosca-run run the plans of random services, with
handlers that take a random time, one at a time and without a limit, and holds what it
says it does against the machines."""

import json
import os
import subprocess
import sys

import generate
import replay
import template
from judge import Compiler


def handled(case):
    """The same service, in which every operation of nodes runs something."""
    machine = case.template["interface_types"]["M"]
    node = case.template["node_types"]["N"]
    node["artifacts"] = {"work": {"type": "Bash", "file": "work.sh"}}
    node["interfaces"]["m"]["operations"] = {
        name: {"handlers": [{"execute": "work"}]} for name in machine["operations"]
    }
    case.cells = None
    return case


def follow(plan, lines):
    """Goes through the events of a run; replay.Violation where a start is wrong."""
    numbers = {step.name: number for number, step in plan.steps.items()}
    now, starts = replay.Replay(plan), 0
    for line in lines:
        event = json.loads(line)
        what, number = event["event"], numbers.get(event.get("step"))
        if what in ("started", "set", "event"):
            if number not in list(now.ready([number])):
                raise replay.Violation("too early", event["step"], [])
            wrong = now.start(number)
            if wrong:
                raise replay.Violation(wrong, event["step"], [])
            starts += 1
        if what in ("done", "set", "event") and number is not None:
            now.end(number)
    assert now.cells == plan.final, "another end"
    return starts


def main():
    folder = sys.argv[1]
    compiler = Compiler("toscac", folder)
    with open(os.path.join(folder, "work.sh"), "w", encoding="utf-8") as file:
        file.write("sleep 0.0$((RANDOM % 4))\n")
    runs = starts = 0
    for seed in map(int, sys.argv[2:]):
        case = handled(generate.generate(seed))
        system = template.read(case.template, case.workflow)
        compiler.write(case, system)
        compiled = compiler.compile(case)
        if compiled.plan is None or any(o.outputs for o in system.operations):
            continue
        plan = replay.Plan(compiled.plan, system)
        for jobs in ("1", "2", "0"):
            store = os.path.join(folder, f"{seed}-{jobs}.db")
            command = ["tosca-run", f"-j{jobs}", "--json", "--state", store]
            command.append(os.path.join(folder, "plan.json"))
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            starts += follow(plan, done.stdout.splitlines())
            runs += 1
    print(f"{runs} runs, {starts} steps")


if __name__ == "__main__":
    main()
