"""walk-templates.py TOSCAC FOLDER FILE...: deploys every template, goes on from the
predicted state with a second deployment, which has nothing to do, and with an
undeployment, which leaves nothing. Templates that cannot be deployed are passed over."""

import json
import os
import subprocess
import sys


def run(*words):
    done = subprocess.run([sys.argv[1], *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def check(path, folder):
    """The number of steps of the deployment; none if it cannot be deployed."""
    state = os.path.join(folder, "state.json")
    code, text, _ = run(path)
    if code != 0 or '"steps": [\n]' in text or not text:
        return None
    plan = json.loads(text)
    steps = plan["figures"]["steps"]
    if any(entity["kind"] == "service" for entity in plan["entities"]):
        return None  # what its events do the second time is its own affair
    assert run(path, "--emit=state", "-o", state)[0] == 0, path
    code, text, said = run(path, "--state", state)
    assert code == 0, f"{path}: deploy again: {said}"
    plan = json.loads(text)
    again = [step.get("name") for step in plan["steps"]]
    assert not again, f"{path}: deployed again: {again}"
    assert not plan["entities"] or plan["outputs"], f"{path}: {plan['entities']}"
    code, text, said = run(path, "--state", state, "--workflow", "undeploy")
    if "unknown-workflow" in said:
        return None
    assert code == 0, f"{path}: undeploy: {said}"
    plan = json.loads(text)
    for entity in plan["entities"]:
        assert "gone" in entity, f"{path}: {entity['name']} stays"
        assert set(entity["gone"]) <= set(range(len(plan["steps"]))), path
    code, text, said = run(path, "--state", state, "--workflow", "undeploy", "--emit=state")
    left = json.loads(text)["deployments"]["default"]["entities"]
    assert not left, f"{path}: {left}"
    return steps


def main():
    folder = sys.argv[2]
    results = [check(path, folder) for path in sys.argv[3:]]
    done = [steps for steps in results if steps is not None]
    print(f"{len(done)} templates, {sum(done)} steps")


main()
