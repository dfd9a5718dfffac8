"""Makes a store with the life of an SD-WAN in it: sdwan-store.py EXAMPLE. It is deployed,
a check finds that a router has died, and it is healed; a second check finds another one. What
was started is ended."""

import json
import os
import signal
import subprocess
import sys

example = sys.argv[1]


def run(name, *words):
    subprocess.run(["toscac", os.path.join(example, "service.yaml"), *words, "-o", name], check=True)
    subprocess.run(["tosca-run", "--plain", "--state", "toscac.db", name], check=True, stdout=subprocess.DEVNULL)


def processes():
    state = json.loads(subprocess.check_output(["tosca-run", "state", "export", "--state", "toscac.db"]))
    for entity in state["deployments"]["default"]["entities"]:
        if pid := (entity.get("attributes") or {}).get("pid"):
            yield entity["name"], pid


def kill(name):
    os.kill(dict(processes())[name], signal.SIGKILL)


def check(number):
    run(f"check{number}.json", "--workflow", "check", "--state", "toscac.db")


try:
    run("plan.json")
    kill("vpe[1]")
    check(1)
    run("heal.json", "--workflow", "heal", "--state", "toscac.db")
    kill("vpe[0]")
    check(2)
finally:
    for _, pid in processes():
        try:
            os.kill(pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
