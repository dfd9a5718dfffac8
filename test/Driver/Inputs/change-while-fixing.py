"""Runs `toscac --fix FILE -` and changes FILE after toscac has read it: with one
job it reads inputs in their order, so when it reads standard input, it has."""

import subprocess
import sys

path = sys.argv[1]
process = subprocess.Popen(
    ["toscac", "--fix", "-j1", path, "-"], stdin=subprocess.PIPE
)
# More than a pipe holds: the call returns when toscac has begun to read.
process.stdin.write(b"# comment\n" * 100_000)
with open(path, "a", encoding="utf-8") as file:
    file.write("\n# a change\n")
process.stdin.write(b"tosca_definitions_version: tosca_2_0\n")
process.stdin.close()
print("exit", process.wait())
