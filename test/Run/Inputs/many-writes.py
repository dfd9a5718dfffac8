"""many-writes.py FOLDER: writes a plan of two hundred calls that write cells of one entity, each
of which is told two of them."""

import hashlib
import os
import sys

from random_plan import write_plan

folder = sys.argv[1]
SCRIPT = 'echo "$TOSCA_OPERATION sees $TOSCA_INPUT_one and $TOSCA_INPUT_other"\n'


def call(number):
    reads = {"one": {"$get_state": [0, "i", "c1"]}, "other": {"$get_state": [0, "j", "c2"]}}
    return {"id": number, "name": f"a[0].i.o{number}", "kind": "call", "entity": 0,
            "interface": "ij"[number % 2], "operation": f"o{number}",
            "deps": [number - 1] if number else [],
            "handlers": [{"artifact": 0, "inputs": reads}],
            "success": {f"c{number % 3}": number}}  # fmt: skip


os.makedirs(folder, exist_ok=True)
with open(os.path.join(folder, "step.sh"), "w") as file:
    file.write(SCRIPT)
cells = {"i": {"c1": "first"}, "j": {"c2": "second"}}
digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
write_plan(os.path.join(folder, "plan.json"), {
    "plan": 1, "workflow": {"name": "deploy"},
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a", "index": 0,
                  "type": "A", "cells": cells}],
    "artifacts": [{"id": 0, "type": "Sh", "file": "step.sh", "sha256": digest}],
    "steps": [call(number) for number in range(200)],
})  # fmt: skip
