"""Compares a page with the plan that it shows: compare.py PAGE PLAN. Both were made by
the compiler, by different ways from the same plan."""

import collections
import json
import os
import re
import sys

import page


def fold(name):
    return re.sub(r"\[\d+\]", "", name)


def check(title, got, expected):
    if got != expected:
        sys.exit(f"{title}: {got} on the page, {expected} in the plan")


def main():
    shown = page.read(sys.argv[1])["plan"]
    with open(sys.argv[2], encoding="utf-8") as file:
        plan = json.load(file)
    steps = [step for step in plan["steps"] if step["kind"] != "join"]
    check("steps", sum(box["count"] for box in shown["boxes"]), len(steps))
    check("calls", shown["totals"]["calls"], plan["figures"]["calls"])
    for key in ("entities", "steps", "edges", "depth", "width"):
        check(key, shown["figures"][key], plan["figures"][key])
    check("failure steps", shown["figures"]["failure_steps"], len(plan["failure_steps"]))
    check(
        "entities by template",
        {family["name"]: family["count"] for family in shown["families"]},
        collections.Counter(fold(entity["name"]) for entity in plan["entities"]),
    )
    operations = collections.Counter()
    for box in shown["boxes"]:
        family = shown["families"][box["family"]]["name"]
        operations[family, box["interface"], box["operation"], box["kind"]] += box["count"]
    check(
        "steps by operation",
        operations,
        collections.Counter(
            (fold(plan["entities"][step["entity"]]["name"]), step["interface"], step["operation"], step["kind"])
            for step in steps
        ),
    )
    check(
        "critical path",
        [step["name"] for step in shown["critical"]],
        [plan["steps"][i]["name"] for i in plan["figures"]["critical_path"] if plan["steps"][i]["kind"] != "join"][:300],
    )
    for step in shown["steps"]:
        if step["id"] < len(plan["steps"]) and shown["whole"]:
            check("deps", step["deps"], plan["steps"][step["id"]]["deps"])
    told = {step["id"]: step["name"] for step in shown["steps"] if "name" in step}
    every = plan["steps"] + plan["failure_steps"]
    check("names", told, {i: every[i]["name"] for i in told})
    check_failures(shown, plan)
    size = os.path.getsize(sys.argv[1])
    if size >= 1000000:
        sys.exit(f"the page has {size} bytes")
    print("the page has what the plan has")


def check_failures(shown, plan):
    """What never runs if the first step of a box fails."""
    boxes = {}
    for number, box in enumerate(shown["boxes"]):
        boxes[number] = (shown["families"][box["family"]]["name"], box["interface"], box["operation"])
    for box in shown["boxes"][:40]:
        never = {box["first"]}
        for step in plan["steps"][box["first"] + 1 :]:
            if never.intersection(step["deps"]):
                never.add(step["id"])
        expected = collections.Counter()
        for i in never - {box["first"]}:
            step = plan["steps"][i]
            if step["kind"] != "join":
                expected[fold(plan["entities"][step["entity"]]["name"]), step["interface"], step["operation"]] += 1
        got = collections.Counter()
        for number, count in box.get("never", []):
            got[boxes[number]] += count
        check("never runs after " + box["name"], got, expected)


main()
