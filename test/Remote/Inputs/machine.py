#!/usr/bin/env python3
"""Makes and removes machines for services under test: network namespaces of this
computer, each with an address and an sshd of its own. It is the provider of machines.yaml;
MACHINES names the folder that says what there is."""

import json
import os
import signal
import subprocess
import sys
import time

BRIDGE = "tosca-test"
NETWORK = "10.213.77."


def run(*command):
    subprocess.run(command, check=True)


def where(folder, name):
    return os.path.join(folder, name.replace("/", "_") + ".json")


def free_number(folder):
    """Reserves one: several machines are made at the same time."""
    for number in range(2, 250):
        try:
            os.mkdir(os.path.join(folder, f"number-{number}"))
            return number
        except FileExistsError:
            continue
    raise SystemExit("no address is left")


def create(folder, name):
    number = free_number(folder)
    space, address = f"tosca-test-{number}", NETWORK + str(number)
    inner, outer = f"tt{number}i", f"tt{number}o"
    run("ip", "netns", "add", space)
    run("ip", "link", "add", outer, "type", "veth", "peer", "name", inner, "netns", space)
    run("ip", "link", "set", outer, "master", BRIDGE, "up")
    for words in (("addr", "add", address + "/24", "dev", inner), ("link", "set", inner, "up")):
        run("ip", "-n", space, *words)
    run("ip", "-n", space, "link", "set", "lo", "up")
    command = ["ip", "netns", "exec", space, "/usr/sbin/sshd", "-D", "-e"]
    command += ["-f", folder + "/sshd_config", "-o", "ListenAddress=" + address]
    with open(f"{folder}/sshd-{number}.log", "w", encoding="utf-8") as log:
        sshd = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    with open(where(folder, name), "w", encoding="utf-8") as file:
        json.dump({"number": number, "space": space, "sshd": sshd.pid}, file)
    return address


def stop_all(space):
    """What was started on the machine ends with it."""
    pids = subprocess.run(["ip", "netns", "pids", space], capture_output=True, text=True)
    for pid in pids.stdout.split():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            pass


def delete(folder, name):
    if not os.path.exists(where(folder, name)):
        return
    with open(where(folder, name), encoding="utf-8") as file:
        machine = json.load(file)
    if os.path.exists("/run/netns/" + machine["space"]):
        stop_all(machine["space"])
        time.sleep(0.1)
        run("ip", "netns", "del", machine["space"])
    os.remove(where(folder, name))
    os.rmdir(os.path.join(folder, f"number-{machine['number']}"))


def main():
    folder, name = os.environ["MACHINES"], os.environ["TOSCA_ENTITY"]
    if os.environ["TOSCA_OPERATION"] == "delete":
        return delete(folder, name)
    delete(folder, name)
    with open(os.environ["TOSCA_OUTPUTS"], "w", encoding="utf-8") as file:
        json.dump({"address": create(folder, name)}, file)


if __name__ == "__main__":
    main()
