#!/usr/bin/env python3
"""make-seeds.py FOLDER: seed inputs for the fuzz targets.

FOLDER/yaml gets the YAML files of the tests and examples (also the parts of
files made for split-file and --split-input-file), FOLDER/csar small archives
with such files in them, FOLDER/edit such files with what an editor may send.
"""

import gzip
import hashlib
import io
import pathlib
import random
import re
import sys
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
META = "CSAR-Version: 2.0\nEntry-Definitions: a.yaml\nOther-Definitions: b.yaml\n"
DIGEST = "\nName: b.yaml\nAlgorithm: SHA-256\nHash: " + "0" * 64 + "\n"
MAX_SEED = 65536
NUM_ARCHIVED = 20


def yaml_texts():
    for folder in ("test", "examples", "profiles"):
        for path in sorted((ROOT / folder).rglob("*.yaml")):
            text = path.read_bytes()
            for part in re.split(rb"(?m)^(?:# -----|#--- .*)$\n?", text):
                if 0 < len(part) <= MAX_SEED:
                    yield part


def make_zip(files, compression):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", compression) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return output.getvalue()


def make_tar(files):
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return output.getvalue()


def archives(texts):
    for text in texts:
        plain = {"a.yaml": text}
        described = {"TOSCA.meta": META.encode(), "a.yaml": text, "b.yaml": b"b: 1\n"}
        verified = dict(described)
        verified["TOSCA-Metadata/TOSCA.meta"] = (META + DIGEST).encode()
        del verified["TOSCA.meta"]
        for files in (plain, described, verified):
            yield make_zip(files, zipfile.ZIP_STORED)
            yield make_zip(files, zipfile.ZIP_DEFLATED)
            yield make_tar(files)
            yield gzip.compress(make_tar(files), mtime=0)


def sessions(texts):
    """As fuzz-edit reads them: a text, then questions and changes at random places."""
    rand = random.Random(1)
    for text in texts:
        lines = text.split(b"\n")
        messages = bytearray()
        for _ in range(12):
            line = rand.randrange(min(len(lines), 256))
            column = rand.randrange(min(len(lines[line]) + 1, 256))
            added = rand.choice([b"", b"x", b"\n", b": ", b"[", b"- "])
            kind = rand.randrange(256)
            messages += bytes([kind, line, column, len(added) if kind >= 128 else 0])
            messages += added if kind >= 128 else b""
        yield text + b"\0" + bytes(messages)


def write_all(folder, seeds):
    folder.mkdir(parents=True, exist_ok=True)
    for seed in seeds:
        (folder / hashlib.sha1(seed).hexdigest()).write_bytes(seed)


def main():
    folder = pathlib.Path(sys.argv[1])
    texts = list(yaml_texts()) or [b"a: [b, {c: d}]\n"]
    write_all(folder / "yaml", texts)
    write_all(folder / "edit", sessions(texts))
    write_all(folder / "csar", archives(sorted(texts, key=len)[:NUM_ARCHIVED]))


main()
