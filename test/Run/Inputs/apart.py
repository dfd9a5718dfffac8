"""apart.py FOLDER CASE: writes FOLDER/plan.json, in which steps must not overlap, and a
script that notes in FOLDER/marks when each starts and ends.

    star     a database is prepared and migrated; none of many savers may run meanwhile,
             and one of two checks neither during one of these nor during the migration
    clique   six steps, of which one runs at a time
    chain    six steps, each of which excludes the next
    killed   the first step kills tosca-run when the second has ended and a more urgent one
             waits only for the first

apart.py FOLDER --check: whether marks has all steps, and each apart from those that it
excludes."""

import hashlib
import json
import os
import sys

from random_plan import check_order, read_marks, write_plan

SCRIPT = """\
echo "start $TOSCA_STEP" >> "$TOSCA_INPUT_marks"
[ "$TOSCA_OPERATION" = prepare ] || sleep 0.03
if [ "$TOSCA_OPERATION" = killer ] && mkdir "$TOSCA_INPUT_marks.killed" 2>/dev/null; then
  until grep -q "end .*other" "$TOSCA_INPUT_marks"; do sleep 0.05; done
  sleep 0.2
  kill -9 $PPID
  exit 1
fi
if [ "$TOSCA_STEP" = "${FAILS:-}" ] && ! mkdir "$TOSCA_INPUT_marks.failed" 2>/dev/null; then
  FAILS=
fi
[ "$TOSCA_STEP" != "${FAILS:-}" ] && [ "$TOSCA_STEP" != "${BROKEN:-}" ] || exit 1
echo "end $TOSCA_STEP" >> "$TOSCA_INPUT_marks"
"""
folder, case = os.path.abspath(sys.argv[1]), sys.argv[2]
steps = []


def add(name, deps=(), excludes=(), **more):
    excluded = {"excludes": list(excludes)} if excludes else {}
    stage = 1 + max((steps[dep]["stage"] for dep in deps), default=-1)
    inputs = {"marks": f"{folder}/marks"}
    steps.append(
        {"id": len(steps), "name": f"a[0].i.{name}", "kind": "call", "entity": 0,
         "interface": "i", "operation": name, "deps": list(deps), "stage": stage, **excluded,
         "handlers": [{"artifact": 0, "inputs": inputs}], "entry": {name: "running"},
         "success": {name: "done"}, "failure": {name: "failed"}, **more}
    )  # fmt: skip


def main():
    if case == "--check":
        with open(f"{folder}/plan.json") as file:
            return check_order(json.load(file), read_marks(folder))
    if case == "star":
        add("prepare")
        add("migrate", [0], retries=1)
        for i in range(12):
            add(f"save{i}", excludes=[1])
        add("check", excludes=[1, 2])
        add("independent")
    elif case == "killed":
        add("killer")
        add("other")
        add("urgent", [1], excludes=[0])
        add("last", [2])
    else:
        for i in range(6):
            add(f"step{i}", excludes=range(i) if case == "clique" else range(max(0, i - 1), i))
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/step.sh", "w") as file:
        file.write(SCRIPT)
    digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
    write_plan(f"{folder}/plan.json", {
        "plan": 1, "service": case, "root": ".", "deployment": "default",
        "workflow": {"name": "deploy"},
        "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a", "index": 0,
                      "type": "A", "cells": {"i": {"state": "initial"}}}],
        "artifacts": [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": digest}],
        "steps": steps, "failure_steps": []})  # fmt: skip


main()
