#!/usr/bin/env python3
"""run-plans.py FOLDER ENGINE,… SEED…: has engines run the plans of random services, with
handlers that take a random time, and holds the order in which these start and end against
the machines. An engine is what test/Emit/Inputs/run-engine.sh knows, with the number of
steps at once: `ninja:2`; 0 is no limit. Seeds whose plan has nothing to keep apart are
left out if the first word is --apart."""

import os
import subprocess
import sys

import generate
import replay
import template
from judge import Compiler

HERE = os.path.dirname(os.path.abspath(__file__))
RUN_ENGINE = os.path.join(HERE, "../../Emit/Inputs/run-engine.sh")
SCRIPT = """\
echo "start $TOSCA_STEP" >> {marks}
sleep 0.0$((RANDOM % 4))
echo "end $TOSCA_STEP" >> {marks}
"""


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


class Follower:
    """Replays what an engine did. Steps without a call happen as soon as they may."""

    def __init__(self, plan, calls):
        self.plan, self.calls, self.now = plan, calls, replay.Replay(plan)
        self.numbers = {step.name: number for number, step in plan.steps.items()}

    def settle(self):
        while silent := [n for n in self.now.ready(self.plan.steps) if n not in self.calls]:
            self.start(silent[0])
            self.now.end(silent[0])

    def start(self, number):
        name = self.plan.steps[number].name
        if number not in list(self.now.ready([number])):
            raise replay.Violation("too early", name, [])
        if wrong := self.now.start(number):
            raise replay.Violation(wrong, name, [])

    def follow(self, marks):
        """The number of calls that marks, lines of those who ran, tell of."""
        self.settle()
        for line in marks:
            what, name = line.split()
            if what == "start":
                self.start(self.numbers[name])
            else:
                self.now.end(self.numbers[name])
            self.settle()
        assert self.now.done == frozenset(self.plan.steps), "steps are missing"
        assert self.now.cells == self.plan.final, "another end"
        return len(marks) // 2


def run(engine, path, marks):
    """Lines of the handlers that the engine ran."""
    name, jobs = engine.split(":")
    open(marks, "w", encoding="utf-8").close()
    command = ["sh", "-e", RUN_ENGINE, name, jobs, path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{engine}: {done.stdout}{done.stderr}"
    with open(marks, encoding="utf-8") as file:
        return file.read().splitlines()


def main():
    words = sys.argv[1:]
    only_apart = words[0] == "--apart"
    folder, engines = os.path.abspath(words[only_apart]), words[only_apart + 1].split(",")
    compiler = Compiler("toscac", folder)
    runs = calls = 0
    for seed in map(int, words[only_apart + 2 :]):
        case = handled(generate.generate(seed))
        system = template.read(case.template, case.workflow)
        compiler.write(case, system)
        compiled = compiler.compile(case)
        if compiled.plan is None or any(o.outputs for o in system.operations):
            continue
        rows = compiled.plan["steps"]
        if only_apart and not any("excludes" in row for row in rows):
            continue
        plan = replay.Plan(compiled.plan, system)
        called = {row["id"] for row in rows if "handlers" in row}
        for number, engine in enumerate(engines):
            place = os.path.join(folder, f"{seed}-{number}")
            os.makedirs(place)
            marks = os.path.join(place, "marks")
            with open(os.path.join(folder, "work.sh"), "w", encoding="utf-8") as file:
                file.write(SCRIPT.format(marks=marks))
            compiler.compile(case)
            for name in ("plan.json", "work.sh"):
                os.rename(os.path.join(folder, name), os.path.join(place, name))
            try:
                lines = run(engine, os.path.join(place, "plan.json"), marks)
                calls += Follower(plan, called).follow(lines)
            except (replay.Violation, AssertionError) as problem:
                sys.exit(f"seed {seed}, {engine}: {problem}")
            runs += 1
    print(f"{runs} runs, {calls} calls")


if __name__ == "__main__":
    main()
