"""replay-examples.py EXAMPLES FOLDER EXECUTOR: compiles every template below EXAMPLES
that yields a plan, exchanges its artifacts for one that takes a random time, and has
EXECUTOR (tosca-run, python, ninja, make or slurm) run it, one step at a time, three, and all
at once. No step begins before all that it waits for has ended, and the cells at the
end are the final_state."""

import functools
import hashlib
import json
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import check_order, read_marks, write_plan

SCRIPT = """\
import json, os, random, time
def mark(event):
    with open(os.path.join(os.path.dirname(__file__), "marks"), "a") as file:
        file.write(f"{event} {os.environ['TOSCA_STEP']}\\n")
mark("start")
time.sleep(random.choice([0, 0, 0.01, 0.05]))
with open(os.environ["TOSCA_OUTPUTS"], "w") as file:
    json.dump(VALUES, file)
mark("end")
"""
# One value of each type that an output can have.
VALUES = {"integer": 1, "float": 1.5, "boolean": True, "list": [], "map": {}, "record": {}}


def templates(base):
    for folder, _, names in sorted(os.walk(base)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            if name.endswith(".yaml") and "service_template:" in open(path).read():
                yield path


def compile_template(path, folder):
    plan = os.path.join(folder, "compiled.json")
    os.makedirs(folder)
    if subprocess.run(["toscac", path, "-o", plan]).returncode != 0:
        return None
    with open(plan) as file:
        return json.load(file)


def exchange_artifacts(plan):
    """All handlers run the script, which gives every output that any of them has."""
    outputs = {}
    for step in plan["steps"] + plan["failure_steps"]:
        for handler in step.get("handlers", []):
            types = handler.get("output_types", {})
            for name in handler.get("outputs", {}):
                outputs[name] = VALUES.get(types.get(name), "some text")
    text = SCRIPT.replace("VALUES", repr(outputs))
    digest = hashlib.sha256(text.encode()).hexdigest()
    for artifact in plan["artifacts"]:
        artifact.update(type="Python", file="step.py", sha256=digest)
    plan["root"] = "."
    return text


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def run_here(path, jobs):
    run("tosca-run", f"-j{jobs}", path)
    store = os.path.join(os.path.dirname(path), "toscac.db")
    return run("tosca-run", "state", "export", "--state", store)


def run_python(path, jobs):
    here = os.path.dirname(__file__)
    run(sys.executable, os.path.join(here, "../../../examples/executor.py"), path, str(jobs or 100))
    with open(os.path.join(os.path.dirname(path), "state.json")) as file:
        return file.read()


def run_engine(engine, path, jobs):
    folder = os.path.join(os.path.dirname(path), "run")
    run("toscac", path, f"--emit={engine}", "-o", folder)
    for _ in range(2):  # The second time, nothing is left to be done.
        if engine == "slurm":
            run(os.path.join(folder, "submit"), "--wait")
        else:
            run(engine, "-C", folder, f"-j{jobs or 100}")
    return run("tosca-run", "state", "export", "--state", os.path.join(folder, "toscac.db"))


def replay(plan, script, folder, jobs, executor):
    os.makedirs(folder)
    with open(os.path.join(folder, "step.py"), "w") as file:
        file.write(script)
    path = os.path.join(folder, "plan.json")
    write_plan(path, plan)
    executors = {"tosca-run": run_here, "python": run_python}
    chosen = executors.get(executor, functools.partial(run_engine, executor))
    state = json.loads(chosen(path, jobs))
    marks = read_marks(folder)
    check_order(plan, marks)
    assert len(marks) == len(set(marks)), f"{folder}: a step ran twice"
    entities = state["deployments"][plan["deployment"]]["entities"]
    cells = {entity["name"]: entity.get("cells", {}) for entity in entities}
    wanted = {entity["name"]: {} for entity in plan["entities"]} | plan["final_state"]
    assert cells == wanted, f"{folder}: not the final state"


def main():
    examples, base, executor = sys.argv[1:]
    for number, path in enumerate(templates(examples)):
        folder = os.path.join(base, str(number))
        plan = compile_template(path, folder)
        if not plan:
            print(f"{os.path.relpath(path, examples)}: not a plan by itself")
            continue
        script = exchange_artifacts(plan)
        # Slurm decides by itself how many.
        widths = (0,) if executor == "slurm" else (1, 3, 0)
        for jobs in widths:
            replay(plan, script, os.path.join(folder, f"j{jobs}"), jobs, executor)
        calls = sum(step["kind"] == "call" for step in plan["steps"])
        name = os.path.relpath(path, examples)
        times = f"{len(widths)} times" if len(widths) > 1 else "once"
        print(f"{name}: {len(plan['steps'])} steps, {calls} calls, replayed {times}")


main()
