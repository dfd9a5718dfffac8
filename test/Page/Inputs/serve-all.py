"""Writes all that a store's server says to a file: serve-all.py STORE FILE."""

import sys

import served

with served.Served("--state", sys.argv[1]) as server, open(sys.argv[2], "w", encoding="utf-8") as file:
    for path, parameters in (("/", {}), ("/run", {"deployment": "default", "id": 1})):
        status, _, text = server.ask(server.address(path, **parameters))
        assert status == 200, text
        file.write(text)
    for path, parameters in (("/events", {"deployment": "default"}), ("/run/events", {"deployment": "default", "id": 1})):
        name, text = next(server.stream(server.address(path, **parameters)))
        file.write(f"{name}: {text}\n")
