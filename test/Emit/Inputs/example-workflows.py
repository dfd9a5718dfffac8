"""example-workflows.py EXAMPLES FOLDER SCHEMA: has toscac turn every template below EXAMPLES
that yields a plan into a workflow, and reads that back."""

import os
import subprocess
import sys

from read_argo import Workflow, compare, read_schema

examples, base, schema = sys.argv[1:]
rules = read_schema(schema)
count = 0
for folder, _, names in sorted(os.walk(examples)):
    for name in sorted(names):
        path = os.path.join(folder, name)
        if not name.endswith(".yaml") or "service_template:" not in open(path).read():
            continue
        target = os.path.join(base, str(count))
        command = ["toscac", path, "--emit=argo", "-o", target]
        said = subprocess.run(command, capture_output=True, text=True)
        if said.returncode == 0:
            count += 1
            compare(Workflow(target, rules), said.stderr)
print(f"{count} examples")
