"""Stops the service of a node; fine if it is stopped already."""

import json
import os
import signal
import time

with open(os.environ["TOSCA_CONTEXT"]) as file:
    pid = json.load(file)["inputs"]["pid"]
try:
    os.kill(pid, signal.SIGTERM)
    while True:
        with open(f"/proc/{pid}/stat") as file:
            if file.read().rpartition(")")[2].split()[0] == "Z":
                break
        time.sleep(0.02)
except (ProcessLookupError, FileNotFoundError):
    pass
print(f"{os.environ['TOSCA_ENTITY']} is stopped")
