#!/usr/bin/env python3
"""project.py FOLDER: a session in FOLDER, which has a project file, while that changes. Prints
which diagnostics files have."""

import os
import sys

from client import Client, uri_of


def main():
    folder = sys.argv[1]
    project = os.path.join(folder, ".toscac.yaml")
    service = os.path.join(folder, "services", "service.yaml")
    client = Client(root=uri_of(folder), is_test=True)

    def show(what):
        client.request("workspace/symbol", {"query": "nothing is called so"})
        found = {os.path.basename(uri): sorted({item["code"] for item in items}) for uri, items in client.diagnostics.items()}
        print(f"{what}:", ", ".join(f"{name} {' '.join(codes)}" for name, codes in sorted(found.items()) if codes) or "nothing")

    def write(text):
        with open(project, "w", encoding="utf-8") as file:
            file.write(text)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(project), "type": 2}]})

    with open(project, encoding="utf-8") as file:
        settings = file.read()
    with open(service, encoding="utf-8") as file:
        text = file.read()
    show("the folder")
    client.open(uri_of(service), text)
    show("open")
    write(settings.replace("imports: [ lib ]\n", ""))
    show("without its imports")
    write(settings.replace("exclude: [ generated ]\n", ""))
    show("without what it excludes")
    write(settings.replace("exclude", "excluded"))
    show("with a mistake")
    write(settings)
    show("as before")
    client.open(uri_of(project), settings.replace("ignore", "warn"))
    show("changed in the editor")
    client.close(uri_of(project))
    show("closed")
    os.remove(project)
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri_of(project), "type": 3}]})
    show("removed")
    print(client.end())


main()
