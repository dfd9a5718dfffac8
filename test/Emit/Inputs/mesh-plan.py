"""mesh-plan.py PLAN COUNT: writes a plan of so many unlike calls, a join of them all, and as
many calls that wait for it."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import write_plan

path, count = sys.argv[1], int(sys.argv[2])


def call(number, deps):
    return {"id": number, "name": f"a[0].i.o{number}", "kind": "call", "entity": 0,
            "interface": "i", "operation": "o", "deps": deps,
            "handlers": [{"artifact": 0}]}  # fmt: skip


join = {"id": count, "kind": "join", "deps": list(range(count))}
write_plan(path, {
    "plan": 1, "workflow": {"name": "deploy"},
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a",
                  "index": 0, "type": "A"}],
    "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": "00"}],
    "steps": [call(i, []) for i in range(count)] + [join]
             + [call(count + 1 + i, [count]) for i in range(count)],
})  # fmt: skip
