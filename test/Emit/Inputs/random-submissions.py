"""random-submissions.py FOLDER PROGRAMS COUNT SEED: makes so many plans, some of whose steps are
done, has the script that toscac makes submit each to the PROGRAMS that stand in for
Slurm's, and reads from what these were told in which order steps run: what the plan wants
and, without packs, no more."""

import os
import random
import re
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(__file__), "../../Run/Inputs"))
from random_layers import make_plan, order_of
from random_plan import write_plan

folder, programs, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
STEP = re.compile(r"step \. (?:\$\(\((-?\d+) \+ (\d+) \* SLURM_ARRAY_TASK_ID\)\)|(\d+))")


def choose_done(rng, plan):
    """Calls that are done, with all that they wait for."""
    done, share = set(), rng.choice([0, 0, 0.5, 0.9])
    for step in plan["steps"]:
        if set(step["deps"]) <= done and (step["kind"] != "call" or rng.random() < share):
            done.add(step["id"])
    return {id for id in done if plan["steps"][id]["kind"] == "call"}


class Submission:
    """Sets of steps are numbers, a bit for each."""

    def __init__(self, log, plan, done):
        self.plan, self.done = plan, done
        # By job, or (job, index): what is done when it is. By step: what is done before it.
        self.after, self.above, self.packed = {}, {}, set()
        with open(log) as file:
            for line in file:
                if line[0].isdigit():
                    self.read(*line.split(maxsplit=1))

    def before(self, words, index):
        mask = 0
        for kind, *jobs in (word.split(":") for word in words.split(",") if word):
            for job in jobs:
                key = (job, str(index)) if kind == "aftercorr" else tuple(job.split("_"))
                mask |= self.after[key if len(key) > 1 else job]
        return mask

    def read(self, job, rest):
        words = rest.split()[-1] if "after" in rest.split()[-1] else ""
        array = re.search(r"--array=(\d+)-(\d+)", rest)
        found = STEP.match(rest)
        if array:
            self.after[job] = 0
            for index in range(int(array[1]), int(array[2]) + 1):
                step = int(found[1]) + int(found[2]) * index
                mask = self.run(step, self.before(words, index))
                self.after[job, str(index)] = mask
                self.after[job] |= mask
        elif found:
            self.after[job] = self.run(int(found[3]), self.before(words, None))
        elif rest.startswith("pack"):
            self.after[job] = self.pack(rest.split()[2], self.before(words, None))
        else:
            self.after[job] = self.before(words, None)

    def run(self, step, before):
        assert step not in self.above and step not in self.done, f"{step} is run again"
        self.above[step] = before
        return before | 1 << step

    def pack(self, ranges, before):
        """Its steps are ordered, or kept apart, as the plan has it."""
        after, inside = before, {}
        chosen = set()
        for part in ranges.split(","):
            first, last = part.split("-")
            chosen |= set(range(int(first), int(last) + 1))
        for step in self.plan["steps"]:
            mask = 0
            for dep in order_of(step):
                mask |= inside.get(dep, 0)
            if step["id"] in chosen:
                self.packed.add(step["id"])
                if step["id"] not in self.done:
                    after |= self.run(step["id"], before | mask)
                mask |= 1 << step["id"]
            inside[step["id"]] = mask
        return after


def check(submission):
    steps = submission.plan["steps"]
    calls = sum(1 << step["id"] for step in steps if step["kind"] == "call")
    todo = calls & ~sum(1 << id for id in submission.done)
    above = []
    for step in steps:
        mask = 0
        for dep in order_of(step):
            mask |= above[dep] | 1 << dep
        above.append(mask)
        if not todo >> step["id"] & 1:
            continue
        given, wanted = submission.above[step["id"]] & todo, mask & todo
        assert not wanted & ~given, f"{step['id']} starts too early"
        assert submission.packed or given == wanted, f"{step['id']} waits for too much"


def main():
    kinds = {"arrays": 0, "joins": 0, "packs": 0}
    for number in range(count):
        rng = random.Random(seed + number)
        plan = make_plan(rng, choices=(1, 2, 7, 30), short=rng.choice([0, 4]))
        base = os.path.join(folder, str(number))
        os.makedirs(f"{base}/results")
        write_plan(f"{base}/made.json", plan)
        subprocess.run(["toscac", f"{base}/made.json", "--emit=slurm", "-o", base], check=True)
        done = choose_done(rng, plan)
        for id in done:
            open(f"{base}/results/{id}.json", "w").close()
        environment = dict(os.environ, PATH=f"{programs}:{os.environ['PATH']}", LOG=f"{base}/log",
                           ARRAY=rng.choice("0 3 10 1001".split()), JOBS="100000")  # fmt: skip
        subprocess.run([f"{base}/submit"], env=environment, check=True, stdout=subprocess.DEVNULL)
        try:
            check(Submission(f"{base}/log", plan, done))
        except (AssertionError, KeyError) as problem:
            sys.exit(f"plan {number}: {problem!r}")
        with open(f"{base}/log") as file:
            text = file.read()
        for kind, word in (("arrays", "--array"), ("joins", " true after"), ("packs", " pack ")):
            kinds[kind] += word in text
    print(f"{count} submissions: {kinds}")


main()
