"""with-sshd.py FOLDER COMMAND...: runs COMMAND while an sshd of ours listens on a free
port of the loopback. FOLDER/ssh_config says how to reach it, by any name of it."""

import getpass
import os
import socket
import subprocess
import sys
import time


def make_key(path):
    if not os.path.exists(path):
        make = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path]
        subprocess.run(make, check=True)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def start(folder, port):
    make_key(folder + "/host_key")
    make_key(folder + "/key")
    write(
        folder + "/sshd_config",
        [
            f"HostKey {folder}/host_key",
            f"AuthorizedKeysFile {folder}/key.pub",
            f"PidFile {folder}/sshd.pid",
            "ListenAddress 127.0.0.1",
            "StrictModes no",
            "UsePAM no",
            "PasswordAuthentication no",
            # Ansible brings its modules by it.
            "Subsystem sftp internal-sftp",
        ],
    )
    write(
        folder + "/ssh_config",
        [
            "Host *",
            f"  Port {port}",
            f"  User {getpass.getuser()}",
            f"  IdentityFile {folder}/key",
            f"  UserKnownHostsFile {folder}/known_hosts",
            "  StrictHostKeyChecking accept-new",
        ],
    )
    if os.getuid() == 0:
        os.makedirs("/run/sshd", mode=0o755, exist_ok=True)
    program = next(
        path for path in ("/usr/sbin/sshd", "/usr/local/sbin/sshd") if os.path.exists(path)
    )
    command = [program, "-D", "-e", "-f", folder + "/sshd_config", "-p", str(port)]
    with open(folder + "/sshd.log", "w", encoding="utf-8") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)


def wait(port):
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit("sshd does not listen")


def main():
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(folder, exist_ok=True)
    port = free_port()
    sshd = start(folder, port)
    try:
        wait(port)
        sys.exit(subprocess.run(sys.argv[2:]).returncode)
    finally:
        sshd.terminate()
        sshd.wait()


main()
