"""Prints what runs something, and what of that must be done before."""
import json, sys

steps = json.load(open(sys.argv[1]))["steps"]
byId = {step["id"]: step for step in steps}


def nearest(step):
    found = set()
    for dep in step["deps"]:
        found |= {dep} if byId[dep]["kind"] == "call" else nearest(byId[dep])
    return found


def earlier(step):
    return set(step["deps"]).union(*(earlier(byId[dep]) for dep in step["deps"]))


for step in steps:
    if step["kind"] == "call":
        before = nearest(step)
        implied = set().union(*(earlier(byId[dep]) for dep in before))
        print(step["name"], "<-", *sorted(byId[dep]["name"] for dep in before - implied))
