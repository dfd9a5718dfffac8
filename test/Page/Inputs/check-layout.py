"""Checks where the topology of a page stands: check-layout.py PAGE. Boxes are apart, or inside
of what contains them, and lines go from box to box."""

import sys

import page

data = page.read(sys.argv[1])
families = data["plan"]["families"]
boxes = {box["family"]: box for box in data["layout"]["boxes"]}
problems = []


def check(holds, what):
    if not holds:
        problems.append(what)


def within(inner, outer, slack=1):
    (x, y, width, height), (left, top, wide, high) = inner, outer
    return left - slack <= x and top - slack <= y and x + width <= left + wide + slack and y + height <= top + high + slack


def apart(a, b):
    return a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1]


def on_edge(x, y, box, slack=3):
    left, top, width, height = box
    return within((x, y, 0, 0), box, slack) and not within((x, y, 0, 0), (left + slack, top + slack, width - 2 * slack, height - 2 * slack), 0)


nodes = {i for i, family in enumerate(families) if family["kind"] == "node"}
check(nodes <= boxes.keys(), "a template has no box")
everything = (0, 0, *data["layout"]["size"])
for number, box in boxes.items():
    name = families[number]["name"]
    around = boxes[box["inside"]]["at"] if "inside" in box else everything
    check(within(box["at"], around), f"{name} is outside")
    for other, sibling in boxes.items():
        if other < number and sibling.get("inside") == box.get("inside"):
            check(apart(box["at"], sibling["at"]), f"{name} covers {families[other]['name']}")
for line in data["layout"]["lines"]:
    family = families[line["family"]]
    source, target = boxes[family["source"]]["at"], boxes[family["targets"][line["target"]]["family"]]["at"]
    check(len(line["way"]) % 6 == 2, f"{family['name']} is no curve")
    check(on_edge(*line["way"][:2], source), f"{family['name']} begins elsewhere")
    check(on_edge(*line["way"][-2:], target), f"{family['name']} ends elsewhere")
inside = sum("inside" in box for box in boxes.values())
print(f"{len(boxes)} boxes, {inside} of them in others, {len(data['layout']['lines'])} lines", *problems, sep="\n")
sys.exit(1 if problems else 0)
