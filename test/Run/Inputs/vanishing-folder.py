"""vanishing-folder.py FOLDER COUNT: runs the first COUNT steps of FOLDER/plan.json while
somebody removes the folder for their files whenever it is empty, as the last of several
steps that end does."""

import os
import subprocess
import sys
import threading
import time

folder, count = sys.argv[1], int(sys.argv[2])
is_over = threading.Event()


def remove():
    while not is_over.is_set():
        try:
            os.rmdir(f"{folder}/work")
        except OSError:
            pass
        time.sleep(0.0001)


remover = threading.Thread(target=remove)
remover.start()
try:
    for step in range(count):
        subprocess.run(["tosca-run", "step", folder, str(step)], check=True)
finally:
    is_over.set()
    remover.join()
