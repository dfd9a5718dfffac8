"""slurm-faults.py FOLDER CALLS: runs a plan of so many calls on three private nodes. When
some are done, a node's daemon and the jobs on it are killed, and the controller, too; both
come back. The run completes, and each step has left its mark."""

import glob
import hashlib
import json
import os
import subprocess
import sys
import time

import private_slurm

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import write_plan

SCRIPT = """\
sleep 0.2
touch "$TOSCA_INPUT_marks/$TOSCA_INDEX-$TOSCA_OPERATION"
"""


def make_plan(folder, calls):
    """Pairs: the second call of each instance waits for its first."""
    os.makedirs(f"{folder}/marks")
    with open(f"{folder}/step.sh", "w") as file:
        file.write(SCRIPT)
    count = calls // 2
    call = {"artifact": 0, "inputs": {"marks": f"{folder}/marks"}}
    steps = [
        {"id": n, "name": f"a[{n % count}].i.{'start' if n >= count else 'create'}",
         "kind": "call", "entity": n % count, "interface": "i",
         "operation": "start" if n >= count else "create",
         "deps": [n - count] if n >= count else [], "handlers": [call],
         "success": {"state": "started" if n >= count else "created"}}
        for n in range(2 * count)
    ]  # fmt: skip
    entities = [
        {"id": n, "name": f"a[{n}]", "kind": "node", "template": "a", "index": n,
         "type": "A", "cells": {"i": {"state": "initial"}}}
        for n in range(count)
    ]  # fmt: skip
    digest = hashlib.sha256(SCRIPT.encode()).hexdigest()
    artifacts = [{"id": 0, "type": "Bash", "file": "step.sh", "sha256": digest}]
    write_plan(f"{folder}/plan.json", {
        "plan": 1, "workflow": {"name": "deploy"}, "root": ".", "entities": entities,
        "artifacts": artifacts, "steps": steps})  # fmt: skip


def wait_for(folder, results):
    while len(glob.glob(f"{folder}/run/results/*.json")) < results:
        time.sleep(0.2)


def kill_node(cluster, node):
    command = ["squeue", "--noheader", f"--nodelist={node}", "--format=%A"]
    jobs = subprocess.check_output(command, text=True).split()
    private_slurm.stop_one(f"{cluster}/slurmd.{node}.pid", signal=9)
    private_slurm.kill_jobs(cluster, jobs)


def main():
    folder, calls = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    cluster = f"{folder}/cluster"
    make_plan(folder, calls)
    subprocess.run(["toscac", f"{folder}/plan.json", "--emit=slurm", "-o", f"{folder}/run"],
                   check=True)  # fmt: skip
    try:
        private_slurm.start(cluster, 3)
        run = subprocess.Popen([f"{folder}/run/submit", "--wait"])
        wait_for(folder, calls // 10)
        kill_node(cluster, "n2")
        wait_for(folder, calls // 5)
        private_slurm.stop_one(f"{cluster}/slurmctld.pid", signal=9)
        subprocess.run(["slurmctld"], check=True)
        subprocess.run(["slurmd", "-N", "n2"], check=True)
        code = run.wait()
        if code != 0:  # What is missing is submitted again.
            code = subprocess.run([f"{folder}/run/submit", "--wait"]).returncode
    finally:
        private_slurm.stop(cluster)
    assert code == 0, "the run did not complete"
    assert len(os.listdir(f"{folder}/marks")) == calls, "an effect is missing"
    state = subprocess.check_output(
        ["tosca-run", "state", "export", "--state", f"{folder}/run/toscac.db"])
    entities = json.loads(state)["deployments"]["default"]["entities"]
    assert all(each["cells"]["i"]["state"] == "started" for each in entities)
    print(f"{calls} calls in spite of all")


main()
