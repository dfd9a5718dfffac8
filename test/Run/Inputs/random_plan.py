"""Random plans whose steps leave a mark, and what must hold of the marks."""

import hashlib
import json
import os
import random

SCRIPT = """\
echo "start $TOSCA_STEP" >> "$TOSCA_INPUT_marks"
sleep "$TOSCA_INPUT_delay"
printf '{"value": "%s of %s"}' "$TOSCA_OPERATION" "$TOSCA_INPUT_seen" > "$TOSCA_OUTPUTS"
echo "end $TOSCA_STEP" >> "$TOSCA_INPUT_marks"
"""


def make_plan(folder, seed, max_steps=40):
    """Writes plan.json with its script into the folder and returns the plan. The
    steps are the same for each folder; only the file of marks differs."""
    rng = random.Random(seed)
    os.makedirs(folder)
    with open(os.path.join(folder, "step.sh"), "w") as file:
        file.write(SCRIPT)
    entities = [
        {"id": i, "name": f"node[{i}]", "kind": "node", "template": "node",
         "index": i, "type": "Node", "properties": {"number": i},
         "cells": {"standard": {"state": "initial"}}}
        for i in range(rng.randint(1, 8))
    ]  # fmt: skip
    steps = []
    for i in range(rng.randint(5, max_steps)):
        add_step(steps, len(entities), folder, rng)
    add_exclusions(steps, rng)
    calls = [step for step in steps if step["kind"] == "call"]
    plan = {
        "plan": 1, "service": "random", "root": ".", "deployment": "default",
        "workflow": {"name": "deploy", "params": {}},
        "inputs": {"t.yaml": "sha256:00"}, "values": {}, "state": None,
        "next_index": {"node": len(entities)}, "counts": {"node": len(entities)},
        "entities": entities,
        "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh",
                       "sha256": hashlib.sha256(SCRIPT.encode()).hexdigest()}],
        "steps": steps, "failure_steps": [],
        "outputs": {f"o{call['id']}": value_of(call) for call in calls},
    }  # fmt: skip
    write_plan(os.path.join(folder, "plan.json"), plan)
    return plan


def value_of(call):
    return {"$get_attribute": [call["entity"], f"value{call['id']}"]}


def add_step(steps, num_entities, folder, rng):
    i = len(steps)
    deps = sorted(rng.sample(range(i), min(i, rng.choice([0, 1, 1, 2, 3]))))
    stage = 1 + max((steps[dep]["stage"] for dep in deps), default=-1)
    kind = rng.choice(["call", "call", "call", "set", "join"])
    if kind == "join":
        steps.append({"id": i, "kind": kind, "deps": deps, "stage": stage})
        return
    entity = rng.randrange(num_entities)
    step = {"id": i, "name": f"node[{entity}].standard.op{i}", "kind": kind,
            "entity": entity, "interface": "standard", "operation": f"op{i}",
            "deps": deps, "stage": stage}  # fmt: skip
    steps.append(step)
    if kind == "set":
        step["success"] = {f"cell{i}": "set"}
        return
    before = [steps[other] for other in ancestors(steps, deps)]
    readable = [value_of(other) for other in before if other["kind"] == "call"]
    step["handlers"] = [
        {"artifact": 0,
         "inputs": {"marks": os.path.join(folder, "marks"),
                    "delay": rng.choice([0, 0, 0.01, 0.03]),
                    "seen": rng.choice(readable) if readable else "nothing"},
         "outputs": {"value": ["SELF", f"value{i}"]}}
    ]  # fmt: skip
    step["entry"] = {f"cell{i}": "running"}
    step["success"] = {f"cell{i}": "done"}
    step["failure"] = {f"cell{i}": "failed"}


def add_exclusions(steps, rng):
    """Some steps exclude others that they are not ordered with, a few nearly all."""
    for step in steps:
        others = set(range(step["id"])) - set(ancestors(steps, step["deps"]))
        others = [other for other in others if steps[other]["kind"] != "join"]
        share = rng.choice([0, 0, 0.1, 0.9])
        chosen = [other for other in sorted(others) if rng.random() < share]
        if step["kind"] != "join" and chosen:
            step["excludes"] = chosen


def write_plan(path, plan):
    """One entity, artifact and step a line."""
    with open(path, "w") as file:
        file.write("{\n")
        for n, (key, value) in enumerate(plan.items()):
            comma = "," if n + 1 < len(plan) else ""
            if isinstance(value, list) and value:
                lines = ",\n".join(json.dumps(each) for each in value)
                file.write(f"{json.dumps(key)}: [\n{lines}\n]{comma}\n")
            else:
                file.write(f"{json.dumps(key)}: {json.dumps(value)}{comma}\n")
        file.write("}\n")


def ancestors(steps, deps):
    result, work = set(), list(deps)
    while work:
        step = work.pop()
        if step not in result:
            result.add(step)
            work += steps[step]["deps"]
    return sorted(result)


def read_marks(folder):
    path = os.path.join(folder, "marks")
    if not os.path.exists(path):
        return []
    with open(path) as file:
        return [tuple(line.split()) for line in file]


def check_order(plan, marks):
    """Every start comes after an end of everything the step waits for, never between
    start and end of one that it excludes, and every call has run."""
    ended, begun = set(), set()
    steps = plan["steps"]
    calls = {s["name"]: s for s in steps if s["kind"] == "call"}
    apart = {(s["id"], other) for s in steps for other in s.get("excludes", [])}
    for event, name in marks:
        if event == "end":
            ended.add(name)
            begun.discard(name)
            continue
        for other in begun:
            pair = sorted((calls[name]["id"], calls[other]["id"]), reverse=True)
            assert tuple(pair) not in apart, f"{name} during {other}"
        begun.add(name)
        for dep in ancestors(plan["steps"], calls[name]["deps"]):
            other = plan["steps"][dep]
            if other["kind"] == "call":
                assert other["name"] in ended, f"{name} before {other['name']}"
    assert ended == set(calls), "a step did not run"


def final_cells(plan):
    """The cells that all steps write."""
    cells = {entity["name"]: {"standard": {"state": "initial"}}
             for entity in plan["entities"]}  # fmt: skip
    for step in plan["steps"]:
        if "success" in step:
            entity = plan["entities"][step["entity"]]["name"]
            cells[entity]["standard"].update(step["success"])
    return cells
