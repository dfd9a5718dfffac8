"""Deploys, changes and takes down services, and compares the last line of each view with
what the journal of the run and the state after it say: view-counts.py ROOT FOLDER"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

root, folder = sys.argv[1:]
LINE = re.compile(
    r"Plan: (\d+) to add, (\d+) to change, (\d+) to replace, (\d+) to remove; (\d+) calls?"
)


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True).stdout


class Journal:
    """What a run has done to entities, which have the numbers of its plan."""

    def __init__(self, lines):
        self.calls = []
        # By entity: the cells that steps have written, one after the other.
        self.writes = {}
        for line in lines:
            event = json.loads(line)
            if "started" in event:
                self.calls.append(event["step"])
                self.writes.setdefault(event["entity"], [])
            if "done" in event and "entity" in event:
                self.writes.setdefault(event["entity"], []).append(event.get("cells", {}))
            for _, entity, _, write in event.get("sets", []):
                self.writes.setdefault(entity, []).append(event["writes"][write])

    def wasReplaced(self, entity):
        """Taken down as far as it goes, and brought up again."""
        states = [each["state"] for each in self.writes[entity] if "state" in each]
        return "initial" in states and "started" in states[states.index("initial") :]


class Deployment:
    def __init__(self, service, name):
        self.service, self.name = service, name
        self.folder = f"{folder}/{name}"
        self.store = f"{self.folder}/toscac.db"
        self.runs = 0
        os.mkdir(self.folder)

    def nodes(self):
        if not os.path.exists(self.store):
            return {}
        state = json.loads(run("tosca-run", "state", "export", "--state", self.store))
        entities = state["deployments"]["default"]["entities"]
        return {each["name"]: each for each in entities if each["kind"] == "node"}

    def change(self, *how, fails=False):
        before = self.nodes()
        self.runs += 1
        state = ["--state", self.store] if self.runs > 1 else []
        plan = f"{self.folder}/{self.runs}.json"
        source = [self.service, *state, *how]
        run("toscac", *source, "-o", plan)
        view = run("toscac", plan, *state)
        assert view == run("toscac", *source, "--emit=diff"), view
        # One after the other, so that a failure comes after the same steps each time.
        run("tosca-run", "-j1", plan, "--state", self.store, check=not fails)
        with open(plan, encoding="utf-8") as file:
            planned = json.load(file)
        done = self.count(planned, before)
        workflow = planned["workflow"]["name"]
        if fails:
            print(f"{self.name} {workflow}: failed")
            return
        said = [int(each) for each in LINE.search(view).groups()]
        assert said == done, (view, done)
        added, changed, replaced, removed, calls = done
        print(
            f"{self.name} {workflow}: {added} added, {changed} changed, {replaced} replaced,"
            f" {removed} removed, {calls} calls"
        )

    def count(self, planned, before):
        after = self.nodes()
        lines = run("tosca-run", "history", "--state", self.store, str(self.runs)).splitlines()
        journal = Journal([line.split(" ", 1)[1] for line in lines if line.endswith("}")])
        names = [each["name"] for each in planned["entities"]]
        stayed = [i for i in journal.writes if names[i] in before and names[i] in after]
        replaced = [i for i in stayed if journal.wasReplaced(i)]
        return [
            len(set(after) - set(before)),
            len(stayed) - len(replaced),
            len(replaced),
            len(set(before) - set(after)),
            len(journal.calls),
        ]

    def end(self):
        for node in self.nodes().values():
            if "pid" in node.get("attributes", {}):
                os.kill(node["attributes"]["pid"], signal.SIGTERM)


def param(**values):
    return [f"--param={name}={value}" for name, value in values.items()]


def sdwan():
    example = f"{root}/examples/sdwan"
    inputs = f"{folder}/five.json"
    with open(inputs, "w", encoding="utf-8") as file:
        cities = [{"city": c, "latitude": 1.0, "longitude": 2.0} for c in "ABCDE"]
        json.dump({"number-of-sites": 3, "locations": cities}, file)
    here = Deployment(f"{example}/service.yaml", "sdwan")
    try:
        here.change("-i", inputs)
        here.change("--workflow", "heal", *param(instances="site[1]"))
        here.change("--workflow", "scale", *param(scalable_entity_name="vpe"))
        here.change("--workflow", "scale", *param(scalable_entity_name="vpe", delta=-2))
        here.change("--workflow", "update", "-i", f"{example}/inputs.yaml", "-Wno-instances-lost")
        here.change("--workflow", "undeploy", *param(instances="site[0]"))
        here.change("--workflow", "undeploy")
    finally:
        here.end()


def tiers():
    here = Deployment(f"{root}/test/Deployments/Inputs/tiers.yaml", "tiers")
    here.change()
    here.change("--workflow", "heal", *param(instances="app[1]"))
    here.change("--workflow", "scale", *param(scalable_entity_name="machine"))
    here.change("--workflow", "scale", *param(scalable_entity_name="app", delta=-1))
    here.change("--workflow", "undeploy", *param(instances="machine[0]"))
    here.change("--workflow", "undeploy")


def hub():
    here = Deployment(f"{root}/test/Deployments/Inputs/hub.yaml", "hub")
    here.change()
    here.change("--input", "size=2")
    here.change("--input", "spokes=1", "-Wno-instances-lost")
    here.change("--input", "spokes=4")
    here.change("--workflow", "stop")
    here.change("--workflow", "start")


def pods():
    here = Deployment(f"{root}/test/Deployments/Inputs/pods.yaml", "pods")
    here.change()
    here.change("--workflow", "scale", *param(scalable_entity_name="pod"))
    here.change("--workflow", "scale", *param(scalable_entity_name="pod", delta=-2))


def failing():
    """A run that fails on the way; the next plan goes on from there."""
    source = f"{folder}/failing"
    shutil.copytree(f"{root}/test/Run/Inputs/failing", source)
    here = Deployment(f"{source}/service.yaml", "failed")
    here.change(fails=True)
    here.change()
    here.change("--input", "text=two", fails=True)
    here.change("--input", "text=two")
    here.change("--input", "level=5")


sdwan()
tiers()
hub()
pods()
failing()
