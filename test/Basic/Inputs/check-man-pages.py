"""Compares man pages with --help-all, and has groff look at them: check-man-pages.py TOOL..."""

import re
import shutil
import subprocess
import sys


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, check=True, **more)


problems = []
for tool in sys.argv[1:]:
    page = run(tool, "--print-help=man").stdout
    text = page.replace("\\-", "-")
    for section in ("NAME", "SYNOPSIS", "EXAMPLES", "OPTIONS", "EXIT STATUS", "SEE ALSO"):
        if f".SH {section}\n" not in text:
            problems.append(f"{tool}: no section {section}")
    options = re.findall(r"^  (-.*?)(?:  |$)", run(tool, "--help-all").stdout, re.MULTILINE)
    if len(options) < 3:
        problems.append(f"{tool}: --help-all has {len(options)} options")
    for option in options:
        for name in option.split()[0].split(","):
            if not re.search(rf"^\.BR .*(?<![\w-]){re.escape(name)}(?![\w-])", text, re.MULTILINE):
                problems.append(f"{tool}: the man page has no {name}")
    if shutil.which("groff"):
        noted = run("groff", "-man", "-Tutf8", "-ww", "-z", input=page).stderr
        problems += [f"{tool}: {line}" for line in noted.splitlines()]
print("\n".join(problems))
sys.exit(1 if problems else 0)
