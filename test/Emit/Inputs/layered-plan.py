"""layered-plan.py FOLDER INSTANCES SHORT: writes a plan of what engines treat differently.
Each instance is created and started by itself; when all are started each is checked; so
many short steps follow, in two rows, and one at the end that waits for them all."""

import hashlib
import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import SCRIPT, write_plan

folder, count, short = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
steps = []


def add(name, entity, deps, **more):
    handler = {"artifact": 0,
               "inputs": {"marks": f"{folder}/marks", "delay": 0, "seen": "nothing"},
               "outputs": {"value": ["SELF", name]}}  # fmt: skip
    steps.append(
        {"id": len(steps), "name": f"node[{entity}].standard.{name}", "kind": "call",
         "entity": entity, "interface": "standard", "operation": name, "deps": deps,
         "handlers": [handler], "entry": {name: "running"}, "success": {name: "done"},
         "failure": {name: "failed"}, **more}
    )  # fmt: skip


for i in range(count):
    add("create", i, [])
for i in range(count):
    add("start", i, [i])
steps.append({"id": 2 * count, "kind": "join", "deps": list(range(count, 2 * count))})
for i in range(count):
    add("check", i, [2 * count])
for i in range(short):
    add(f"ping{i // count}", i % count, [2 * count + 1 + i % count], timeout=20)
for i in range(short):
    add(f"pong{i // count}", i % count, [3 * count + 1 + i], timeout=20)
add("report", 0, list(range(len(steps) - short, len(steps))) or [3 * count])
entities = [
    {"id": i, "name": f"node[{i}]", "kind": "node", "template": "node", "index": i,
     "type": "Node", "cells": {"standard": {"state": "initial"}}}
    for i in range(count)
]  # fmt: skip
os.makedirs(folder, exist_ok=True)
with open(f"{folder}/step.sh", "w") as file:
    file.write(SCRIPT)
digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
write_plan(f"{folder}/plan.json", {
    "plan": 1, "service": "layers", "root": ".", "workflow": {"name": "deploy"},
    "entities": entities,
    "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": digest}],
    "steps": steps})  # fmt: skip
