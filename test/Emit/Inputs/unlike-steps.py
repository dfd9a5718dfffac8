"""unlike-steps.py PLAN STEPS: writes a plan whose steps have nothing in common."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import write_plan

path, steps = sys.argv[1], int(sys.argv[2])
write_plan(path, {
    "plan": 1, "workflow": {"name": "deploy"},
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a",
                  "index": 0, "type": "A"}],
    "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": "00"}],
    "steps": [{"id": i, "name": f"a[0].i.o{i}", "kind": "call", "entity": 0,
               "interface": "i", "operation": f"o{i}", "deps": [],
               "handlers": [{"artifact": 0}]} for i in range(steps)],
})  # fmt: skip
