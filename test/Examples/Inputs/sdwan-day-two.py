"""sdwan-day-two.py EXAMPLE FOLDER: the life of an SD-WAN with real services. Three sites
are deployed; two more are added while the VPN is asked for its members all the time, and
tosca-run is killed on the way and resumed; three are removed; one breaks, which a check finds,
and is healed; all is taken down. Says what the VPN answers in between."""

import glob
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request

EXAMPLE, FOLDER = sys.argv[1:]
STORE = os.path.join(FOLDER, "toscac.db")
INPUTS = {
    "number-of-sites": 3,
    "locations": [
        {"city": city, "latitude": 30.0, "longitude": -90.0}
        for city in ("Austin", "Boston", "Chicago", "Denver", "El Paso")
    ],
}


def compile_plan(name, *words):
    plan = os.path.join(FOLDER, name + ".json")
    service = os.path.join(EXAMPLE, "service.yaml")
    subprocess.run(["toscac", service, *words, "-o", plan], check=True)
    return plan


def change(name, workflow, **parameters):
    words = ["--state", STORE, "--workflow", workflow]
    for key, value in parameters.items():
        words += ["--param", f"{key}={value}"]
    return compile_plan(name, *words)


def run(plan, *words):
    command = ["tosca-run", "--plain", *words, plan]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def entities():
    command = ["tosca-run", "state", "export", "--state", STORE]
    state = json.loads(subprocess.check_output(command))
    return {each["name"]: each for each in state["deployments"]["default"]["entities"]}


def members():
    url = entities()["sdwan[0]"]["attributes"]["url"]
    with urllib.request.urlopen(url + "/members", timeout=30) as answer:
        return json.load(answer)


class Traffic(threading.Thread):
    """Asks the VPN for its members until it is told to stop."""

    def __init__(self):
        super().__init__(daemon=True)
        self.url = entities()["sdwan[0]"]["attributes"]["url"]
        self.answers = []
        self.failures = []
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            try:
                with urllib.request.urlopen(self.url + "/members", timeout=30) as answer:
                    self.answers.append(set(json.load(answer)))
            except OSError as error:
                self.failures.append(str(error))

    def stop(self):
        self.ends.set()
        self.join()


def is_done(step):
    """Whether the journal says so, from where tosca-run itself would go on."""
    db = sqlite3.connect(f"file:{STORE}?mode=ro", uri=True)
    query = "SELECT body FROM journal WHERE kind = 'events' AND run = (SELECT max(id) FROM runs)"
    lines = "\n".join(body for (body,) in db.execute(query)).splitlines()
    db.close()
    return any(json.loads(line).get("done") == step for line in lines if line)


def kill_after(plan, name):
    """Runs the plan and kills tosca-run, and nothing else, when the step is done."""
    with open(plan, encoding="utf-8") as file:
        steps = json.load(file)["steps"]
    step = next(each["id"] for each in steps if each.get("name") == name)
    process = subprocess.Popen(["tosca-run", "--plain", "-j2", plan], stdout=subprocess.DEVNULL)
    while process.poll() is None and not is_done(step):
        time.sleep(0.01)
    process.kill()
    return process.wait()


def processes():
    """What steps of this deployment have left running."""
    found = []
    for path in glob.glob("/proc/[0-9]*/environ"):
        try:
            with open(path, "rb") as file:
                if f"TOSCA_OUTPUTS={FOLDER}/".encode() in file.read():
                    found.append(int(path.split("/")[2]))
        except OSError:
            pass
    return found


def live():
    inputs = os.path.join(FOLDER, "inputs.json")
    with open(inputs, "w", encoding="utf-8") as file:
        json.dump(INPUTS, file)
    run(compile_plan("deploy", "--inputs", inputs))
    print("deployed:", *members())
    old = {name: entities()[name]["attributes"]["pid"] for name in ("vpe[0]", "site[2]")}

    traffic = Traffic()
    traffic.start()
    plan = change("out", "scale", scalable_entity_name="vpe", delta=2)
    print("killed:", kill_after(plan, "vpe[3].standard.start") == -signal.SIGKILL)
    print("resumed:", "was in flight" in run(plan, "--resume"))
    traffic.stop()
    assert not traffic.failures, traffic.failures
    least = set.intersection(*traffic.answers)
    print("traffic never missed:", *sorted(least))
    print("scaled out:", *members())
    for name, pid in old.items():
        assert entities()[name]["attributes"]["pid"] == pid, f"{name} was started again"

    run(change("in", "scale", scalable_entity_name="vpe", delta=-3))
    print("scaled in:", *members())

    os.kill(entities()["site[0]"]["attributes"]["pid"], signal.SIGKILL)
    checked = run(change("check", "check"))
    print(*(line for line in checked.splitlines() if line.startswith("found:")))
    healed = run(change("heal", "heal"))
    assert "vpe[0].standard" not in healed and "site[1]" not in healed, healed
    print("healed:", *members())

    run(change("undeploy", "undeploy"))
    print("left:", len(entities()), "entities,", len(processes()), "processes")


try:
    live()
finally:
    for pid in processes():
        os.kill(pid, signal.SIGKILL)
