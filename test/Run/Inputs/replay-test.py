"""replay-test.py FOLDER PLANS: random plans with random durations, with one step
at a time, three, and no limit: the order never violates the plan, and the final
state is the one it predicts."""

import json
import os
import subprocess
import sys

from random_plan import check_order, final_cells, make_plan, read_marks

base, plans = sys.argv[1], int(sys.argv[2])
for number in range(plans):
    states = set()
    for jobs in (1, 3, 0):
        folder = os.path.join(base, f"{number}-{jobs}")
        plan = make_plan(folder, seed=number)
        command = ["tosca-run", f"-j{jobs}", os.path.join(folder, "plan.json")]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        check_order(plan, read_marks(folder))
        store = os.path.join(folder, "toscac.db")
        command = ["tosca-run", "state", "export", "--state", store]
        states.add(subprocess.check_output(command))
    assert len(states) == 1, f"plan {number}: the state depends on the timing"
    entities = json.loads(states.pop())["deployments"]["default"]["entities"]
    cells = {entity["name"]: entity["cells"] for entity in entities}
    assert cells == final_cells(plan), f"plan {number}: not the final state"
print(f"{plans} plans")
