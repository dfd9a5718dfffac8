"""Random plans for the disturbance test: with failures, failure steps, retries, outputs,
secrets and exclusions. What a step may do is part of the plan, so that the oracle knows it."""

import hashlib
import json
import os
import random

# It leaves a mark at its start and at its end; every try has a number of its own. It tells
# its secret to its log, in the encodings that programs use, and as an output.
SCRIPT = """\
marks=$TOSCA_INPUT_marks
echo "start $TOSCA_STEP $$" >> "$marks"
if test -n "$TOSCA_INPUT_password"; then
  echo "password=$TOSCA_INPUT_password"
  printf %s "$TOSCA_INPUT_password" | base64
  printf 'x%s' "$TOSCA_INPUT_password" | base64
  printf '{"told": "db://%s@host"}' "$TOSCA_INPUT_password" > "$TOSCA_OUTPUTS"
fi
test "$TOSCA_INPUT_delay" = 0 || sleep "$TOSCA_INPUT_delay"
case $TOSCA_INPUT_mood in
  bad) echo "fail $TOSCA_STEP $$" >> "$marks"; exit 1 ;;
  moody) mkdir "$marks-$TOSCA_STEP" 2>/dev/null && {
    echo "fail $TOSCA_STEP $$" >> "$marks"; exit 1; } ;;
esac
test -n "$TOSCA_INPUT_password" ||
  printf '{"value": "%s"}' "$TOSCA_OPERATION" > "$TOSCA_OUTPUTS"
echo "end $TOSCA_STEP $$" >> "$marks"
"""


class WildPlan:
    """A plan in a folder, and what is known of its steps by name."""

    def __init__(self, folder, seed, state=None, first=0):
        rng = random.Random(seed)
        self.folder = folder
        self.marks = os.path.join(folder, "marks")
        self.path = os.path.join(folder, f"plan{first}.json")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "step.sh"), "w") as file:
            file.write(SCRIPT)
        # A plan for what is there already adds instances to it.
        count = first + rng.randint(1, 4)
        self.entities = [
            {"id": i, "name": f"node[{i}]", "kind": "node", "template": "node",
             "index": i, "type": "Node",
             "properties": {"password": {"$get_input": "password"}}}
            for i in range(count)
        ]  # fmt: skip
        for entity in self.entities[first:]:
            entity.update({"change": "new"} if state else {})
        self.steps, self.failure_steps = [], []
        for i in range(rng.randint(4, 12)):
            self.add_step(i, rng.randrange(first, count), rng)
        self.add_failure_steps(rng)
        digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
        self.content = {
            "plan": 1, "service": "wild", "root": ".", "deployment": "default",
            "workflow": {"name": "deploy", "params": {}},
            "values": {"password": {"$get_input": "password"}},
            "sensitive": {"inputs": {"password": "string"}},
            "state": state,
            **({"figures": {"kept": first}} if state else {}),
            "next_index": {"node": count}, "counts": {"node": count},
            "entities": self.entities,
            "artifacts": [{"id": 0, "type": "sh", "file": "step.sh", "sha256": digest}],
            "steps": self.steps, "failure_steps": self.failure_steps,
        }  # fmt: skip
        write(self.path, self.content)
        self.by_name = {s["name"]: s for s in self.steps + self.failure_steps}

    def add_step(self, i, entity, rng):
        deps = sorted(rng.sample(range(i), min(i, rng.choice([0, 1, 1, 2]))))
        step = self.call(i, f"op{i}", entity, deps, rng)
        mood = rng.choice(["good"] * 7 + ["bad", "moody", "moody"])
        if mood == "moody":
            step["retries"] = 1
        if mood == "bad" and rng.random() < 0.5:
            step["retries"] = 1
        step["handlers"][0]["inputs"]["mood"] = mood
        if deps == [] and i and rng.random() < 0.2:
            step["excludes"] = [rng.randrange(i)]
        self.steps.append(step)

    def add_failure_steps(self, rng):
        for step in list(self.steps):
            if mood(step) != "bad" or rng.random() < 0.3:
                continue
            deps = []
            for _ in range(rng.randint(1, 2)):
                i = len(self.steps) + len(self.failure_steps)
                extra = self.call(i, f"undo{i}", step["entity"], deps, rng)
                extra["after_failure"] = step["id"]
                extra["handlers"][0]["inputs"]["mood"] = "good"
                self.failure_steps.append(extra)
                deps = [i]

    def call(self, i, operation, entity, deps, rng):
        inputs = {"marks": self.marks, "delay": rng.choice([0, 0, 0, 0.01, 0.03])}
        outputs = {"value": ["SELF", f"value{i}"]}
        if rng.random() < 0.3:
            inputs["password"] = {"$get_property": [entity, "password"]}
            outputs = {"told": ["SELF", f"told{i}"]}
        return {
            "id": i, "name": f"node[{entity}].standard.{operation}", "kind": "call",
            "entity": entity, "interface": "standard", "operation": operation, "deps": deps,
            "handlers": [{"artifact": 0, "inputs": inputs, "outputs": outputs}],
            "entry": {f"cell{i}": "running"}, "success": {f"cell{i}": "done"},
            "failure": {f"cell{i}": "failed"},
        }  # fmt: skip

    def before(self, step):
        """Names of all steps that this one waits for."""
        all_steps = {s["id"]: s for s in self.steps + self.failure_steps}
        result, work = set(), list(step["deps"])
        while work:
            other = all_steps[work.pop()]
            if other["name"] not in result:
                result.add(other["name"])
                work += other["deps"]
        return result


def mood(step):
    return step["handlers"][0]["inputs"]["mood"]


def write(path, plan):
    """One entity, artifact and step a line."""
    with open(path, "w") as file:
        parts = []
        for key, value in plan.items():
            text = json.dumps(value)
            if isinstance(value, list) and value:
                text = "[\n" + ",\n".join(json.dumps(each) for each in value) + "\n]"
            parts.append(f"{json.dumps(key)}: {text}")
        file.write("{\n" + ",\n".join(parts) + "\n}\n")
