"""A client of tosca-lsp for tests and measurements: requests are answered in order."""

import json
import os
import subprocess


class Gone(Exception):
    """The server has ended."""


class Client:
    """With `is_test`, all that follows from a message is said before the next one is answered."""

    def __init__(self, command=("tosca-lsp",), root=None, is_test=False):
        self.is_test = is_test
        command = [*command, "--lit-test"] if is_test else command
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.next_id = 0
        self.diagnostics = {}
        self.versions = {}
        self.request("initialize", {"rootUri": root, "capabilities": {}})
        self.notify("initialized", {})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        head, tail = b"Content-Length: %d\r\n\r\n" % len(body), b""
        if self.is_test:
            head, tail = b"", b"\n// -----\n"
        try:
            self.process.stdin.write(head + body + tail)
            self.process.stdin.flush()
        except BrokenPipeError as error:
            raise Gone(f"exit code {self.process.wait()}") from error

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Gone(f"exit code {self.process.wait()}")
            if line.startswith(b"Content-Length:"):
                length = int(line.split(b":")[1])
            if line == b"\r\n" and length is not None:
                return json.loads(self.process.stdout.read(length))

    def take(self, message):
        """Notes what nobody asked for."""
        params = message["params"]
        self.diagnostics[params["uri"]] = params["diagnostics"]
        if "version" in params:
            self.versions[params["uri"]] = params["version"]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request; the answer has this id."""
        self.next_id += 1
        self.send({"id": self.next_id, "method": method, "params": params})
        return self.next_id

    def answer(self, wanted):
        """The next answer, which has to be the one to `wanted`."""
        while True:
            message = self.receive()
            if "id" not in message:
                self.take(message)
                continue
            assert message["id"] == wanted, f"answer {message['id']} before {wanted}"
            return message.get("result"), message.get("error")

    def request(self, method, params):
        result, error = self.answer(self.ask(method, params))
        assert error is None, f"{method}: {error}"
        return result

    def open(self, uri, text, version=1):
        document = {"uri": uri, "languageId": "tosca", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def change(self, uri, version, changes):
        document = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange", {"textDocument": document, "contentChanges": changes}
        )

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def wait_for(self, uri, version):
        """The diagnostics of this version."""
        while self.versions.get(uri) != version:
            message = self.receive()
            assert "id" not in message, message
            self.take(message)
        return self.diagnostics[uri]

    def end(self):
        self.request("shutdown", {})
        self.notify("exit", {})
        return self.process.wait()


def position(text, offset):
    start = text.rfind("\n", 0, offset) + 1
    units = len(text[start:offset].encode("utf-16-le")) // 2
    return {"line": text.count("\n", 0, offset), "character": units}


def uri_of(path):
    return "file://" + os.path.abspath(path)
