"""read-argo.py FOLDER SCHEMA [MESSAGES]: validates FOLDER/workflow.yaml against the schema
and the rules that the schema cannot see, turns it back into an order of steps, and
compares that with FOLDER/plan.json: what the plan orders is ordered, and more only
where MESSAGES, what toscac said, names a barrier."""

import json
import re
import sys

import jsonschema
import yaml
from random_layers import order_of

BARRIER = re.compile(r"steps of '([^']+)' waits for all \d+ of '([^']+)'")


class Workflow:
    def __init__(self, folder, schema):
        with open(f"{folder}/workflow.yaml") as file:
            text = file.read()
        assert len(text) <= 1 << 20, "larger than 1 MiB"
        workflow = yaml.load(text, yaml.CSafeLoader)
        schema.validate(workflow)
        self.spec = workflow["spec"]
        self.templates = {each["name"]: each for each in self.spec["templates"]}
        with open(f"{folder}/plan.json") as file:
            self.plan = json.load(file)
        self.numbers = {step["name"]: step["id"] for step in self.plan["steps"] if "name" in step}
        # By task, the steps it runs; by step, those before it; both as sets of bits.
        self.steps, self.above = {}, {}
        self.check_rules()
        self.walk(self.templates[self.spec["entrypoint"]], {}, 0)

    def check_rules(self):
        assert len(self.templates) == len(self.spec["templates"]) <= 200
        assert {self.spec["entrypoint"], self.spec["onExit"]} <= self.templates.keys()
        for template in self.templates.values():
            declared = {p["name"] for p in template.get("inputs", {}).get("parameters", [])}
            for used in re.findall(r"{{inputs\.parameters\.(\w+)}}", json.dumps(template)):
                assert used in declared, f"{used} is not declared"
            tasks = template.get("dag", {}).get("tasks", [])
            assert len({task["name"] for task in tasks}) == len(tasks) <= 200
            for task in tasks:
                inputs = self.templates[task["template"]].get("inputs", {}).get("parameters", [])
                given = task.get("arguments", {}).get("parameters", [])
                assert {p["name"] for p in inputs} == {p["name"] for p in given}, task["name"]

    def walk(self, template, values, before):
        """Runs the DAG; gives the steps that are done then."""
        done = {}
        for task in template["dag"]["tasks"]:
            # A task stands after all that it depends on.
            words = re.split(r"\s*&&\s*", task["depends"]) if "depends" in task else []
            assert all(word.endswith(".Succeeded") for word in words)
            ready = before
            for word in words:
                ready |= done[word.removesuffix(".Succeeded")]
            ran = self.run(task, values, ready)
            self.steps[task["name"]] = self.steps.get(task["name"], 0) | ran
            done[task["name"]] = ready | ran
        ran = 0
        for each in done.values():
            ran |= each
        return ran & ~before

    def run(self, task, values, ready):
        """The steps of a task that starts when `ready` are done."""
        items = [None]
        if "withSequence" in task:
            bounds = task["withSequence"]
            items = range(int(bounds["start"]), int(bounds["end"]) + 1)
        ran = 0
        for item in items:
            arguments = {}
            for parameter in task.get("arguments", {}).get("parameters", []):
                text = parameter["value"].replace("{{item}}", str(item))
                for name, value in values.items():
                    text = text.replace("{{inputs.parameters.%s}}" % name, value)
                assert "{{" not in text, f"{text} is not resolved"
                arguments[parameter["name"]] = text
            template = self.templates[task["template"]]
            ran |= (self.walk(template, arguments, ready) if "dag" in template
                    else self.leaf(task, arguments, ready))  # fmt: skip
        return ran

    def leaf(self, task, arguments, ready):
        if task["template"] == "collect":
            return 0
        if task["template"] == "join":
            number = int(task["name"].removeprefix("join-"))
        else:
            word = arguments["step"]
            number = int(word) if word.isdigit() else self.numbers[word]
        assert number not in self.above, f"{number} runs twice"
        self.above[number] = ready
        return 1 << number


def bits(mask):
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def compare(workflow, said):
    """The order of the workflow with that of the plan and the barriers."""
    steps = workflow.plan["steps"]
    calls = {step["id"] for step in steps if step["kind"] == "call"}
    assert calls <= workflow.above.keys(), "a call is missing"
    ran = sum(1 << id for id in workflow.above)
    wanted, direct = [], []
    for step in steps:
        above = near = 0
        for dep in order_of(step):
            above |= wanted[dep] | 1 << dep
            near |= 1 << dep if dep in workflow.above else direct[dep]
        wanted.append(above)
        direct.append(near)
    barriers = {}
    for later, earlier in set(BARRIER.findall(said)):
        for step in bits(workflow.steps[later]):
            barriers.setdefault(step, []).append(earlier)
    allowed, after = {}, {}
    # By task: its steps with all that may come before them.
    for step in sorted(workflow.above, key=lambda id: (workflow.above[id].bit_count(), id)):
        above = workflow.above[step]
        missing = wanted[step] & ran & ~above
        assert not missing, f"{step} does not wait for {list(bits(missing))[:5]}"
        may = direct[step]
        for other in bits(direct[step]):
            may |= allowed[other]
        for task in barriers.get(step, []):
            if task not in after:
                after[task] = workflow.steps[task]
                for other in bits(workflow.steps[task]):
                    after[task] |= allowed[other]
            may |= after[task]
        allowed[step] = may
        more = above & ~may
        assert not more, f"{step} waits for {list(bits(more))[:5]}, which nobody wants"
    mask = sum(1 << id for id in calls)
    count = lambda masks: sum((masks[id] & mask).bit_count() for id in calls)  # noqa: E731
    return f"{len(calls)} calls, {count(wanted)} pairs wanted, {count(workflow.above)} given"


def read_schema(path):
    with open(path) as file:
        content = json.load(file)
    return jsonschema.validators.validator_for(content)(content)


def main():
    folder, schema, *messages = sys.argv[1:]
    workflow = Workflow(folder, read_schema(schema))
    print(compare(workflow, open(messages[0]).read() if messages else ""))


if __name__ == "__main__":
    main()
