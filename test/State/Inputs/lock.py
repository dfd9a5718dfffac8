"""lock.py STORE dead|far: leaves a row in the table of locks, of a process that is no
more, here or on another host.
lock.py STORE hold COMMAND...: runs COMMAND while this process has the lock of the
deployment `default`, as the kernel sees it."""

import fcntl
import socket
import sqlite3
import struct
import subprocess
import sys

F_OFD_SETLK = 37

store, kind, *command = sys.argv[1:]
with sqlite3.connect(store) as db:
    db.execute(
        "INSERT OR REPLACE INTO locks(deployment, user, host, process, process_start, since) "
        "VALUES('default', 'ada', ?, 1, 0, 86400)",
        ("elsewhere" if kind == "far" else socket.gethostname(),),
    )
db.close()
if kind == "hold":
    with open(store + "-lock", "r+b") as file:
        # All bytes but the first: that of the deployment is among them.
        lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 1, 0, 0)
        fcntl.fcntl(file, F_OFD_SETLK, lock)
        sys.exit(subprocess.run(command).returncode)
