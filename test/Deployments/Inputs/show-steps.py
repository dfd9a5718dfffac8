"""show-steps.py PLAN: the steps of a plan, without joins, one a line with those that
must be done right before it; then what becomes of entities."""

import json
import sys

plan = json.load(open(sys.argv[1]))
steps = plan["steps"]


def before(step):
    for dep in step["deps"]:
        if steps[dep]["kind"] == "join":
            yield from before(steps[dep])
        else:
            yield steps[dep]["name"]


for step in steps:
    if step["kind"] != "join":
        print(step["name"], "<-", *sorted(set(before(step))))
for entity in plan["entities"]:
    marks = [key for key in ("reason", "gone") if key in entity]
    print("entity", entity["name"], *marks)
print("counts", json.dumps(plan["counts"]), "next", json.dumps(plan["next_index"]))
