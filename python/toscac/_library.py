"""Finds libtoscac and says which types its functions have."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sysconfig
import weakref
from collections.abc import Callable, Iterator
from typing import Optional

NAME = "libtoscac.so.0"


def _candidates() -> Iterator[str]:
    if named := os.environ.get("TOSCAC_LIBRARY"):
        yield named
        return
    # An installation that was moved has it beside; any other has it where the system looks.
    multiarch = sysconfig.get_config_var("MULTIARCH") or "."
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (folder / NAME, folder / "lib" / NAME, folder / "lib" / multiarch / NAME):
            if place.exists():
                yield str(place)
    yield NAME


def _load() -> ctypes.CDLL:
    problem: Optional[OSError] = None
    for candidate in _candidates():
        try:
            return ctypes.CDLL(candidate)
        except OSError as error:
            problem = error
    raise ImportError(f"libtoscac cannot be loaded: {problem}")


# Results and parameters of each function of toscac.h.
_HANDLE = ctypes.c_void_p
_TEXT = ctypes.c_char_p
_SIZE = ctypes.c_size_t
_U32 = ctypes.c_uint32
_INT = ctypes.c_int
_LENGTH = ctypes.POINTER(_SIZE)

_FUNCTIONS = {
    "toscac_version": (_TEXT, []),
    "toscac_options_new": (_HANDLE, []),
    "toscac_options_free": (None, [_HANDLE]),
    "toscac_options_add": (_INT, [_HANDLE, _TEXT, _TEXT]),
    "toscac_check": (_HANDLE, [ctypes.POINTER(_TEXT), _SIZE, _HANDLE]),
    "toscac_compile": (_HANDLE, [_TEXT, _HANDLE]),
    "toscac_read_plan": (_HANDLE, [_TEXT]),
    "toscac_result_free": (None, [_HANDLE]),
    "toscac_result_code": (_INT, [_HANDLE]),
    "toscac_result_failure": (_TEXT, [_HANDLE]),
    "toscac_result_plan": (_HANDLE, [_HANDLE]),
    "toscac_result_diagnostic_count": (_SIZE, [_HANDLE]),
    "toscac_result_diagnostic": (_HANDLE, [_HANDLE, _SIZE]),
    "toscac_diagnostic_severity": (_INT, [_HANDLE]),
    "toscac_diagnostic_name": (_TEXT, [_HANDLE]),
    "toscac_diagnostic_message": (_TEXT, [_HANDLE]),
    "toscac_diagnostic_file": (_TEXT, [_HANDLE]),
    "toscac_diagnostic_line": (_U32, [_HANDLE]),
    "toscac_diagnostic_column": (_U32, [_HANDLE]),
    "toscac_diagnostic_end_line": (_U32, [_HANDLE]),
    "toscac_diagnostic_end_column": (_U32, [_HANDLE]),
    "toscac_diagnostic_note_count": (_SIZE, [_HANDLE]),
    "toscac_diagnostic_note": (_HANDLE, [_HANDLE, _SIZE]),
    "toscac_diagnostic_fix_count": (_SIZE, [_HANDLE]),
    "toscac_diagnostic_fix": (_HANDLE, [_HANDLE, _SIZE]),
    "toscac_fix_text": (_TEXT, [_HANDLE]),
    "toscac_fix_line": (_U32, [_HANDLE]),
    "toscac_fix_column": (_U32, [_HANDLE]),
    "toscac_fix_end_line": (_U32, [_HANDLE]),
    "toscac_fix_end_column": (_U32, [_HANDLE]),
    "toscac_fix_is_safe": (_INT, [_HANDLE]),
    "toscac_plan_json": (_HANDLE, [_HANDLE, _LENGTH]),
    "toscac_plan_service": (_TEXT, [_HANDLE]),
    "toscac_plan_deployment": (_TEXT, [_HANDLE]),
    "toscac_plan_workflow": (_TEXT, [_HANDLE]),
    "toscac_plan_entity_count": (_SIZE, [_HANDLE]),
    "toscac_plan_entity_name": (_TEXT, [_HANDLE, _SIZE]),
    "toscac_plan_step_count": (_SIZE, [_HANDLE]),
    "toscac_plan_step_name": (_TEXT, [_HANDLE, _SIZE]),
    "toscac_plan_step_kind": (_INT, [_HANDLE, _SIZE]),
    "toscac_plan_step_stage": (_U32, [_HANDLE, _SIZE]),
    "toscac_plan_step_entity": (_TEXT, [_HANDLE, _SIZE]),
    "toscac_plan_step_interface": (_TEXT, [_HANDLE, _SIZE]),
    "toscac_plan_step_operation": (_TEXT, [_HANDLE, _SIZE]),
    "toscac_plan_step_after_failure": (_U32, [_HANDLE, _SIZE]),
    "toscac_plan_step_deps": (ctypes.POINTER(_U32), [_HANDLE, _SIZE, _LENGTH]),
}

# Functions of a CDLL let other threads of Python run meanwhile.
library = _load()
for _name, (_result, _arguments) in _FUNCTIONS.items():
    _function = getattr(library, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def text(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "surrogateescape")


class Handle:
    """A handle of the library, freed when nobody holds it any more."""

    def __init__(self, value: int, free: Callable[[int], None]):
        self.value = value
        weakref.finalize(self, free, value)
