"""kill-test.py FOLDER KILLS [SEED]: kills tosca-run at random moments of random
plans, resumes until each is complete, and compares with a run that nobody
disturbed."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys

from random_plan import check_order, final_cells, make_plan, read_marks


def read_journal(folder):
    """(numbers of steps done, names of those in flight); the store is sound."""
    store = os.path.join(folder, "toscac.db")
    done, flying = set(), {}
    if not os.path.exists(store):
        return done, set()
    db = sqlite3.connect(store)
    assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    rows = []
    if db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        query = "SELECT body FROM journal WHERE kind = 'events' ORDER BY id"
        rows = db.execute(query).fetchall()
    db.close()
    for (body,) in rows:
        for line in body.splitlines():
            event = json.loads(line)
            if "started" in event:
                flying[event["started"]] = event["step"]
            done.update(numbers[0] for numbers in event.get("sets", []))
            if "done" in event:
                done.add(event["done"])
                flying.pop(event["done"], None)
    return done, set(flying.values())


def start(folder, *options):
    with open(os.path.join(folder, "said"), "w") as said:
        command = ["tosca-run", "-j3", *options, os.path.join(folder, "plan.json")]
        return subprocess.Popen(command, stdout=said, stderr=said)


def said(folder):
    with open(os.path.join(folder, "said")) as file:
        return file.read()


def ask(folder, *command):
    store = os.path.join(folder, "toscac.db")
    return subprocess.check_output(["tosca-run", *command, "--state", store])


def check_resumed(plan, folder, done, flying, marks):
    """What was done is not started again; what was in flight is named. Returns
    the names."""
    names = {plan["steps"][i].get("name") for i in done}
    again = {name for event, name in marks if event == "start"} & names
    assert not again, f"done, but started again: {again}"
    prefix = "was in flight: "
    lines = said(folder).splitlines()
    told = {line[len(prefix) :] for line in lines if line.startswith(prefix)}
    assert told <= flying, f"said {told}, in flight were {flying}"
    return told


def disturb(folder, plan, rng, most):
    """Runs the plan to its end, with up to `most` kills; returns how many there
    were, and how many steps ran again."""
    kills = again = 0
    while True:
        done, flying = read_journal(folder)
        before = len(read_marks(folder))
        process = start(folder, "--resume")
        killed = False
        if kills < most and rng.random() < 0.9:
            try:
                process.wait(rng.uniform(0, 0.25))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed = True
        process.wait()
        kills += killed
        told = check_resumed(plan, folder, done, flying, read_marks(folder)[before:])
        again += len(told)
        if not killed:
            assert process.returncode == 0, said(folder)
            assert told == flying, f"said {told}, in flight were {flying}"
            return kills, again


def main():
    base, wanted = sys.argv[1], int(sys.argv[2])
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    kills = plans = again = 0
    while kills < wanted:
        seed = rng.randrange(1 << 30)
        calm, wild = os.path.join(base, f"c{plans}"), os.path.join(base, f"w{plans}")
        plan = make_plan(calm, seed)
        make_plan(wild, seed)
        assert start(calm).wait() == 0, said(calm)
        check_order(plan, read_marks(calm))
        more, repeated = disturb(wild, plan, rng, wanted - kills)
        kills += more
        again += repeated
        check_order(plan, read_marks(wild))
        for question in (["state", "export"], ["outputs"]):
            assert ask(calm, *question) == ask(wild, *question), f"plan {plans}"
        state = json.loads(ask(wild, "state", "export"))["deployments"]["default"]
        cells = {entity["name"]: entity["cells"] for entity in state["entities"]}
        assert cells == final_cells(plan), f"plan {plans}: not the final state"
        left = set(os.listdir(wild)) - {"plan.json", "step.sh", "marks", "said"}
        assert left == {"toscac.db", "toscac.db-lock"}, f"plan {plans}: left behind {left}"
        plans += 1
    print(f"{kills} kills, {plans} plans, {again} steps run again: all as without")


main()
