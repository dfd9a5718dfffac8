"""run-layers.py FOLDER: with a Slurm at hand, runs a plan of arrays that are larger than it
allows, and of short steps, there and here, twice: with an allocation for the short steps,
and with one for all. The state is the same, and the order the plan's."""

import json
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_plan import check_order, read_marks

folder = os.path.abspath(sys.argv[1])


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def state_of(store):
    state = json.loads(run("tosca-run", "state", "export", "--state", store))
    return [(each["name"], each["cells"], each["attributes"])
            for each in state["deployments"]["default"]["entities"]]  # fmt: skip


generator = os.path.join(os.path.dirname(__file__), "layered-plan.py")
for options in ([], ["--pack"]):
    base = f"{folder}/layers{len(options)}"
    run(sys.executable, generator, base, "6", "8")
    run("toscac", f"{base}/plan.json", "--emit=slurm", "-o", f"{base}/run")
    run(f"{base}/run/submit", "--wait", *options)
    with open(f"{base}/plan.json") as file:
        check_order(json.load(file), read_marks(base))
    jobs = len([name for name in os.listdir(f"{base}/run/slurm") if name.endswith(".sh")])
    run("tosca-run", "--state", f"{base}/here.db", f"{base}/plan.json")
    assert state_of(f"{base}/run/toscac.db") == state_of(f"{base}/here.db")
    print(f"35 calls {' '.join(options)}: {jobs} submissions")
