"""Starts the service of a node and tells where it is."""

import json
import os
import subprocess
import sys

with open(os.environ["TOSCA_CONTEXT"]) as file:
    context = json.load(file)
city = context["inputs"].get("city", "")
process = subprocess.Popen(
    [sys.executable, context["files"][0], os.environ["TOSCA_ENTITY"], city],
    stdin=subprocess.DEVNULL,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    start_new_session=True,
)
port = int(process.stdout.readline())
with open(os.environ["TOSCA_OUTPUTS"], "w") as file:
    json.dump({"url": f"http://127.0.0.1:{port}", "pid": process.pid}, file)
print(f"{os.environ['TOSCA_ENTITY']} listens on port {port}")
