"""walk-templates.py ROOT FOLDER: deploys every template of the examples and tests below
ROOT that knows how to undeploy, goes on from the predicted state with a second
deployment, which has nothing to do, and with an undeployment, which leaves nothing and
every machine where it began. Says how many there were, and why others were passed over.

A template knows how to undeploy if it, or what it imports, has an intent of that name:
files of other profiles than the bundled ones are looked for beside it."""

import collections
import json
import pathlib
import re
import subprocess
import sys

SUFFIXES = (".yaml", ".yml", ".tir", ".test")
WITH_INTENT = re.compile(r"undeploy|profile: *\"?(simple|vnf)|^heat_template_version|^instance_groups:", re.M)
SERVICE = re.compile(r"^(service_template|topology_template|resources|instance_groups|jobs):|^service ", re.M)
PASSED_OVER = collections.Counter()


def run(*words):
    done = subprocess.run(["toscac", *map(str, words)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def templates(root, scratch):
    for folder in ("examples", "test"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in SUFFIXES or not path.is_file():
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            if not WITH_INTENT.search(text):
                continue
            if "\n#--- " not in text:
                found = [path]
            else:
                parts = scratch / path.relative_to(root)
                subprocess.run(["split-file", path, parts], check=False, capture_output=True)
                found = sorted(part for part in parts.rglob("*") if part.suffix in SUFFIXES)
            for part in found:
                if SERVICE.search(part.read_text(encoding="utf-8", errors="replace")):
                    yield part


def pass_over(path, why):
    PASSED_OVER[why] += 1
    if "--show" in sys.argv:
        print(f"passed over: {path}: {why}")


def moved_back(before, after):
    """The cells of a machine that an undeployment leaves as they were before anything was
    deployed. A machine that a template has begin elsewhere goes down, too."""
    cells = [cell for cell in after if f"desired_{cell}" in after]
    began_elsewhere = any(before[cell] != after[f"desired_{cell}"] for cell in cells)
    return [] if began_elsewhere else [cell for cell in after if not cell.startswith("desired_")]


def check(path, words, state):
    """The number of steps of the deployment; none if there is nothing to check."""
    first = [path, *words, "-Wno-artifacts"]
    code, text, said = run(*first)
    if code != 0 or not text:
        errors = re.findall(r"error: .*\[([\w-]+)\]", said)
        return pass_over(path, errors[0] if errors else "no service")
    plan = json.loads(text)
    if not plan["steps"]:
        return pass_over(path, "nothing to deploy")
    code, said = run(*first, "--workflow=undeploy")[::2]
    if "unknown-workflow" in said:
        return pass_over(path, "no undeploy")
    assert run(*first, "--emit=state", "-o", state)[0] == 0, path
    from_state = [*first, "--state", state]
    if not any(entity["kind"] == "service" for entity in plan["entities"]):
        # What events of a service do the second time is its own affair.
        code, text, said = run(*from_state)
        assert code == 0, f"{path}: deploy again: {said}"
        again = [step.get("name") for step in json.loads(text)["steps"]]
        assert not again, f"{path}: deployed again: {again}"
    code, text, said = run(*from_state, "--workflow=undeploy")
    assert code == 0, f"{path}: undeploy: {said}"
    down = json.loads(text)
    for entity in down["entities"]:
        stays = entity["kind"] != "service" and "gone" not in entity
        assert not stays, f"{path}: {entity['name']} stays"
        assert set(entity.get("gone", [])) <= set(range(len(down["steps"]))), path
    began = {entity["name"]: entity.get("cells", {}) for entity in plan["entities"]}
    for name, interfaces in down["final_state"].items():
        for interface, cells in interfaces.items():
            before = began[name][interface]
            for cell in moved_back(before, cells):
                assert cells[cell] == before[cell], f"{path}: {name}.{interface}.{cell} is {cells[cell]}"
    code, text, said = run(*from_state, "--workflow=undeploy", "--emit=state")
    left = [
        entity
        for deployment in json.loads(text)["deployments"].values()
        for entity in deployment["entities"]
        if entity["kind"] != "service"
    ]
    assert not left, f"{path}: {left}"
    return plan["figures"]["steps"]


def main():
    root, scratch = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    releases = root / "test/Bosh/Inputs/releases"
    done = []
    for path in templates(root, scratch):
        words = ["--releases", releases] if path.suffix == ".yml" else []
        steps = check(path, words, scratch / "state.json")
        if steps is not None:
            done.append(steps)
    print(f"{len(done)} templates, {sum(done)} steps")
    print("passed over:", ", ".join(f"{n} {why}" for why, n in sorted(PASSED_OVER.items())))


main()
