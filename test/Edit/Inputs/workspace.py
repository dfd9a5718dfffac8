#!/usr/bin/env python3
"""workspace.py ONE TWO LATE: a session with the folder ONE, which lacks a file that LATE is put in
place of, and with TWO. Prints how many diagnostics files have."""

import os
import shutil
import sys

from client import Client, uri_of

CHANGED, REMOVED, MADE = 2, 3, 1


def main():
    one, two, late = sys.argv[1:]
    client = Client(root=uri_of(one), is_test=True)
    types = os.path.join(one, "types.yaml")

    def show(what):
        client.request("workspace/symbol", {"query": "nothing is called so"})
        found = {os.path.basename(uri): len(items) for uri, items in client.diagnostics.items()}
        shown = ", ".join(f"{name} {count}" for name, count in sorted(found.items()) if count or name == "b.yaml")
        print(f"{what}: {shown}")

    def tell(kind):
        changes = [{"uri": uri_of(types), "type": kind}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    def folders(added, removed):
        folder = [{"uri": uri_of(two), "name": "two"}]
        event = {"added": folder if added else [], "removed": folder if removed else []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    show("at first")
    shutil.copy(late, types)
    tell(MADE)
    show("types.yaml made on the disk")
    with open(types, "w", encoding="utf-8") as file:
        file.write("tosca_definitions_version: tosca_2_0\nnode_types: { Other: {} }\n")
    tell(CHANGED)
    show("changed there")
    os.remove(types)
    tell(REMOVED)
    show("removed there")
    folders(added=True, removed=False)
    show("the other folder")
    folders(added=False, removed=True)
    show("without it")
    uri = uri_of(os.path.join(one, "b.yaml"))
    with open(os.path.join(one, "b.yaml"), encoding="utf-8") as file:
        client.open(uri, file.read())
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    show("saved")
    client.close(uri)
    show("closed")
    print(client.end())


main()
