#!/usr/bin/env python3
"""Random services, each held against an interpreter of its own: see README.md here.

    campaign.py --toscac build/release/bin/toscac --count 1000 --seed 0 --keep found
    campaign.py --toscac … --template FILE --workflow go --input n=7

Prints figures and a paragraph for each kind of difference, with the smallest template
that still shows it. The exit code is 0 where all that is found is allowed, and less than
a tenth of the warnings about orders are benign."""

import argparse
import collections
import os
import signal
import sys
import tempfile

import generate
import shrink
from judge import Compiler, judge
from template import NotUnderstood

# What is counted of each service.
COUNTED = ("clean", "warned", "benign", "reserved", "refused", "guardable", "undecided")
COUNTED += ("slow",)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--toscac", default="toscac")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--copies", type=int, default=1, help="of each template")
    parser.add_argument("--keep", help="folder for the templates of what is found")
    parser.add_argument("--shrink", type=int, default=1, help="how many of a kind")
    parser.add_argument("--limit", type=int, default=6000, help="states per service")
    parser.add_argument("--plain", action="store_true", help="without --verify")
    parser.add_argument("--patience", type=float, help="seconds for one run of toscac")
    parser.add_argument("--allow", action="append", default=[], help="a kind of finding")
    parser.add_argument("--template", help="a template instead of random ones")
    parser.add_argument("--workflow", default="deploy")
    parser.add_argument("--input", action="append", default=[])
    return parser.parse_args()


def given(arguments):
    import yaml

    with open(arguments.template, encoding="utf-8") as file:
        template = yaml.safe_load(file)
    inputs = {}
    for text in arguments.input:
        name, value = text.split("=", 1)
        inputs[name] = yaml.safe_load(value)
    return generate.Case(template, arguments.workflow, None, inputs)


class Campaign:
    def __init__(self, arguments, compiler):
        self.arguments, self.compiler = arguments, compiler
        self.figures = collections.Counter()
        self.found = {}
        self.guardable = []

    def look(self, seed, case):
        figures = self.figures
        figures["services"] += 1
        try:
            result = judge(case, self.compiler, self.arguments.limit)
        except NotUnderstood as what:
            figures["not understood"] += 1
            print(f"{seed}: not understood: {what}")
            return
        for name in COUNTED:
            figures[name] += getattr(result, name)
        figures["replay states"] += result.replayed
        figures["failures replayed"] += result.failures
        figures["replayed"] += bool(result.replayed)
        figures["verdicts compared"] += result.verdict_compared
        if result.guardable:
            self.guardable.append(seed)
        for finding in result.findings:
            figures[f"found: {finding[0]}"] += 1
        for kind in result.kinds():
            self.found.setdefault(kind, []).append(seed)

    def report(self, make):
        """Figures, then what was found; whether all of it is allowed."""
        for name, number in sorted(self.figures.items()):
            print(f"{name}: {number}")
        if self.guardable:
            print(f"refused, though guards could tell: {self.guardable[:10]}")
        good = True
        if self.figures["warned"]:
            share = 100 * self.figures["benign"] / self.figures["warned"]
            print(f"benign share: {share:.1f} %")
            good = share < 10
        for kind, seeds in sorted(self.found.items()):
            allowed = any(kind.startswith(name) for name in self.arguments.allow)
            good &= allowed
            self.say(f"\n{kind}: {len(seeds)} ({', '.join(map(str, seeds[:10]))})")
            for seed in seeds[: 0 if allowed else self.arguments.shrink]:
                self.show(kind, seed, make(seed))
        return good

    @staticmethod
    def say(text):
        """What was found goes where tests show it."""
        print(text, file=sys.stderr)

    def show(self, kind, seed, case):
        small = shrink.shrink(case, lambda c: self.shows(c, kind))
        result = judge(small, self.compiler, self.arguments.limit)
        for found, text, story in result.findings:
            if found == kind:
                self.say(f"  {text}")
                for line in story:
                    self.say(f"    {line}")
                break
        text = shrink.text(small)
        if self.arguments.keep:
            os.makedirs(self.arguments.keep, exist_ok=True)
            slug = "".join(c if c.isalnum() else "-" for c in kind)
            name = os.path.join(self.arguments.keep, f"{slug}-{seed}.yaml")
            with open(name, "w", encoding="utf-8") as file:
                file.write(f"# {kind}; --workflow {small.workflow}\n{text}")
            self.say(f"  kept as {name}")
        else:
            self.say("".join(f"  | {line}\n" for line in text.splitlines()))

    def shows(self, case, kind):
        try:
            return kind in judge(case, self.compiler, self.arguments.limit).kinds()
        except (NotUnderstood, LookupError, TypeError, AttributeError, ValueError):
            return False


def stop(*_):
    raise KeyboardInterrupt


def main():
    signal.signal(signal.SIGTERM, stop)
    arguments = options()
    memory = "/dev/shm" if os.path.isdir("/dev/shm") else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        compiler = Compiler(
            arguments.toscac, folder, not arguments.plain, arguments.patience
        )
        campaign = Campaign(arguments, compiler)
        if arguments.template:
            make = lambda seed: given(arguments)
            campaign.look(0, make(0))
        else:
            make = lambda seed: generate.generate(seed, arguments.copies)
            try:
                for seed in range(arguments.seed, arguments.seed + arguments.count):
                    campaign.look(seed, make(seed))
            except KeyboardInterrupt:
                print("stopped")
        good = campaign.report(make)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
