"""Has too little memory, and goes on."""

import re
import resource

import toscac


def used():
    with open("/proc/self/status", encoding="utf-8") as file:
        return int(re.search(r"VmSize:\s+(\d+) kB", file.read())[1]) * 1024


toscac.compile("service.yaml", inputs={"count": 1})
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
for more in (1, 3, 10, 30, 100):
    resource.setrlimit(resource.RLIMIT_AS, (used() + (more << 20), hard))
    try:
        print(more, toscac.compile("service.yaml", inputs={"count": 3000000}))
    except toscac.CompileError as error:
        print(error.code, error)
    except MemoryError:
        print("70 out of memory")
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
print(len(toscac.compile("service.yaml", inputs={"count": 1}).entities), "entity")
