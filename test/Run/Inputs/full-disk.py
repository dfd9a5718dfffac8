"""full-disk.py FOLDER: runs plans while no file may grow beyond some size; each
run says so, and goes on once there is room."""

import os
import resource
import subprocess
import sys

from random_plan import check_order, make_plan, read_marks

base = sys.argv[1]
full = 0
limits = range(20000, 160000, 20000)
for number, limit in enumerate(limits):
    folder = os.path.join(base, f"full{number}")
    plan = make_plan(folder, seed=4, max_steps=60)
    command = ["tosca-run", "--resume", os.path.join(folder, "plan.json")]
    limited = subprocess.run(
        command, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    if limited.returncode == 0:
        continue
    full += 1
    assert limited.returncode == 3, limited
    assert "state store" in limited.stderr and "[broken-store]" in limited.stderr
    again = subprocess.run(command, capture_output=True, text=True)
    assert again.returncode == 0, again
    check_order(plan, read_marks(folder))
print(f"limits {limits[0]} to {limits[-1]}: {full} full, then resumed")
