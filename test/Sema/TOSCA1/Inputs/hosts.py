"""hosts.py PLAN: says of each call where it runs."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
for step in plan["steps"]:
    for handler in step.get("handlers", []):
        host = handler.get("host")
        name = "here" if host is None else "on " + plan["entities"][host]["name"]
        print(step["name"], name)
