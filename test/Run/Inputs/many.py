"""many.py FOLDER STEPS JOBS FILES: as many steps that wait for nothing, that many at
once (0: no limit), with that many file descriptors."""

import hashlib
import os
import resource
import shutil
import subprocess
import sys

from random_plan import write_plan

folder = sys.argv[1]
steps, jobs, files = map(int, sys.argv[2:])
os.makedirs(folder)
program = shutil.which("true")
shutil.copy(program, os.path.join(folder, "true"))
with open(program, "rb") as file:
    digest = hashlib.sha256(file.read()).hexdigest()
write_plan(os.path.join(folder, "plan.json"), {
    "plan": 1, "workflow": {"name": "deploy"},
    "entities": [{"id": 0, "name": "a[0]", "kind": "node", "template": "a",
                  "index": 0, "type": "A"}],
    "artifacts": [{"id": 0, "type": "Program", "file": "true", "sha256": digest}],
    "steps": [{"id": i, "name": f"a[0].i.o{i}", "kind": "call", "entity": 0,
               "interface": "i", "operation": f"o{i}", "deps": [],
               "handlers": [{"artifact": 0}]} for i in range(steps)],
})  # fmt: skip
run = subprocess.run(
    ["tosca-run", f"-j{jobs}", os.path.join(folder, "plan.json")],
    capture_output=True, text=True,
    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)),
)  # fmt: skip
print(run.stdout.splitlines()[-1], run.stderr, sep="\n")
sys.exit(run.returncode)
