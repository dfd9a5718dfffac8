"""many-calls.py PLAN CALLS NAME: writes a plan of so many calls that wait for nothing;
`{}` in NAME is the number of each."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import write_plan

path, calls, name = sys.argv[1], int(sys.argv[2]), sys.argv[3]
write_plan(path, {
    "plan": 1, "workflow": {"name": "deploy"},
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a",
                  "index": 0, "type": "A"}],
    "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": "00"}],
    "steps": [{"id": i, "name": name.format(i), "kind": "call", "entity": 0,
               "interface": "i", "operation": "o", "deps": [],
               "handlers": [{"artifact": 0}]} for i in range(calls)],
})  # fmt: skip
