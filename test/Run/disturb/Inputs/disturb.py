"""disturb.py FOLDER COUNT [--seed N] [--store URL]: runs random plans and disturbs them COUNT
times: the runner is killed, stopped, told to end, has no disk or a second one beside it,
children and their groups are killed, the store vanishes. Each plan is resumed until it is
over, and the oracle looks at what its steps have left:

  - what the journal called done, or failed for good, is never started again;
  - a step starts only after all that it waits for has ended, and no try of it beside another;
  - steps behind a failed one never run, its failure steps do;
  - the state is the one that these steps lead to;
  - no file but those that the steps wrote on their own has the secret in it;
  - no process and no folder is left.
"""

import argparse
import base64
import collections
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "Inputs"))
from wild_plan import WildPlan, mood  # noqa: E402

SECRET = "pa$$ w\u00f6rd/of-many+parts"
KEY = "a key that all who share the store know"


def forms(secret):
    """How a secret may look in a file."""
    raw = secret.encode()
    yield raw
    yield json.dumps(secret)[1:-1].encode()
    yield urllib.parse.quote(secret, safe="").encode()
    yield urllib.parse.quote_plus(secret, safe="").encode()
    yield raw.hex().encode()
    for before in range(3):
        digits = base64.b64encode(b"x" * before + raw)
        first, end = (before * 8 + 5) // 6, (before + len(raw)) * 8 // 6
        yield digits[first:end]
        yield digits[first:end].replace(b"+", b"-").replace(b"/", b"_")


FORMS = sorted(set(forms(SECRET)))


class Trouble(Exception):
    pass


def require(condition, text):
    if not condition:
        raise Trouble(text)


