"""Checks what can be checked of a Dockerfile without a Docker: check-dockerfile.py FILE
Instructions are known, what is copied from the context is there and not ignored, stages exist
before they are used, and shell commands parse."""

import glob
import os
import re
import subprocess
import sys

KNOWN = {"FROM", "COPY", "WORKDIR", "RUN", "ENTRYPOINT"}
path = sys.argv[1]
root = os.path.dirname(path)
with open(path, encoding="utf-8") as file:
    text = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", file.read(), flags=re.M))
stages = set()
problems = []
for line in filter(None, map(str.strip, text.splitlines())):
    word, _, rest = line.partition(" ")
    if word not in KNOWN:
        problems.append(f"'{word}' is no instruction")
    elif word == "FROM":
        stages.update(re.findall(r" AS (\w+)", rest))
    elif word == "COPY":
        words = rest.split()
        if words[0].startswith("--from="):
            if words[0][7:] not in stages:
                problems.append(f"there is no stage '{words[0][7:]}'")
        else:
            problems += [f"there is no '{name}'" for name in words[:-1] if not glob.glob(os.path.join(root, name))]
    elif word == "RUN":
        run = subprocess.run(["sh", "-n", "-c", rest], capture_output=True, check=False, text=True)
        if run.returncode:
            problems.append(run.stderr.strip())
        problems += [
            f"there is no '{name}'"
            for name in re.findall(r"(?<!\S)scripts/\S+", rest)
            if not os.access(os.path.join(root, name), os.X_OK)
        ]
print("".join(problem + "\n" for problem in problems), end="")
sys.exit(1 if problems else 0)
