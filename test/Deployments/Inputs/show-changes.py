"""What a plan says of each instance: + new, - leaves, ~ changes, ! is replaced. Reads
plan.json from standard input; what stands around it is passed on."""

import json
import sys

SIGNS = {"new": "+", "updated": "~", "replaced": "!"}

lines = sys.stdin.read().splitlines()
if "{" in lines and "}" in lines:
    first, last = lines.index("{"), len(lines) - 1 - lines[::-1].index("}")
    plan = json.loads("\n".join(lines[first : last + 1]))
    around = lines[:first] + lines[last + 1 :]
else:
    plan, around = {"entities": []}, lines
for entity in plan["entities"]:
    change = entity.get("change", "new" if plan["state"] is None else "")
    sign = "-" if "gone" in entity else SIGNS.get(change)
    if sign and entity["kind"] != "service":
        reason = ": " + entity["reason"] if "reason" in entity else ""
        print(sign, entity["name"] + reason)
print("\n".join(around))
