"""Types the beginning of a command and a tab in a real shell, and waits for what it makes of
them: type-tab.py TEXT EXPECTED SHELL..."""

import os
import pty
import sys

text, expected, *shell = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    os.execvpe(shell[0], shell, {**os.environ, "PS1": "$ ", "TERM": "dumb"})
os.write(terminal, f"{text}\t\n".encode())
os.write(terminal, b"exit\n")
said = b""
while True:
    try:
        part = os.read(terminal, 4096)
    except OSError:
        break
    if not part:
        break
    said += part
os.waitpid(pid, 0)
if expected.encode() not in said:
    sys.exit(f"{shell[0]} shows no {expected}: {said.decode(errors='replace')}")
