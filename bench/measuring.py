"""What the benchmarks share: building the programs they need, and measuring."""

import os
import statistics
import subprocess
from collections import namedtuple

BENCH = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(BENCH)
BUILD = os.path.join(ROOT, "build", "bench")
TOSCAC = os.path.join(ROOT, "build", "dist", "bin", "toscac")

Result = namedtuple("Result", "cpu rss code")  # seconds, bytes, exit code


def compile_program(name, source, options):
    """Compiles `source` (a file of this folder) to build/bench/`name`."""
    os.makedirs(BUILD, exist_ok=True)
    output = os.path.join(BUILD, name)
    compiler = "gcc" if source.endswith(".c") else "g++"
    path = os.path.join(BENCH, source)
    subprocess.run([compiler, "-O2", path, "-o", output] + options, check=True)
    return output


def measure(tool, command, repetitions):
    """Runs `command`; returns a Result for each repetition."""
    run = [tool, str(repetitions)] + command
    lines = subprocess.run(run, check=True, capture_output=True, text=True).stdout
    results = []
    for line in lines.splitlines():
        microseconds, kilobytes, code = map(int, line.split())
        results.append(Result(microseconds / 1e6, kilobytes * 1024, code))
    return results


def measure_interleaved(commands, rounds, repetitions=1, prepare=lambda command: None):
    """Runs the commands in turns, so that what else the machine does hits all
    alike. Returns, for each, the median CPU and the greatest memory. What `prepare`
    does before each is not counted."""
    tool = compile_program("measure", "measure.c", ["-static"])
    results = [[] for _ in commands]
    for _ in range(rounds):
        for command, own in zip(commands, results):
            prepare(command)
            own += measure(tool, command, repetitions)
    return [
        Result(
            statistics.median(result.cpu for result in own),
            max(result.rss for result in own),
            max(result.code for result in own),
        )
        for own in results
    ]


def verdict(value, goal):
    return f"{value:8.2f}   goal: at most {goal:g}   {'met' if value <= goal else 'NOT MET'}"


def require_toscac():
    if not os.path.exists(TOSCAC):
        raise SystemExit("build/dist/bin/toscac is missing; run scripts/toscac --version")
