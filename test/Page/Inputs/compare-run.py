"""Compares the page of a run with the store: compare-run.py PAGE STORE [RUN]. The calls,
their times and outcomes are read from the journal by other code than ours."""

import json
import re
import sqlite3
import sys

import page


def check(title, got, expected):
    if got != expected:
        sys.exit(f"{title}: {got} on the page, {expected} in the store")


def read_calls(store, run):
    """By number: name, when it first began and ended, how it ended, how often it was tried."""
    calls = {}
    for time, body in store.execute("SELECT time, body FROM journal WHERE run = ? AND kind = 'events' ORDER BY id", (run,)):
        for event in map(json.loads, body.splitlines()):
            if "started" in event:
                calls[event["started"]] = {"name": event["step"], "begin": time, "outcome": "stopped", "tries": 1}
            for key in ("done", "failed"):
                if event.get(key) in calls:
                    calls[event[key]].update(outcome=key, end=time, reason=event.get("reason"))
            if "retry" in event:
                calls[event["retry"]]["tries"] += 1
    return calls


def main():
    shown = page.read(sys.argv[1])
    run = shown["run"]
    store = sqlite3.connect(sys.argv[2])
    number = int(sys.argv[3]) if len(sys.argv) > 3 else run["id"]
    check("run", run["id"], number)
    status, started = store.execute("SELECT status, started FROM runs WHERE id = ?", (number,)).fetchone()
    check("status", run["status"], status)
    calls = read_calls(store, number)
    check("calls", run["calls"], len(calls))
    check("in groups", sum(group["count"] for group in run["groups"]), len(calls))
    for key in ("done", "failed"):
        check(key, sum(group.get(key, 0) for group in run["groups"]), sum(call["outcome"] == key for call in calls.values()))
    if run["whole"]:
        check("told", {call["step"] for call in run["told"]}, set(calls))
    for told in run["told"]:
        call = calls[told["step"]]
        check("name", told["name"], call["name"])
        check("group", run["groups"][told["group"]]["name"], re.sub(r"\[\d+\]", "", call["name"]))
        check("outcome of " + told["name"], told["outcome"], call["outcome"])
        check("attempts of " + told["name"], len(told.get("earlier", [])) + 1, call["tries"])
        for key in ("begin", "end"):
            if key in call and abs(told[key] - (call[key] - started)) > 0.002:
                sys.exit(f"{key} of {told['name']}: {told[key]}, not {call[key] - started}")
        check("reason of " + told["name"], told.get("reason"), call.get("reason"))
    if "plan" in shown:
        planned = shown["plan"]["figures"]
        check("planned", run["planned"], shown["plan"]["totals"]["calls"])
        check_order(run, shown["plan"], planned)
    print("the page has what the store has")


def check_order(run, plan, figures):
    """A call is ready when all that it waits for is over, and no later than it begins."""
    if not (plan["whole"] and run["whole"]):
        return
    over = {}
    told = {call["step"]: call for call in run["told"]}
    for step in plan["steps"]:
        before = max((over[dep] for dep in [*step["deps"], *([step["after_failure"]] if "after_failure" in step else [])]), default=0)
        call = told.get(step["id"])
        over[step["id"]] = call.get("end", run["seconds"]) if call else before
        if call:
            check("ready " + call["name"], round(call["ready"], 3), round(min(before, call["begin"]), 3))


main()
