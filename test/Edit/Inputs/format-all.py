#!/usr/bin/env python3
"""format-all.py PATTERN...: formats a copy of every file that can be read, twice, and compares
its AST, its comments and what the check says."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile


def run(*command):
    return subprocess.run(["toscac", *command], capture_output=True, text=True, check=False)


def comments(text):
    return sorted(re.findall(r"(?:^|\s)(#.*?)\s*$", text, re.M))


def problems(path):
    """Without places: these move."""
    return sorted(re.findall(r"(?:error|warning): (.*)", run("--check", path).stderr))


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def check(path, option):
    """Leaves the file formatted; false if it cannot be read."""
    text, ast, said = read(path), run("--emit=ast", path), problems(path)
    first = run("--format-source", *option, path)
    if first.returncode != 0:
        assert first.stderr, f"{path} {option}: not formatted, and nobody knows why"
        return False
    write(path, first.stdout)
    second = run("--format-source", *option, path)
    assert second.stdout == first.stdout, f"{path} {option}: formatting again changes it"
    assert comments(text) == comments(first.stdout), f"{path} {option}: comments changed"
    assert option or ast.stdout == run("--emit=ast", path).stdout, f"{path}: the AST changed"
    assert said == problems(path), f"{path} {option}: the check says something else"
    return True


def main():
    count = 0
    folders = {}
    with tempfile.TemporaryDirectory() as work:
        for path in sorted(path for pattern in sys.argv[1:] for path in glob.glob(pattern)):
            folder = os.path.dirname(path)
            if folder not in folders:
                folders[folder] = os.path.join(work, str(len(folders)))
                shutil.copytree(folder, folders[folder])
            copy = os.path.join(folders[folder], os.path.basename(path))
            count += check(copy, []) and check(copy, ["--order-keynames"])
    print(f"{count} files keep their content")


main()
