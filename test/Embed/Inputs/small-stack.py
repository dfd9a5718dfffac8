"""Compiles what is nested deeply, on a thread with hardly any stack."""

import threading

import toscac

HEAD = "tosca_definitions_version: tosca_2_0\nservice_template:\n  node_templates: {}\n  outputs:\n    out:\n      value: "


def say(depth):
    with open("deep.yaml", "w", encoding="utf-8") as file:
        file.write(HEAD + "[ " * depth + "1" + " ]" * depth + "\n")
    try:
        print(depth, toscac.compile("deep.yaml"))
    except toscac.CompileError as error:
        print(depth, error.code, error.diagnostics[0].name)


threading.stack_size(128 << 10)
for levels in (100, 490, 100000):
    thread = threading.Thread(target=say, args=[levels])
    thread.start()
    thread.join()
