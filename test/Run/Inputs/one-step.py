"""one-step.py FOLDER SCRIPT [KEY=JSON...]: writes FOLDER/plan.json, whose only
call runs SCRIPT; the rest are keys of the step, of its handler, or the artifact's type."""

import hashlib
import json
import os
import sys

from random_plan import write_plan

folder, script, *rest = sys.argv[1:]
step = {
    "id": 0, "name": "a[0].i.o", "kind": "call", "entity": 0, "interface": "i",
    "operation": "o", "deps": [], "stage": 0, "handlers": [{"artifact": 0}],
    "entry": {"state": "going"}, "success": {"state": "good"},
    "failure": {"state": "bad"},
}  # fmt: skip
artifact = {"id": 0, "type": "Bash", "file": script}
for word in rest:
    key, _, value = word.partition("=")
    part = step["handlers"][0] if key in ("inputs", "outputs", "output_types") else step
    part = artifact if key == "type" else part
    part[key] = json.loads(value)
with open(os.path.join(folder, script), "rb") as file:
    artifact["sha256"] = hashlib.sha256(file.read()).hexdigest()
plan = {
    "plan": 1, "service": "s", "workflow": {"name": "deploy", "params": {}},
    "inputs": {"t.yaml": "sha256:00"}, "values": {}, "state": None,
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a", "index": 0,
                  "type": "A", "cells": {"i": {"state": "initial"}}}],
    "artifacts": [artifact],
    "steps": [step], "failure_steps": [],
    "outputs": {"port": {"$get_attribute": [0, "port"]}},
}  # fmt: skip
write_plan(os.path.join(folder, "plan.json"), plan)
