#!/usr/bin/env python3
"""Runs a lifecycle script of every job on an instance, where the job has one: for the
operation pre_start, GROUP/INDEX/JOB/bin/pre-start in the folder BOSH_RENDERED, which
`toscac --render` made. The first that fails decides."""

import json
import os
import subprocess
import sys

if "BOSH_RENDERED" not in os.environ:
    sys.exit("BOSH_RENDERED must be the folder that 'toscac --render' made")
with open(os.environ["TOSCA_CONTEXT"], encoding="utf-8") as file:
    context = json.load(file)
instance = context["entity"]["properties"]
script = context["operation"].replace("_", "-")
folder = os.environ["BOSH_RENDERED"]
folder = os.path.join(folder, instance["group"], str(instance["index"]))
for job in instance["jobs"]:
    program = os.path.abspath(os.path.join(folder, job, "bin", script))
    if not os.path.exists(program):
        continue
    code = subprocess.call([program], cwd=os.path.join(folder, job))
    if code != 0:
        sys.exit(f"{program} ended with {code}")
