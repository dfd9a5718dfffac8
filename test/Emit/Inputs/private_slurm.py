"""A private Slurm on loopback, all of whose files are in one folder."""

import getpass
import glob
import os
import re
import shutil
import socket
import subprocess
import time

NODE = "NodeName={0} NodeHostname={1} NodeAddr=127.0.0.1 Port={2} CPUs=4 RealMemory=500\n"
CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
DependencyParameters=kill_invalid_depend
ReturnToService=2
KillWait=2
SlurmdTimeout=10
SlurmctldTimeout=10
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def start(folder, count, more=""):
    """Starts nodes n1, n2 …, and returns when all are ready. More lines of the configuration
    may be given."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(os.path.join(folder, "state"))
    os.chmod(folder, 0o755)
    os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    host = socket.gethostname().split(".")[0]
    nodes = [f"n{i + 1}" for i in range(count)]
    first, *ports = free_ports(count + 1)
    with open(f"{folder}/slurm.conf", "w") as file:
        for node, port in zip(nodes, ports):
            file.write(NODE.format(node, host, port))
        file.write(CONFIG.format(folder=folder, user=getpass.getuser(), port=first, host=host))
        file.write(more)
    start_munge(folder)
    subprocess.run(["slurmctld"], check=True)
    for node in nodes:
        os.makedirs(f"{folder}/spool.{node}")
        subprocess.run(["slurmd", "-N", node], check=True)
    while ready_nodes() < count:
        if not is_running(f"{folder}/slurmctld.pid"):
            with open(f"{folder}/slurmctld.log") as file:
                raise SystemExit(f"slurmctld has ended: {file.read()[-500:]}")
        time.sleep(0.1)


def is_running(path):
    """Whether the daemon whose number is in the file, or will be, is there."""
    try:
        with open(path) as file:
            return os.path.exists(f"/proc/{int(file.read())}/exe")
    except (FileNotFoundError, ValueError):
        return True


def start_munge(folder):
    key = os.open(f"{folder}/munge.key", os.O_CREAT | os.O_WRONLY, 0o400)
    os.write(key, os.urandom(128))
    os.close(key)
    subprocess.run(
        ["munged", "--force", f"--key-file={folder}/munge.key",
         f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
         f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed"],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def ready_nodes():
    command = ["sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"]
    found = subprocess.run(command, capture_output=True, text=True).stdout
    return len(set(found.split()))


def stop(folder):
    for path in sorted(glob.glob(f"{folder}/*.pid"), key=lambda path: "munged" in path):
        stop_one(path)
    kill_jobs(folder)


def kill_jobs(folder, jobs=None):
    """Kills the processes that watch over these jobs, or over all."""
    for path in glob.glob("/proc/[0-9]*"):
        try:
            with open(f"{path}/environ") as file:
                is_ours = f"SLURM_CONF={folder}/slurm.conf" in file.read().split("\0")
            with open(f"{path}/cmdline") as file:
                watched = re.match(r"slurmstepd: \[(\d+)", file.read())
        except OSError:
            continue
        if is_ours and watched and (jobs is None or watched[1] in jobs):
            os.kill(int(os.path.basename(path)), 9)


def stop_one(path, signal=15):
    """Ends the daemon whose number is in the file."""
    try:
        with open(path) as file:
            process = int(file.read())
        os.kill(process, signal)
        while os.path.exists(f"/proc/{process}/exe"):
            time.sleep(0.05)
    except (FileNotFoundError, ProcessLookupError, ValueError):
        pass
