"""Does what a page of the documentation says: run-page.py FOLDER PAGE... [--update]

Everything in fences happens in FOLDER/NAME, which is made anew for each page and has the folders
`examples` and `profiles` of the repository in it, from top to bottom:

  yaml, sh, python, … that begin with `# file: NAME`      become that file;
                          or `# file: NAME, continued`    are added to it
  console                 each `$ command` is run, and what follows is exactly its output
                          (a line `...` stands for any lines, `...` within one for any text, and
                          seconds like 0.31 for others)
  sh                      is run, and every command in it succeeds
  yaml                    is a template that is checked without a warning; or it has a mark

A mark is a comment of Markdown right before the fence, which readers do not see:

  <!-- part of: PATH -->          the lines stand in that file of the repository, in a row
  <!-- into: NAME +4 -->          the lines are added to NAME, four columns further to the right
  <!-- exits 2 -->                the last command of the fence ends with this code
  <!-- not run: REASON -->        nothing happens

Comments of this kind may stand anywhere:

  <!-- run: COMMANDS -->          a preparation; $ROOT is the repository
  <!-- file: NAME                 a file that readers need not see; the text is on the
  TEXT -->                        following lines

Fences of other languages (json, ebnf, mermaid, …) are pictures. Relative links lead to files,
and to headings that are there. --update writes the outputs of consoles as they are now."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
PART = re.compile(
    r"^<!--(?P<comment>.*?)-->\n|"
    r"^(?P<indent> *)```(?P<language>[a-z]*)\n(?P<body>.*?)^ *```\n",
    re.DOTALL | re.MULTILINE,
)
FILE = re.compile(r"# file: (\S+?)(, continued)?\n")
LINK = re.compile(r"\[[^\]\n]*\]\(([^)\s]+)\)")
MARKS = ("part of:", "into:", "exits ", "not run:")
LISTED = {"yaml", "sh", "console", "python", "js", "c", "cmake", ""}


class Page:
    def __init__(self, path, folder):
        self.path = path
        self.folder = folder
        self.text = path.read_text(encoding="utf-8")
        self.problems = []
        self.updated = []  # (start, end, text)
        self.at = 0
        self.environment = {**os.environ, "ROOT": str(ROOT), "COLUMNS": "100"}
        self.environment["TMPDIR"] = str(folder) + ".tmp"

    def problem(self, text):
        line = self.text.count("\n", 0, self.at) + 1
        self.problems.append(f"{self.path.name}:{line}: {text}")

    def shell(self, commands):
        """Code and output, as on a terminal, of commands that all have to succeed."""
        run = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", commands],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
        return run.returncode, run.stdout.decode("utf-8", "replace")

    def write(self, name, text, add):
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if add and not target.exists():
            self.problem(f"there is no '{name}' to continue")
        with open(target, "a" if add else "w", encoding="utf-8") as file:
            file.write(text)
        if text.startswith("#!"):
            target.chmod(0o755)

    def run(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        pathlib.Path(self.environment["TMPDIR"]).mkdir(exist_ok=True)
        for name in ("examples", "profiles"):
            (self.folder / name).symlink_to(ROOT / name)
        try:
            self.parts()
        finally:
            self.stop_what_runs()
        self.links()
        return self.problems

    def stop_what_runs(self):
        """A page ends what it starts; its processes are known by their own TMPDIR."""
        mark = f"TMPDIR={self.environment['TMPDIR']}".encode()
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark not in (process / "environ").read_bytes().split(b"\0"):
                    continue
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip()
                os.kill(int(process.name), signal.SIGTERM)
            except OSError:
                continue
            if command:
                self.problem(f"leaves '{command}' running")

    def parts(self):
        mark = None
        end = 0
        for part in PART.finditer(self.text):
            self.at = part.start()
            if mark and self.text[end : part.start()].strip():
                self.problem(f"'{mark}' is not followed by a fence")
                mark = None
            end = part.end()
            if part["comment"] is not None:
                comment = part["comment"].strip()
                if comment.startswith(MARKS):
                    mark = comment
                else:
                    self.comment(comment)
                continue
            self.fence(part, mark or "")
            mark = None

    def comment(self, comment):
        if comment.startswith("run:"):
            code, output = self.shell(comment[4:])
            if code:
                self.problem(f"the preparation ends with {code}:\n{output}")
        elif comment.startswith("file:"):
            name, _, text = comment[5:].lstrip().partition("\n")
            self.write(name.strip(), text + "\n", False)

    def fence(self, part, mark):
        width = len(part["indent"])
        body = re.sub(rf"^ {{{width}}}", "", part["body"], flags=re.MULTILINE)
        language = part["language"]
        if language not in LISTED or mark.startswith("not run:"):
            return
        wanted = int(mark[6:]) if mark.startswith("exits ") else 0
        if file := FILE.match(body):
            self.write(file[1], body[file.end() :] if file[2] else body, bool(file[2]))
        elif mark.startswith("part of:"):
            self.check_part(mark[8:].strip(), body)
        elif mark.startswith("into:"):
            name, _, column = mark[5:].strip().partition(" +")
            pad = " " * int(column or 0)
            text = "".join(pad + line for line in body.splitlines(True))
            self.write(name, text, True)
        elif language == "console":
            self.console(part, body, wanted)
        elif language == "sh":
            code, output = self.shell(body)
            if code != wanted:
                self.problem(f"ends with {code}, not {wanted}:\n{output}")
        elif language == "yaml":
            self.write("listing.yaml", body, False)
            code, output = self.shell("toscac --check -Werror listing.yaml")
            if code:
                self.problem(output)
        elif language:
            self.problem(f"'{language}' has neither a file nor a mark")

    def check_part(self, path, body):
        def words(text):
            return "\n".join(" ".join(line.split()) for line in text.splitlines())

        whole = words((ROOT / path).read_text(encoding="utf-8"))
        if words(body) not in whole:
            self.problem(f"this does not stand in {path}")

    def console(self, part, body, wanted):
        new = []
        commands = re.split(r"^\$ ", body, flags=re.MULTILINE)
        if commands[0].strip():
            self.problem("a console begins with '$ '")
        for i, command in enumerate(commands[1:], 1):
            lines = command.splitlines()
            count = 1
            while count < len(lines) and lines[count - 1].endswith("\\"):
                count += 1
            source = "\n".join(lines[:count])
            expected = [line.rstrip() for line in lines[count:]]
            code, output = self.shell(source)
            actual = [line.rstrip() for line in output.splitlines()]
            due = wanted if i == len(commands) - 1 else 0
            if code != due:
                self.problem(f"'{source}' ends with {code}, not {due}:\n{output}")
            new += ["$ " + source]
            if matches(expected, actual):
                new += expected
            else:
                new += actual
                self.problem(
                    f"'{source}' prints\n" + "\n".join(actual) + "\nand not\n" + "\n".join(expected)
                )
        text = "".join((part["indent"] + line).rstrip() + "\n" for line in new)
        self.updated.append((part.start("body"), part.end("body"), text))

    def links(self):
        text = PART.sub("", self.text)
        for target in LINK.findall(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (self.path.parent / path).resolve() if path else self.path
            if not file.exists():
                self.problem(f"there is no {target}")
            elif anchor and anchor not in anchors(file):
                self.problem(f"{file.name} has no heading '{anchor}'")

    def update(self):
        text = self.text
        for start, end, new in reversed(self.updated):
            text = text[:start] + new + text[end:]
        self.path.write_text(text, encoding="utf-8")


def anchors(file):
    """What links can say after `#`: headings, as renderers of Markdown turn them into names."""
    text = re.sub(r"^ *```.*?^ *```", "", file.read_text(encoding="utf-8"), flags=re.S | re.M)
    found = set(re.findall(r'<a (?:id|name)="([^"]+)"', text))
    for heading in re.findall(r"^#+ +(.*)$", text, flags=re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def matches(expected, actual):
    """Whether the lines are the same, where `...` stands for anything, and seconds for others."""
    pattern = ""
    for line in expected:
        if line == "...":
            pattern += r"(?:.*\n)*?"
            continue
        parts = (re.sub(r"(?:\\ )*\d+\\\.\d\d(?!\d)", r" *\\d+\\.\\d\\d", re.escape(part)) for part in line.split("..."))
        pattern += ".*?".join(parts) + "\n"
    return bool(re.fullmatch(pattern, "".join(line + "\n" for line in actual)))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    pages = [pathlib.Path(arg).resolve() for arg in sys.argv[2:] if arg != "--update"]
    failed = 0
    for path in pages:
        page = Page(path, pathlib.Path(sys.argv[1]).resolve() / path.stem)
        problems = page.run()
        print("".join(problem.rstrip() + "\n" for problem in problems), end="")
        failed += bool(problems)
        if "--update" in sys.argv:
            page.update()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
