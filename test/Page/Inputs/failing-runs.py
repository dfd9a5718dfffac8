"""Runs a plan of a hub with COUNT sites three times: one site takes longer the second time,
and two fail in the last run, which has a page: failing-runs.py COUNT."""

import hashlib
import json
import os
import subprocess
import sys

count = int(sys.argv[1])
SCRIPT = """
test "$SLOW" != "$TOSCA_STEP" || sleep 0.3
if [ "$TOSCA_STEP" = "$FLAKY" ] && ! [ -e "$TOSCA_INPUT_mark" ]; then : > "$TOSCA_INPUT_mark"; echo later; exit 4; fi
if [ "$TOSCA_STEP" = "$BAD" ]; then echo 'line <b>1</b>'; echo "it's \\"bad\\""; exit 7; fi
"""
with open("step.sh", "w", encoding="utf-8") as file:
    file.write(SCRIPT)
names = ["hub[0]"] + [f"site[{i}]" for i in range(count)]
entities = [
    {"id": i, "name": name, "kind": "node", "template": name.split("[")[0], "index": max(0, i - 1), "type": "Thing", "cells": {"i": {"state": "initial"}}}
    for i, name in enumerate(names)
]
steps = []


def add(entity, operation, state, deps):
    steps.append({"id": len(steps), "name": f"{names[entity]}.i.{operation}", "kind": "call", "entity": entity, "interface": "i", "operation": operation,
                  "deps": deps, "handlers": [{"artifact": 0, "inputs": {"mark": f"mark{entity}"}}],
                  "retries": 1, "success": {"state": state}, "failure": {"state": "bad"}})  # fmt: skip


add(0, "create", "created", [])
for site in range(1, count + 1):
    add(site, "create", "created", [0])
for site in range(1, count + 1):
    add(site, "start", "started", [site])
plan = {
    "plan": 1, "service": "sites", "workflow": {"name": "deploy"}, "entities": entities,
    "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": hashlib.sha256(SCRIPT.encode()).hexdigest()}],
    "steps": steps, "failure_steps": [],
}  # fmt: skip


def write(part):
    """As plans are printed: an entry a line."""
    lines = [f"{json.dumps(key)}: " + ("[\n" + ",\n".join(map(json.dumps, value)) + "\n]" if isinstance(value, list) and value else json.dumps(value)) for key, value in part.items()]
    with open("plan.json", "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")


def run(code, *words, **variables):
    done = subprocess.run(["tosca-run", "--plain", "-j4", "--retry-delay", "0.05", *words, "plan.json"], check=False,
                          env={**os.environ, **variables}, capture_output=True, text=True)  # fmt: skip
    if done.returncode != code:
        sys.exit(done.stdout + done.stderr)


write(plan)
run(0)
run(0, "--from", "hub[0].i.create", SLOW="site[0].i.start")
run(1, "--from", "hub[0].i.create", "--report", "run.html", BAD="site[1].i.start", FLAKY="site[1].i.create")
