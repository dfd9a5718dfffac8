#!/usr/bin/env python3
"""Makes an archive for a test, also such as no honest tool would make.

make-csar.py OUTPUT FORMAT ENTRY... [--patch OLD=NEW]... [--drop N]

FORMAT   zip, stored (a zip without compression), tar, gnu (a GNU tarball),
         tar.gz, tar.bz2 or tar.xz
ENTRY    NAME=TEXT       a file; TEXT and NAME may have escapes such as \\n
         NAME=@PATH      a file with the bytes of PATH
         NAME=zeros:N    a file of N zero bytes
         NAME=sized:N    an empty file whose header states N bytes
         NAME=many:N     N empty files NAME0, NAME1, ...
         NAME/           a folder
         NAME->TARGET    a symbolic link
         NAME=>TARGET    a hard link (tarballs)
         NAME|           a pipe
--patch  replaces bytes of the finished archive
--drop   cuts off its last N bytes
"""

import argparse
import bz2
import gzip
import io
import lzma
import re
import stat
import sys
import tarfile
import zipfile

KINDS = {tarfile.SYMTYPE: stat.S_IFLNK, tarfile.FIFOTYPE: stat.S_IFIFO}


def unescape(text):
    """`\\n` and `\\xff` as in Python; an escape above 7f is a single byte."""
    return text.encode().decode("unicode_escape").encode("latin-1")


class Entry:
    def __init__(self, name, data=b"", kind=tarfile.REGTYPE, target="", size=None):
        self.name, self.data, self.kind, self.target = name, data, kind, target
        self.size = len(data) if size is None else size


def parse_entry(text):
    link = re.match(r"(.*?)(->|=>)(.*)", text)
    if link:
        kind = tarfile.SYMTYPE if link[2] == "->" else tarfile.LNKTYPE
        return [Entry(link[1], kind=kind, target=link[3])]
    if text.endswith("/"):
        return [Entry(text, kind=tarfile.DIRTYPE)]
    if text.endswith("|"):
        return [Entry(text[:-1], kind=tarfile.FIFOTYPE)]
    name, _, value = text.partition("=")
    name = unescape(name).decode("utf-8", "surrogateescape")
    if value.startswith("@"):
        with open(value[1:], "rb") as file:
            return [Entry(name, file.read())]
    special = re.fullmatch(r"(zeros|sized|many):(\d+)", value)
    if not special:
        return [Entry(name, unescape(value))]
    number = int(special[2])
    if special[1] == "zeros":
        return [Entry(name, bytes(number))]
    if special[1] == "sized":
        return [Entry(name, size=number)]
    return [Entry(f"{name}{i}") for i in range(number)]


def add_to_zip(archive, entry):
    info = zipfile.ZipInfo("x")
    info.filename = entry.name  # the constructor would cut it at a NUL byte
    info.compress_type = archive.compression
    info.create_system = 3
    mode = KINDS.get(entry.kind, stat.S_IFREG)
    info.external_attr = (mode | 0o644) << 16
    archive.writestr(info, entry.target.encode() or entry.data)
    info.file_size = max(info.file_size, entry.size)


def make_zip(entries, compression):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", compression) as archive:
        for entry in entries:
            add_to_zip(archive, entry)
    return output.getvalue()


def make_tar(entries, tar_format):
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tar_format) as archive:
        for entry in entries:
            info = tarfile.TarInfo(entry.name)
            info.type, info.linkname, info.size = entry.kind, entry.target, entry.size
            if entry.size == len(entry.data):
                archive.addfile(info, io.BytesIO(entry.data))
            else:
                archive.addfile(info)
    return output.getvalue()


def make_archive(kind, entries):
    if kind in ("zip", "stored"):
        compression = zipfile.ZIP_DEFLATED if kind == "zip" else zipfile.ZIP_STORED
        return make_zip(entries, compression)
    tarball = make_tar(
        entries, tarfile.GNU_FORMAT if kind == "gnu" else tarfile.USTAR_FORMAT
    )
    compress = {
        "tar.gz": lambda data: gzip.compress(data, mtime=0),
        "tar.bz2": bz2.compress,
        "tar.xz": lambda data: lzma.compress(data, preset=0),
    }
    return compress.get(kind, bytes)(tarball)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("output")
    parser.add_argument("format")
    parser.add_argument("entries", nargs="*")
    parser.add_argument("--patch", action="append", default=[])
    parser.add_argument("--drop", type=int, default=0)
    arguments = parser.parse_args()
    entries = [e for text in arguments.entries for e in parse_entry(text)]
    data = make_archive(arguments.format, entries)
    for patch in arguments.patch:
        old, _, new = patch.partition("=")
        if unescape(old) not in data:
            sys.exit(f"nothing to patch: {old}")
        data = data.replace(unescape(old), unescape(new))
    with open(arguments.output, "wb") as file:
        file.write(data[: len(data) - arguments.drop])


main()
