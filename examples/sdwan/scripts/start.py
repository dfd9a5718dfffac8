"""Starts the service of a node and tells where it is."""

import json
import os
import subprocess
import sys

with open(os.environ["TOSCA_CONTEXT"]) as file:
    context = json.load(file)
inputs = context["inputs"]
server = context["files"][0]
process = subprocess.Popen(
    [sys.executable, server, context["entity"]["name"],
     inputs.get("city", ""), inputs.get("router", "")],
    stdin=subprocess.DEVNULL,
    stdout=subprocess.PIPE,
    stderr=subprocess.DEVNULL,
    start_new_session=True,
)  # fmt: skip
port = int(process.stdout.readline())
with open(os.environ["TOSCA_OUTPUTS"], "w") as file:
    json.dump({"url": f"http://127.0.0.1:{port}", "pid": process.pid}, file)
print(f"{context['entity']['name']} listens on port {port}")
