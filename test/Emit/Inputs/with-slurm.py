"""with-slurm.py FOLDER COMMAND...: runs the command with a private Slurm of two nodes on
loopback, all of whose files are in FOLDER, and stops it again."""

import getpass
import os
import shutil
import socket
import subprocess
import sys
import time

CONFIG = """\
ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
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
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=4 RealMemory=500
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=4 RealMemory=500
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def start(folder):
    os.makedirs(os.path.join(folder, "state"))
    os.chmod(folder, 0o755)
    with open(f"{folder}/slurm.conf", "w") as file:
        file.write(CONFIG.format(folder=folder, user=getpass.getuser(), ports=free_ports(3),
                                 host=socket.gethostname().split(".")[0]))  # fmt: skip
    with open(f"{folder}/munge.key", "wb", opener=lambda p, f: os.open(p, f, 0o400)) as file:
        file.write(os.urandom(128))
    subprocess.run(
        ["munged", "--force", f"--key-file={folder}/munge.key",
         f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
         f"--log-file={folder}/munged.log", f"--seed-file={folder}/munge.seed"],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    subprocess.run(["slurmctld"], check=True)
    for node in ("n1", "n2"):
        os.makedirs(f"{folder}/spool.{node}")
        subprocess.run(["slurmd", "-N", node], check=True)
    while ready_nodes() < 2:
        time.sleep(0.1)


def ready_nodes():
    command = ["sinfo", "--noheader", "--Node", "--states=idle", "--format=%N"]
    found = subprocess.run(command, capture_output=True, text=True).stdout
    return len(set(found.split()))


def stop(folder):
    for name in ("slurmd.n1", "slurmd.n2", "slurmctld", "munged"):
        try:
            with open(f"{folder}/{name}.pid") as file:
                process = int(file.read())
            os.kill(process, 15)
            while os.path.exists(f"/proc/{process}/exe"):
                time.sleep(0.05)
        except (FileNotFoundError, ProcessLookupError, ValueError):
            pass


folder, command = os.path.abspath(sys.argv[1]), sys.argv[2:]
shutil.rmtree(folder, ignore_errors=True)
os.environ["SLURM_CONF"] = f"{folder}/slurm.conf"
os.environ["PATH"] += ":/usr/sbin:/sbin"
try:
    start(folder)
    code = subprocess.run(command).returncode
finally:
    stop(folder)
sys.exit(code)
