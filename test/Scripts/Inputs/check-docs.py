"""Checks what the documents for developers say of the tree: check-docs.py ROOT

Paths in backquotes are there, words in CamelCase in backquotes occur in the sources, and
commits have the subject that is given for them (where there is a history)."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
PATH = re.compile(r"`((?:lib|include|scripts|test|docs|tools|profiles|examples|cmake)/[\w./-]*\w)`")
WORD = re.compile(r"`([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)`")
COMMIT = re.compile(r"`([0-9a-f]{7,})` (\[[^\n]*?)(?:\.\n|\n)")


def documents():
    yield ROOT / "docs/ARCHITECTURE.md"
    yield ROOT / "docs/AddingFeatures.md"
    yield from sorted((ROOT / "lib").rglob("README.md"))


def sources():
    words = set()
    for top in ("lib", "include", "tools"):
        for path in (ROOT / top).rglob("*"):
            if path.suffix in (".h", ".cpp", ".def"):
                words.add(path.stem)
                words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
            elif path.name == "CMakeLists.txt":
                libraries = re.findall(r"toscac_library\((\w+)", path.read_text())
                words.update("Toscac" + library for library in libraries)
    return words


def subject_of(commit):
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%s", commit]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else None


def main():
    problems = []
    known = sources()
    has_history = (ROOT / ".git").exists() and subject_of("HEAD") is not None
    for document in documents():
        text = document.read_text(encoding="utf-8")
        name = document.relative_to(ROOT)
        for path in PATH.findall(text):
            if not (ROOT / path).exists() and not (ROOT / "include/toscac" / path).exists():
                problems.append(f"{name}: there is no {path}")
        for word in WORD.findall(text):
            if word not in known:
                problems.append(f"{name}: nothing is called {word}")
        for commit, subject in COMMIT.findall(text):
            if has_history and subject_of(commit) != subject:
                problems.append(f"{name}: {commit} is not '{subject}'")
    print("\n".join(problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
