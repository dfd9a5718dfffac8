"""read-argo.py FOLDER SCHEMA [MESSAGES]: validates FOLDER/workflow.yaml against the schema
and the rules that the schema cannot see, turns it back into an order of steps, and
compares that with FOLDER/plan.json: what the plan orders is ordered, and more only
where MESSAGES, what toscac said, names a barrier."""

import json
import re
import sys

import jsonschema
import yaml

folder, schema, *messages = sys.argv[1:]
with open(f"{folder}/workflow.yaml") as file:
    text = file.read()
workflow = yaml.safe_load(text)
with open(schema) as file:
    jsonschema.validate(workflow, json.load(file))
with open(f"{folder}/plan.json") as file:
    plan = json.load(file)

assert len(text) <= 1 << 20, "larger than 1 MiB"
templates = {each["name"]: each for each in workflow["spec"]["templates"]}
assert len(templates) == len(workflow["spec"]["templates"]) <= 200
assert {"plan", workflow["spec"]["entrypoint"], workflow["spec"]["onExit"]} <= templates.keys()
for each in templates.values():
    declared = {p["name"] for p in each.get("inputs", {}).get("parameters", [])}
    for used in re.findall(r"{{inputs\.parameters\.(\w+)}}", json.dumps(each)):
        assert used in declared, f"{used} is not declared"
numbers = {step["name"]: step["id"] for step in plan["steps"] if "name" in step}


def steps_of(task):
    """The numbers of the steps that a task runs."""
    template = templates[task["template"]]
    if "dag" in template:
        return {id for each in template["dag"]["tasks"] for id in steps_of(each)}
    values = [p["value"] for p in task.get("arguments", {}).get("parameters", [])]
    declared = template.get("inputs", {}).get("parameters", [])
    assert len(values) == len(declared), f"{task['name']} lacks a parameter"
    if not values:
        return set()
    if "withSequence" in task:
        bounds = task["withSequence"]
        items = range(int(bounds["start"]), int(bounds["end"]) + 1)
        return {numbers[values[0].replace("{{item}}", str(item))] for item in items}
    assert "{{" not in values[0]
    return {int(values[0])}


def edges_of(dag):
    """Pairs of steps that a DAG orders, with those of DAGs in it."""
    tasks = dag["tasks"]
    assert len(tasks) <= 200
    names = [task["name"] for task in tasks]
    assert len(set(names)) == len(names), "a name is not unique"
    before = {}
    for task in tasks:  # In an order in which they could run.
        words = re.findall(r"([\w-]+)\.Succeeded", task.get("depends", ""))
        before[task["name"]] = set(words).union(*(before[word] for word in words))
    steps = {task["name"]: steps_of(task) for task in tasks}
    for name, others in before.items():
        for other in others:
            yield from ((a, b) for a in steps[other] for b in steps[name])
    for task in tasks:
        if "dag" in templates[task["template"]]:
            yield from edges_of(templates[task["template"]]["dag"])


calls = {step["id"] for step in plan["steps"] if step["kind"] == "call"}
above, wanted = [], set()
for step in plan["steps"]:
    above.append(set(step["deps"]).union(*(above[dep] for dep in step["deps"])))
    if step["id"] in calls:
        wanted |= {(dep, step["id"]) for dep in above[-1] & calls}
given = set(edges_of(templates["plan"]["dag"]))
entry = templates["plan"]["dag"]["tasks"]
ran = [id for task in entry for id in steps_of(task)]
assert sorted(ran) == sorted(calls), "not every call runs once"
assert wanted <= given, f"not ordered: {sorted(wanted - given)[:5]}"
said = open(messages[0]).read() if messages else ""
barriers = dict(re.findall(r"'(level-\d+)' waits? for all \d+ of '(level-\d+)'", said))
level = {id: task["name"] for task in entry if "dag" in templates[task["template"]]
         for id in steps_of(task)}  # fmt: skip
for a, b in given - wanted:
    later, earlier = re.sub(r"(\d)-\d+$", r"\1", level[b]), re.sub(r"(\d)-\d+$", r"\1", level[a])
    while later in barriers and later != earlier:
        later = barriers[later]
    assert later == earlier, f"{a} before {b} is more than the plan wants"
print(f"{len(calls)} calls, {len(wanted)} pairs wanted, {len(given)} given")
