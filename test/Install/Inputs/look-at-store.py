"""Asks an installed `tosca-run ui` for the page of a store, which must have the viewer and tell
of these runs: look-at-store.py STORE WORKFLOW..."""

import json
import re
import sys

from served import Served

store, *workflows = sys.argv[1:]
with Served("--state", store) as server:
    status, _, page = server.ask(server.address(server.path))
    refused, _, _ = server.ask(server.path)
data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])
told = sorted(run["workflow"] for run in data["store"]["runs"])
if status != 200 or refused == 200 or told != sorted(workflows) or "getElementById('data')" not in page:
    sys.exit(f"status {status}, without a token {refused}, runs {told}")
print("the page tells of", *told)
