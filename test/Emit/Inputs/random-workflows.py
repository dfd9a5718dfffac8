"""random-workflows.py FOLDER SCHEMA COUNT SEED: makes so many plans of instances that are
alike in part, has toscac turn each into a workflow, and reads that back."""

import os
import random
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import write_plan
from read_argo import Workflow, compare, read_schema

folder, schema, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


def predecessors(rng, number, index, rows):
    """What step `index` of a row of `number` waits for: nothing of an earlier row, its
    counterpart there, some, or all, perhaps by way of a join."""
    result = []
    for row, how in rows:
        if how == "each" and index < len(row):
            result.append(row[index])
        elif how == "all":
            result += row
        elif how == "some":
            result += rng.sample(row, min(len(row), 2))
    return sorted(set(result))


def make_plan(rng):
    steps, rows = [], []
    sizes = [rng.choice([1, 2, 40, 90, 130]) for _ in range(rng.randint(1, 4))]
    for operation in range(rng.randint(2, 8)):
        template = rng.randrange(len(sizes))
        chosen = [(row, rng.choice(["each", "each", "all", "some"]))
                  for row in rng.sample(rows, min(len(rows), rng.randint(0, 2)))]  # fmt: skip
        for n, (row, how) in enumerate(chosen):
            if how == "all" and len(row) > 1:
                steps.append({"id": len(steps), "kind": "join", "deps": row})
                chosen[n] = ([len(steps) - 1], how)
        is_alike = rng.random() < 0.6
        row = []
        for index in range(sizes[template]):
            name = f"t{template}[{index}].i.o{operation}" + ("" if is_alike else f"x{index}")
            row.append(len(steps))
            steps.append({"id": len(steps), "name": name, "kind": "call", "entity": 0,
                          "interface": "i", "operation": "o",
                          "deps": predecessors(rng, sizes[template], index, chosen),
                          "handlers": [{"artifact": 0}]})  # fmt: skip
        rows.append(row)
    return {
        "plan": 1, "workflow": {"name": "deploy"},
        "entities": [{"id": 0, "name": "t0[0]", "kind": "node", "template": "t0",
                      "index": 0, "type": "A"}],
        "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": "00"}],
        "steps": steps}  # fmt: skip


def main():
    rules = read_schema(schema)
    os.makedirs(folder, exist_ok=True)
    kinds = {"chain": 0, "part": 0, "flat": 0}
    for number in range(count):
        path = os.path.join(folder, str(number))
        plan = make_plan(random.Random(seed + number))
        write_plan(f"{path}.json", plan)
        command = ["toscac", f"{path}.json", "--emit=argo", "-o", path]
        said = subprocess.run(command, capture_output=True, text=True)
        assert said.returncode == 0, f"{number}: {said.stderr}"
        workflow = Workflow(path, rules)
        try:
            compare(workflow, said.stderr)
        except AssertionError as problem:
            sys.exit(f"plan {number}: {problem}")
        for kind in ("chain", "part"):
            kinds[kind] += any(name.startswith(kind) for name in workflow.templates)
        kinds["flat"] += not any("withSequence" in task for each in workflow.templates.values()
                                 for task in each.get("dag", {}).get("tasks", []))  # fmt: skip
    print(f"{count} workflows: {kinds}")


main()
