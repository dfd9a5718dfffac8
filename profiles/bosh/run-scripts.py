#!/usr/bin/env python3
"""Runs a lifecycle script of every job on an instance, where the job has one: for the
operation pre_start, RENDERED/GROUP/INDEX/JOB/bin/pre-start. The first that fails
decides."""

import json
import os
import subprocess
import sys

with open(os.environ["TOSCA_CONTEXT"], encoding="utf-8") as file:
    context = json.load(file)
instance = context["entity"]["properties"]
script = context["operation"].replace("_", "-")
folder = os.path.join(instance["rendered"], instance["group"], str(instance["index"]))
for job in instance["jobs"]:
    program = os.path.abspath(os.path.join(folder, job, "bin", script))
    if not os.path.exists(program):
        continue
    code = subprocess.call([program], cwd=os.path.join(folder, job))
    if code != 0:
        sys.exit(f"{program} ended with {code}")
