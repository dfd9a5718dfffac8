"""random-workflows.py FOLDER SCHEMA COUNT SEED: makes so many plans of instances that are
alike in part, has toscac turn each into a workflow, and reads that back."""

import os
import random
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_layers import make_plan
from random_plan import write_plan
from read_argo import Workflow, compare, read_schema

folder, schema, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])


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