class Case:
    """One deployment, from its first plan to the last word about it."""

    def __init__(self, folder, seed, store):
        self.folder = folder
        self.rng = random.Random(seed)
        self.plan = WildPlan(folder, seed)
        self.deployment = "default"
        self.store = os.path.join(folder, "toscac.db")
        self.isFile = store is None
        if store:
            self.store, self.deployment = store, os.path.basename(folder)
        self.policy = self.rng.choice(["stop", "continue"])
        self.known = {"done": set(), "failed": set()}
        self.position = 0
        self.earlier = 0
        self.counts = collections.Counter()

    # Programs.

    def place(self):
        return ["--state", self.store, "--deployment", self.deployment]

    def environment(self):
        return {**os.environ, "TOSCA_SECRET_KEY": KEY}

    def start(self, *options, limit=None, prefix=()):
        read, write = os.pipe()
        os.write(write, SECRET.encode())
        os.close(write)
        command = ["tosca-run", "-j3", "--retry-delay", "0.01", "--grace", "1", "--plain",
                   *self.place(), "--work", os.path.join(self.folder, "work"),
                   "--input", f"password=fd:{read}", *options, self.plan.path]  # fmt: skip

        def prepare():
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with open(os.path.join(self.folder, "said"), "wb") as said:
            process = subprocess.Popen(
                [*prefix, *command], stdout=said, stderr=said, pass_fds=[read],
                preexec_fn=prepare, env=self.environment(),
            )  # fmt: skip
        os.close(read)
        return process

    def said(self):
        with open(os.path.join(self.folder, "said"), errors="replace") as file:
            return file.read()

    def ask(self, *command):
        return subprocess.run(
            ["tosca-run", *command, *self.place()],
            capture_output=True, text=True, env=self.environment(),
        ).stdout  # fmt: skip

    # What happens to it.

    def children(self, process):
        path = f"/proc/{process.pid}/task/{process.pid}/children"
        try:
            with open(path) as file:
                return [int(word) for word in file.read().split()]
        except OSError:
            return []

    def disturb(self, process):
        """Does something to the run; gives what it was."""
        kind = self.rng.choice(
            ["kill", "kill", "kill", "term", "hup", "int", "twice", "stop", "child", "group", "second"]
        )
        try:
            if kind == "kill":
                process.kill()
            elif kind == "term":
                process.send_signal(signal.SIGTERM)
            elif kind == "hup":
                process.send_signal(signal.SIGHUP)
            elif kind in ("int", "twice"):
                process.send_signal(signal.SIGINT)
                if kind == "twice":
                    time.sleep(0.005)
                    process.send_signal(signal.SIGINT)
            elif kind == "stop":
                process.send_signal(signal.SIGSTOP)
                time.sleep(0.02)
                process.send_signal(signal.SIGCONT)
            elif kind in ("child", "group"):
                for child in self.children(process)[:1]:
                    (os.killpg if kind == "group" else os.kill)(child, signal.SIGKILL)
                    # Its script cannot say so: the runner calls the step failed, or tries again.
                    self.counts["killed steps"] += 1
            else:
                self.second()
        except ProcessLookupError:
            pass
        return kind

    def second(self):
        with open(os.path.join(self.folder, "said-second"), "wb") as said:
            other = subprocess.run(
                ["tosca-run", "--resume", *self.place(), self.plan.path],
                stdout=said, stderr=said, env=self.environment(),
            )  # fmt: skip
        # Refused, or the first was over in time, or had not begun yet and is the second now.
        require(other.returncode in (0, 1, 2, 3, 130), f"second runner: {other.returncode}")
        self.counts["seconds refused"] += other.returncode == 2

    def lose_store(self):
        """A store that is gone is not begun anew by --resume."""
        if not os.path.exists(self.store) or not self.isFile:
            return
        away = os.path.join(self.folder, "away")
        os.mkdir(away)
        for end in ("", "-wal", "-shm"):
            if os.path.exists(self.store + end):
                shutil.move(self.store + end, away)
        process = self.start("--resume")
        process.wait()
        require(process.returncode in (2, 3), f"lost store: {process.returncode} {self.said()}")
        require("cannot be resumed from" in self.said(), self.said())
        for end in ("", "-wal", "-shm"):
            if os.path.exists(self.store + end):
                os.remove(self.store + end)
        for name in os.listdir(away):
            shutil.move(os.path.join(away, name), self.folder)
        os.rmdir(away)
        self.counts["lost store"] += 1

    # What the oracle knows.

    def read_journal(self):
        """What became of steps, as the store has it."""
        runs = [json.loads(line) for line in self.ask("history", "--json").splitlines()]
        # Those of an earlier plan say nothing of this one.
        if not runs or runs[-1]["run"] <= self.earlier:
            return
        lines = self.ask("history", "--json", "--run", str(runs[-1]["run"])).splitlines()
        steps = {s["id"]: s["name"] for s in self.plan.by_name.values()}
        for line in lines:
            event = json.loads(line).get("event")
            for kind in ("done", "failed"):
                if event and kind in event:
                    self.known[kind].add(steps[event[kind]])

    def new_marks(self):
        if not os.path.exists(self.plan.marks):
            return []
        with open(self.plan.marks) as file:
            marks = [tuple(line.split()) for line in file]
        new, self.position = marks[self.position :], len(marks)
        return new

    def check_attempt(self, marks, over):
        """What one runner did: `over` is what the journal had before."""
        for event, name, _ in marks:
            if event == "start":
                require(name not in over["done"], f"{name} was done, and started again")
                require(name not in over["failed"], f"{name} had failed, and started again")

    def check_order(self):
        with open(self.plan.marks) as file:
            marks = [tuple(line.split()) for line in file]
        ended, running, failed = set(), {}, collections.Counter()
        for event, name, number in marks:
            step = self.plan.by_name.get(name)
            if not step:
                continue
            if event == "start":
                for other in self.plan.before(step):
                    require(other in ended, f"{name} started before {other} had ended")
                if "after_failure" in step:
                    cause = next(s["name"] for s in self.plan.steps if s["id"] == step["after_failure"])
                    require(cause in running or failed[cause], f"{name} started, but {cause} had not failed")
                running[name] = number
            else:
                require(running.get(name) == number, f"a former try of {name} went on")
                ended.add(name) if event == "end" else failed.update([name])

    def check_end(self, code):
        """Nothing will happen any more."""
        done, failed = self.known["done"], self.known["failed"]
        killed = self.counts["killed steps"]
        for step in self.plan.by_name.values():
            name = step["name"]
            if mood(step) == "bad":
                require(name not in done, f"{name} cannot succeed")
            elif not killed:
                require(name not in failed, f"{name} cannot fail")
            if name in done:
                require(self.plan.before(step) <= done, f"{name} is done before others")
        for step in self.plan.failure_steps:
            cause = next(s["name"] for s in self.plan.steps if s["id"] == step["after_failure"])
            if cause in failed:
                require(step["name"] in done | failed or killed, f"{step['name']} did not run")
            else:
                require(step["name"] not in done, f"{step['name']} ran without {cause} failing")
        if not failed:
            left = {s["name"] for s in self.plan.steps} - done
            require(code == 0 and not left, f"code {code}, left {left}")
        else:
            require(code == 1, f"code {code} after a failure")
        if self.policy == "continue" and not killed:
            for step in self.plan.steps:
                before = {n for n in self.plan.before(step) if n in failed}
                excluded = any(mood(s) == "bad" and (s["id"] in step.get("excludes", []) or
                               step["id"] in s.get("excludes", [])) for s in self.plan.steps)  # fmt: skip
                runs = step["name"] in done | failed
                behind = {n for n in self.plan.before(step) if n not in done}
                if not before and not excluded and not behind:
                    require(runs, f"{step['name']} waits for nothing that failed")
        self.check_state(done, failed)

    def check_state(self, done, failed):
        document = json.loads(self.ask("state", "export"))["deployments"][self.deployment]
        with open(self.plan.marks) as file:
            begun = {line.split()[1] for line in file if line.startswith("start ")}
        cells = {e["name"]: e.get("cells", {}).get("standard", {}) for e in document["entities"]}
        for step in self.plan.by_name.values():
            name = step["name"]
            entity = self.plan.entities[step["entity"]]["name"]
            have = cells.get(entity, {}).get(f"cell{step['id']}")
            # Of one that was in flight and is not tried again nobody knows how it ended.
            unknown = failed and name in begun and name not in done | failed
            want = "done" if name in done else "failed" if name in failed or unknown else None
            require(have == want, f"{name}: cell is {have}, not {want}")

    def check_secrets(self):
        for root, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(root, name), "rb") as file:
                    content = file.read()
                for form in FORMS:
                    require(form not in content, f"the secret stands in {root}/{name}")

    def check_processes(self):
        """No process of the run lives; none has the secret on its command line."""
        mark = f"TOSCA_INPUT_marks={self.plan.marks}".encode()
        for _ in range(100):
            left = []
            for name in os.listdir("/proc"):
                if name.isdigit():
                    try:
                        with open(f"/proc/{name}/environ", "rb") as file:
                            if mark in file.read():
                                left.append(name)
                    except OSError:
                        pass
            if not left:
                return
            time.sleep(0.02)
        raise Trouble(f"processes {left} are left")

    def check_command(self, process):
        try:
            for name in ("cmdline", "environ"):
                with open(f"/proc/{process.pid}/{name}", "rb") as file:
                    content = file.read()
                for form in FORMS:
                    require(form not in content, f"the secret stands in /proc/PID/{name}")
        except OSError:
            pass

    # All of it.

    def attempt(self, disturbances):
        """One runner; gives its exit code and whether it was disturbed."""
        over = {kind: set(names) for kind, names in self.known.items()}
        limit = self.rng.choice([30000, 60000]) if self.isFile and self.rng.random() < 0.05 else None
        options = ["--resume", "--on-failure", self.policy]
        process = self.start(*options, limit=limit)
        what = None
        if limit:
            what = "disk"
        elif disturbances and self.rng.random() < 0.9:
            try:
                process.wait(self.rng.uniform(0, 0.15))
            except subprocess.TimeoutExpired:
                self.check_command(process)
                what = self.disturb(process)
        try:
            code = process.wait(60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise Trouble("it hangs") from None
        self.read_journal()
        self.check_attempt(self.new_marks(), over)
        if what:
            self.counts[what] += 1
        return code, what

    def finish(self, disturbances):
        """Runs the plan to its end. Gives how often it was disturbed."""
        used = 0
        for _ in range(100):
            code, what = self.attempt(disturbances - used)
            used += what is not None
            if self.rng.random() < 0.03:
                self.lose_store()
            is_over = code in (0, 1) or "cannot go on" in self.said()
            if is_over:
                break
            require(code in (130, 2, 3, -9, -15, -2, -1), f"code {code}: {self.said()}")
        else:
            raise Trouble(f"it never ends: {self.said()}")
        self.read_journal()
        failed = self.known["failed"] - {s["name"] for s in self.plan.failure_steps}
        self.check_order()
        self.check_end(1 if failed else 0)
        self.check_processes()
        self.check_secrets()
        return used, not failed

    def go_on(self, seed):
        """The next plan scales what is there."""
        text = self.ask("state", "export")
        start = text.index(f'"{self.deployment}": ') + len(f'"{self.deployment}": ')
        import hashlib

        digest = hashlib.sha256(text[start : text.rindex("\n}\n}")].encode()).hexdigest()
        self.plan = WildPlan(
            self.folder, seed, state="sha256:" + digest, first=len(self.plan.entities)
        )
        self.known = {"done": set(), "failed": set()}
        runs = self.ask("history", "--json").splitlines()
        self.earlier = json.loads(runs[-1])["run"]
        self.counts["killed steps"] = 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    if options.store:
        # What is empty is not resumed from.
        empty = os.path.join(os.path.dirname(__file__), "../../../State/Inputs/empty.json")
        command = ["tosca-run", "state", "import", "--state", options.store, empty]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    total, plans, kinds = 0, 0, collections.Counter()
    while total < options.count:
        seed = rng.randrange(1 << 30)
        folder = os.path.join(options.folder, f"d{plans}")
        case = Case(folder, seed, options.store)
        try:
            used, is_good = case.finish(min(8, options.count - total))
            if is_good and options.store is None and rng.random() < 0.5:
                case.go_on(seed + 1)
                more, _ = case.finish(min(8, options.count - total - used))
                used += more
        except Trouble as trouble:
            sys.exit(f"plan {plans} of seed {options.seed} in {folder}: {trouble}\n{case.said()}")
        total += used
        plans += 1
        kinds += case.counts
        shutil.rmtree(folder)
    told = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    print(f"{total} disturbances of {plans} plans: all as it should be ({told})")


main()
