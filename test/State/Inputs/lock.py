"""lock.py STORE live|dead|far: locks the deployment `default` as a process that
lives (process 1), is no more, or runs on another host."""

import socket
import sqlite3
import sys

store, kind = sys.argv[1:]
with open("/proc/1/stat") as file:
    start = int(file.read().rpartition(")")[2].split()[19])
host = "elsewhere" if kind == "far" else socket.gethostname()
start += kind == "dead"
with sqlite3.connect(store) as db:
    db.execute(
        "INSERT OR REPLACE INTO locks VALUES('default', 'ada', ?, 1, ?, 86400)",
        (host, start),
    )
