"""Compiles in several threads at once. One of them waits for input that only another thread
of Python writes: it would wait forever if it kept the others from running."""

import os
import threading

import toscac

reader, writer = os.pipe()
os.dup2(reader, 0)
plans = {}


def compile_with(name, **options):
    plans[name] = toscac.compile("service.yaml", **options).json


waiting = threading.Thread(target=compile_with, args=["waiting"], kwargs={"input_files": ["-"]})
waiting.start()
others = [
    threading.Thread(target=compile_with, args=[i], kwargs={"inputs": {"count": 20}}) for i in range(4)
]
for thread in others:
    thread.start()
for thread in others:
    thread.join()
os.write(writer, b"count: 20\n")
os.close(writer)
waiting.join()
print(len({plans[i] for i in range(4)}), "plan by", len(plans), "threads")
