"""Makes the plan and the page of every example, for each workflow that it has:
every-example.py TOSCAC FOLDER."""

import glob
import os
import subprocess
import sys

toscac, folder = sys.argv[1:]
compare = os.path.join(os.path.dirname(__file__), "compare.py")
failed = 0
files = [os.path.join(folder, "sdwan/service.yaml")] + sorted(glob.glob(os.path.join(folder, "machines/*.yaml")))
for file in files:
    listed = subprocess.run([toscac, file, "--list-workflows"], capture_output=True, text=True, check=True)
    for workflow in [line.split()[0] for line in listed.stdout.splitlines()]:
        make = [toscac, file, "--workflow", workflow]
        if subprocess.run([*make, "-o", "plan.json"], capture_output=True, check=False).returncode:
            continue
        subprocess.run([*make, "--emit=html", "-o", "plan.html"], capture_output=True, check=True)
        result = subprocess.run([sys.executable, compare, "plan.html", "plan.json"], capture_output=True, text=True, check=False)
        failed += result.returncode != 0
        print(f"{os.path.relpath(file, folder)} {workflow}: {result.stdout.strip() or result.stderr.strip()}")
print(failed, "failed")
