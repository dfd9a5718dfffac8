"""Makes each call of a deployment's workflows fail in turn, and goes on from there.

    fail-each.py TEMPLATE [--changed TEMPLATE] [--each N] -- ARGUMENTS OF toscac

A deployment is brought up, changed (where another template says to what) and taken
down. Each call on the way fails once. From the state that this leaves, undeploy, heal
and deploy are each planned, verified and run, and must end where they do without a
failure.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys

parser = argparse.ArgumentParser()
parser.add_argument("template")
parser.add_argument("--changed")
parser.add_argument("--profile", action="append", default=[])
options, toscac_arguments = parser.parse_known_args()
if toscac_arguments[:1] == ["--"]:
    del toscac_arguments[0]

problems = []
counts = {"failures": 0, "plans": 0}


def call(command, fails=None):
    environment = dict(os.environ, FAIL=fails or "")
    return subprocess.run(
        command, env=environment, text=True, capture_output=True
    )


def plan(template, workflow, store, out, verifies=False):
    command = ["toscac", template, *toscac_arguments, "--workflow", workflow]
    command += ["-Wno-artifacts", "-o", out]
    if os.path.exists(store):
        command += ["--state", store]
    if verifies:
        command.append("--verify")
    counts["plans"] += 1
    return call(command)


def run(plan_file, store, fails=None):
    command = ["tosca-run", plan_file, "--state", store]
    for profile in options.profile:
        command += ["--profile", profile]
    return call(command, fails)


def must(result, what):
    if result.returncode != 0:
        sys.exit(f"{what}: exit {result.returncode}\n{result.stdout}{result.stderr}")


def copy(store, to):
    """The copy of a store that may not be there yet."""
    for suffix in ("", "-wal", "-shm"):
        if os.path.exists(to + suffix):
            os.remove(to + suffix)
        if os.path.exists(store + suffix):
            shutil.copy(store + suffix, to + suffix)


def cells(store):
    """What the machines of all entities hold; which indices they have does not matter."""
    exported = call(["tosca-run", "state", "export", "--state", store])
    must(exported, "export")
    entities = []
    for deployment in json.loads(exported.stdout)["deployments"].values():
        entities += deployment["entities"]
    return sorted(
        [re.sub(r"\d+", "", each["name"]), json.dumps(each["cells"])]
        for each in entities
        if each.get("cells")
    )


def calls(plan_file):
    with open(plan_file) as file:
        steps = json.load(file)["steps"]
    return [each["name"] for each in steps if each["kind"] == "call"]


def follow(store, failed, template, ends):
    for workflow in ("undeploy", "heal", "deploy"):
        copy(store, "next.db")
        what = f"{workflow} after {failed}"
        planned = plan(template, workflow, "next.db", "next.json", verifies=True)
        if planned.returncode != 0:
            problems.append(f"{what}: not planned\n{planned.stderr}")
            continue
        done = run("next.json", "next.db")
        if done.returncode != 0:
            problems.append(f"{what}: not run\n{done.stdout}{done.stderr}")
        elif workflow in ends and cells("next.db") != ends[workflow]:
            problems.append(
                f"{what}: ends with {cells('next.db')}, not {ends[workflow]}"
            )


def fail_each(template, workflow, before, ends):
    must(plan(template, workflow, before, "plan.json"), workflow)
    for step in calls("plan.json"):
        copy(before, "failed.db")
        if run("plan.json", "failed.db", fails=step).returncode != 1:
            problems.append(f"{step} of {workflow} did not fail")
            continue
        counts["failures"] += 1
        follow("failed.db", f"{step} of {workflow} failed", template, ends)


def after(template, workflow, before, name):
    """The store after the workflow, where nothing fails."""
    copy(before, name)
    must(plan(template, workflow, before, "plan.json"), workflow)
    must(run("plan.json", name), workflow)
    return name


up = after(options.template, "deploy", "none", "up.db")
down = after(options.template, "undeploy", up, "down.db")
ends = {"deploy": cells(up), "undeploy": cells(down)}
fail_each(options.template, "deploy", "none", ends)
if options.changed:
    fail_each(options.changed, "deploy", up, {})
fail_each(options.template, "undeploy", up, ends)
for problem in problems:
    print(problem)
print(f"{counts['failures']} failures, {len(problems)} problems")
sys.exit(bool(problems))
