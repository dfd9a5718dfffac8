#!/usr/bin/env python3
"""Deploys services to machines, scales, heals and takes them down: run-remote.py BUILD
The machines are network namespaces with an sshd of their own, made by the provider in
Inputs/machine.py. It needs root; what is missing is said, and is no failure."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

INPUTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs")
sys.path.insert(0, INPUTS)

import machine


def missing():
    """Why this cannot run here; empty: it can."""
    if os.getuid() != 0:
        return "it needs root"
    for name in ("ip", "ssh", "ssh-keygen", "ansible-playbook"):
        if not shutil.which(name):
            return f"there is no {name}"
    if not os.path.exists("/usr/sbin/sshd"):
        return "there is no sshd"
    try:
        subprocess.run(["ip", "netns", "add", "tosca-test-1"], check=True, capture_output=True)
        subprocess.run(["ip", "netns", "del", "tosca-test-1"], check=True)
    except subprocess.CalledProcessError:
        return "network namespaces cannot be made"
    return ""


class Site:
    """A folder with the keys of machines and the deployment of one service."""

    def __init__(self, build, folder, service):
        self.bin = os.path.join(os.path.abspath(build), "bin")
        self.folder = folder
        self.service = os.path.join(INPUTS, service)
        self.state = os.path.join(folder, "toscac.db")
        self.environment = dict(
            os.environ,
            MACHINES=folder,
            MACHINES_HOME=folder + "/home",
            ANSIBLE_REMOTE_TEMP=folder + "/ansible",
            HOME=folder,
        )
        self.write_keys()

    def write_keys(self):
        folder = self.folder
        os.makedirs(folder + "/home")
        os.makedirs("/run/sshd", exist_ok=True)
        for name in ("host_key", "key"):
            make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"{folder}/{name}"]
            subprocess.run(make, check=True)
        with open(folder + "/sshd_config", "w", encoding="utf-8") as file:
            file.write(
                f"HostKey {folder}/host_key\nAuthorizedKeysFile {folder}/key.pub\n"
                f"PidFile none\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                f"SetEnv MACHINES_HOME={folder}/home\nSubsystem sftp internal-sftp\n"
            )
        with open(folder + "/ssh_config", "w", encoding="utf-8") as file:
            file.write(
                f"Host *\n  User root\n  IdentityFile {folder}/key\n"
                f"  UserKnownHostsFile {folder}/known_hosts\n  StrictHostKeyChecking no\n"
            )

    def run(self, *words):
        """Plans and runs; more words are those of the workflow."""
        plan = self.folder + "/plan.json"
        compile_it = [self.bin + "/toscac", self.service, "--lifecycle", INPUTS + "/machines.yaml"]
        if os.path.exists(self.state):
            compile_it += ["--state", self.state]
        subprocess.run([*compile_it, *words, "-o", plan], check=True, env=self.environment)
        run_it = [self.bin + "/tosca-run", plan, "--state", self.state, "-j4"]
        run_it += ["--ssh-config", self.folder + "/ssh_config"]
        subprocess.run(run_it, check=True, env=self.environment)

    def attributes(self, name):
        """What instances have of an attribute."""
        show = [self.bin + "/tosca-run", "state", "show", "--state", self.state, "--json"]
        text = subprocess.run(show, check=True, capture_output=True, text=True).stdout
        entities = [json.loads(line) for line in text.splitlines()]
        return {
            entity["name"]: entity["attributes"][name]
            for entity in entities
            if name in entity.get("attributes", {})
        }


def fetch(url):
    for _ in range(50):
        try:
            with urllib.request.urlopen(url, timeout=5) as page:
                return page.read().decode()
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"nobody serves {url}")


def check(truth, what):
    if not truth:
        raise SystemExit(f"wrong: {what}")
    print("as it should be:", what, flush=True)


def check_sites(site, machines, sites):
    urls = site.attributes("url")
    addresses = site.attributes("public_address")
    check(len(addresses) == len(spaces()) == machines, f"there are {machines} machines")
    check(len(set(urls.values())) == sites, f"{sites} sites, each with a place of its own")
    for url in urls.values():
        address = url.split("/")[2].split(":")[0]
        check(address in addresses.values(), f"{url} is on a machine of the service")
        check(fetch(url) == f"hello from {address}\n", f"{url} is served there")
        check(fetch(url.replace("word", "page")) == "a page\n", "with the page brought along")


def spaces():
    lines = subprocess.run(["ip", "netns", "list"], capture_output=True, text=True).stdout
    return [line.split()[0] for line in lines.splitlines() if line.startswith("tosca-test-")]


def try_service(site, sites):
    site.run()
    check_sites(site, 3, sites)
    site.run("--workflow", "scale", "--param", "scalable_entity_name=server")
    check_sites(site, 4, sites + 1)
    # What does not serve any more is replaced, with its machine.
    name, address = sorted(site.attributes("public_address").items())[-1]
    with open(f"{site.folder}/home/{address}/pid", encoding="utf-8") as file:
        os.kill(int(file.read()), signal.SIGKILL)
    site.run("--workflow", "heal", "--param", f"instances={name}")
    check_sites(site, 4, sites + 1)
    site.run("--workflow", "undeploy")
    check(not spaces(), "no machine is left")


def remove_all(folder):
    for space in spaces():
        machine.stop_all(space)
        subprocess.run(["ip", "netns", "del", space])
    subprocess.run(["ip", "link", "del", machine.BRIDGE])
    shutil.rmtree(folder, ignore_errors=True)


def main():
    reason = missing()
    if reason:
        print(f"skipped: {reason}")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    for service, sites in (("scripts.yaml", 1), ("playbooks.yaml", 3)):
        print("==", service, flush=True)
        folder = tempfile.mkdtemp(prefix="tosca-remote-")
        machine.run("ip", "link", "add", machine.BRIDGE, "type", "bridge")
        try:
            machine.run("ip", "addr", "add", machine.NETWORK + "1/24", "dev", machine.BRIDGE)
            machine.run("ip", "link", "set", machine.BRIDGE, "up")
            try_service(Site(sys.argv[1], folder, service), sites)
        finally:
            remove_all(folder)


main()
