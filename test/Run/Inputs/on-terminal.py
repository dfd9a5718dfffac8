"""on-terminal.py WIDTH COMMAND...: runs the command on a terminal of that width and
prints what it shows: a line each time the cursor goes back or on."""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

width, command = int(sys.argv[1]), sys.argv[2:]
child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    os.environ["TERM"] = "xterm"
    os.execvp(command[0], command)
shown = b""
try:
    while data := os.read(terminal, 65536):
        shown += data
except OSError:  # The other side is closed.
    pass
_, status = os.waitpid(child, 0)
text = re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", shown.decode())
for line in re.split(r"[\r\n]+", text):
    print(line)
sys.exit(os.waitstatus_to_exitcode(status))
