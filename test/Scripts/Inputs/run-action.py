"""Runs the shell steps of action.yml as GitHub does: run-action.py ACTION NAME=VALUE...
Steps that use other actions are only shown."""

import os
import re
import subprocess
import sys

import yaml

with open(sys.argv[1], encoding="utf-8") as file:
    action = yaml.safe_load(file)
values = {f"inputs.{name}": each.get("default", "") for name, each in action["inputs"].items()}
values.update((f"inputs.{name}", value) for name, _, value in (arg.partition("=") for arg in sys.argv[2:]))


def expand(text):
    return re.sub(r"\$\{\{ ([\w.]+) \}\}", lambda match: values[match[1]], text)


code = 0
for step in action["runs"]["steps"]:
    if "uses" in step:
        print("uses", step["uses"], {key: expand(value) for key, value in step["with"].items()})
        continue
    environment = {key: expand(value) for key, value in step["env"].items()}
    environment.update(GITHUB_ACTION_PATH=os.path.dirname(sys.argv[1]), GITHUB_OUTPUT="output.txt")
    open("output.txt", "w", encoding="utf-8").close()
    code = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env={**os.environ, **environment},
        check=False,
    ).returncode
    with open("output.txt", encoding="utf-8") as file:
        for name, _, value in (line.rstrip("\n").partition("=") for line in file):
            values[f"steps.{step['id']}.outputs.{name}"] = value
    print(step["name"], "ends with", code, flush=True)
sys.exit(code)
