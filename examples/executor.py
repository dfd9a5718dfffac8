#!/usr/bin/env python3
"""executor.py PLAN [JOBS]: runs a plan without any other part of toscac; docs/Executors.md
explains it. The state of the deployment is written to state.json beside the plan."""

import concurrent.futures as futures
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNNERS = {"bash": ["bash"], "sh": ["sh"], "shell": ["sh"], "python": [sys.executable]}
FUNCTIONS = {
    "$equal": lambda a, b: a == b,
    "$and": lambda *values: all(values),
    "$or": lambda *values: any(values),
    "$not": lambda value: not value,
    "$concat": lambda *parts: "".join(parts),
}
PLACES = {"$get_attribute": "attributes", "$get_property": "properties", "$get_state": "cells"}


def evaluate(value, plan):
    """What is known now. An expression is a map with one key that starts with `$`."""
    if isinstance(value, list):
        return [evaluate(each, plan) for each in value]
    if not isinstance(value, dict):
        return value
    name = next(iter(value), "")
    if name in PLACES:
        entity, *keys = value[name]
        found = plan["entities"][entity].get(PLACES[name], {})
        for key in keys:
            found = evaluate(found[key], plan)
        return found
    if name.startswith("$"):
        return FUNCTIONS[name](*evaluate(value[name], plan))
    return {key: evaluate(each, plan) for key, each in value.items()}


def run_handler(step, handler, plan, root):
    """Runs an artifact as docs/Running.md promises; outputs become attributes or cells."""
    entity = plan["entities"][step["entity"]]
    machine = plan["entities"][handler["host"]] if "host" in handler else {}
    if machine.get("attributes", {}).get("public_address", "localhost") != "localhost":
        raise ValueError(f"{step['name']} runs on {machine['name']}; this program knows no ssh")
    artifact = plan["artifacts"][handler["artifact"]]
    files = [os.path.join(root, plan["artifacts"][id]["file"]) for id in handler.get("files", [])]
    inputs = evaluate(handler.get("inputs", {}), plan)
    names = {key: step[key] for key in ("interface", "operation")}
    names |= {"deployment": plan["deployment"], "step": step["name"]}
    context = {**names, "entity": entity, "inputs": inputs, "files": files}
    names.update(entity=entity["name"], index=str(entity["index"]))
    for end in {"source", "target"} & entity.keys():
        context[end] = plan["entities"][entity[end]]
        names[end] = context[end]["name"]
    environment = dict(os.environ) | {"TOSCA_" + name.upper(): names[name] for name in names}
    for name, value in inputs.items():
        text = value if isinstance(value, str) else json.dumps(value)
        environment["TOSCA_INPUT_" + re.sub(r"\W", "_", name)] = text
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("CONTEXT", context), ("OUTPUTS", {})):
            environment["TOSCA_" + name] = os.path.join(folder, name)
            Path(folder, name).write_text(json.dumps(content))
        program = RUNNERS.get(artifact["type"].split(".")[-1].lower(), [])
        command = [*program, os.path.join(root, artifact["file"])]
        subprocess.run(command, cwd=folder, env=environment, check=True)
        outputs = json.loads(Path(folder, "OUTPUTS").read_text())
    for name, (start, *path) in handler.get("outputs", {}).items():
        allowed = handler.get("output_values", {}).get(name, [outputs[name]])
        if outputs[name] not in allowed:
            raise ValueError(f"output {name} of {step['name']} can be only {allowed}")
        owner = entity if start == "SELF" else context[start.lower()]
        place = owner.setdefault("attributes", {})
        if path[0] == "INTERFACE":
            place = owner["cells"][path[1]]
        place[path[-1]] = outputs[name]


def run_step(step, plan, root):
    """Cells are written when a step begins and when it is done; a false guard skips it."""
    if step["kind"] == "join" or not evaluate(step.get("guard", True), plan):
        return
    cells = plan["entities"][step["entity"]].setdefault("cells", {})
    cells.setdefault(step["interface"], {}).update(evaluate(step.get("entry", {}), plan))
    for handler in step.get("handlers", []):
        run_handler(step, handler, plan, root)
    cells[step["interface"]].update(evaluate(step.get("success", {}), plan))


def run_plan(plan, root, jobs):
    """A step starts when all its `deps` are done and nothing runs that it excludes; the
    first failure ends the run."""
    waiting = {step["id"]: set(step["deps"]) for step in plan["steps"]}
    apart = {(id, other) for id in waiting for other in plan["steps"][id].get("excludes", [])}
    running = {}
    with futures.ThreadPoolExecutor(jobs) as pool:
        while waiting or running:
            for id in [id for id, deps in waiting.items() if not deps]:
                if any({(id, other), (other, id)} & apart for other in running.values()):
                    continue
                running[pool.submit(run_step, plan["steps"][id], plan, root)] = id
                del waiting[id]
            for future in futures.wait(running, return_when=futures.FIRST_COMPLETED).done:
                future.result()
                done = running.pop(future)
                for deps in waiting.values():
                    deps.discard(done)


def main():
    path, jobs = Path(sys.argv[1]).resolve(), int((sys.argv[2:] or ["4"])[0])
    plan = json.loads(path.read_text())
    run_plan(plan, os.path.join(path.parent, plan["root"]), jobs)
    entities = [entity for entity in plan["entities"] if "gone" not in entity]
    state = {plan["deployment"]: {"service": plan["service"], "entities": entities}}
    content = {"state": 1, "deployments": state}
    Path(path.parent, "state.json").write_text(json.dumps(content, indent=1))


main()
