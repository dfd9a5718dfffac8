"""The compiler toscac, for Python: checks templates, compiles them, reads plans.

    >>> import toscac
    >>> plan = toscac.compile("service.yaml", inputs={"sites": 3})
    >>> [step.name for step in plan.steps if step.kind == "call"]

It runs inside this process, by libtoscac. While it compiles, other threads go on."""

from __future__ import annotations

import ctypes
import functools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Optional, Union, overload

from ._library import Handle, library, text

__all__ = ["CompileError", "Diagnostic", "Fix", "Plan", "Step", "check", "compile", "read_plan"]
__version__: str = text(library.toscac_version()) or ""

Path = Union[str, "os.PathLike[str]"]
Severity = Literal["note", "warning", "error"]
Kind = Literal["call", "set", "join"]
_SEVERITIES: tuple[Severity, ...] = ("note", "warning", "error")
_KINDS: tuple[Kind, ...] = ("call", "set", "join")
_NONE = 0xFFFFFFFF


@dataclass(frozen=True)
class Fix:
    """Replace what stands from line and column to the end by a text."""

    text: str
    line: int
    column: int
    end_line: int
    end_column: int
    is_safe: bool


@dataclass(frozen=True)
class Diagnostic:
    """An error or a warning, with its notes; lines and columns count from 1."""

    severity: Severity
    name: Optional[str]
    message: str
    file: Optional[str]
    line: int
    column: int
    end_line: int
    end_column: int
    notes: tuple[Diagnostic, ...]
    fixes: tuple[Fix, ...]

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        name = f" [{self.name}]" if self.name else ""
        return f"{place}{self.severity}: {self.message}{name}"


class CompileError(Exception):
    """There is no plan. `code` is what toscac exits with: 1 the input is not valid, 2 it cannot
    be planned, 3 a file cannot be read, 64 an option is wrong, 70 the compiler failed."""

    def __init__(self, code: int, diagnostics: Sequence[Diagnostic], failure: Optional[str]):
        self.code = code
        self.diagnostics = tuple(diagnostics)
        errors = [str(item) for item in diagnostics if item.severity == "error"]
        super().__init__("\n".join([failure] if failure else errors) or "there is no plan")


@dataclass(frozen=True)
class Step:
    """One thing a plan does. `deps` are the ids of those it waits for; a failure step has in
    `after_failure` the one whose failure starts it."""

    id: int
    name: str
    kind: Kind
    stage: int
    deps: tuple[int, ...]
    entity: Optional[str]
    interface: Optional[str]
    operation: Optional[str]
    after_failure: Optional[int]


class Steps(Sequence[Step]):
    """The steps of a plan, each made when it is asked for."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._count: int = library.toscac_plan_step_count(plan._handle)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Step]: ...
    def __getitem__(self, index: Union[int, slice]) -> Union[Step, Sequence[Step]]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError("there is no such step")
        plan = self._plan._handle
        count = ctypes.c_size_t()
        deps = library.toscac_plan_step_deps(plan, index, ctypes.byref(count))
        failed = library.toscac_plan_step_after_failure(plan, index)
        return Step(
            id=index,
            name=text(library.toscac_plan_step_name(plan, index)) or "",
            kind=_KINDS[library.toscac_plan_step_kind(plan, index)],
            stage=library.toscac_plan_step_stage(plan, index),
            deps=tuple(deps[i] for i in range(count.value)),
            entity=text(library.toscac_plan_step_entity(plan, index)),
            interface=text(library.toscac_plan_step_interface(plan, index)),
            operation=text(library.toscac_plan_step_operation(plan, index)),
            after_failure=None if failed == _NONE else failed,
        )

    def __repr__(self) -> str:
        return f"<{self._count} steps>"


class Plan:
    """What a workflow takes, step by step; `diagnostics` are warnings about it."""

    def __init__(self, result: Handle, diagnostics: Sequence[Diagnostic]):
        self._result = result
        self._handle: int = library.toscac_result_plan(result.value)
        self.diagnostics = tuple(diagnostics)

    @property
    def service(self) -> str:
        return text(library.toscac_plan_service(self._handle)) or ""

    @property
    def deployment(self) -> str:
        return text(library.toscac_plan_deployment(self._handle)) or ""

    @property
    def workflow(self) -> str:
        return text(library.toscac_plan_workflow(self._handle)) or ""

    @functools.cached_property
    def steps(self) -> Steps:
        return Steps(self)

    @functools.cached_property
    def entities(self) -> tuple[str, ...]:
        count = library.toscac_plan_entity_count(self._handle)
        names = (library.toscac_plan_entity_name(self._handle, i) for i in range(count))
        return tuple(text(name) or "" for name in names)

    @property
    def json(self) -> str:
        """The plan as plan.json has it."""
        length = ctypes.c_size_t()
        start = library.toscac_plan_json(self._handle, ctypes.byref(length))
        return ctypes.string_at(start, length.value).decode("utf-8")

    @functools.cached_property
    def data(self) -> dict[str, Any]:
        """The plan as Python's objects; docs/PlanFormat.md says what is in it."""
        data: dict[str, Any] = json.loads(self.json)
        return data

    def __repr__(self) -> str:
        return f"<plan: {self.workflow} of {self.deployment}, {len(self.steps)} steps>"


def _diagnostic(handle: int) -> Diagnostic:
    def fixes() -> Iterator[Fix]:
        for i in range(library.toscac_diagnostic_fix_count(handle)):
            fix = library.toscac_diagnostic_fix(handle, i)
            yield Fix(
                text=text(library.toscac_fix_text(fix)) or "",
                line=library.toscac_fix_line(fix),
                column=library.toscac_fix_column(fix),
                end_line=library.toscac_fix_end_line(fix),
                end_column=library.toscac_fix_end_column(fix),
                is_safe=bool(library.toscac_fix_is_safe(fix)),
            )

    notes = range(library.toscac_diagnostic_note_count(handle))
    return Diagnostic(
        severity=_SEVERITIES[library.toscac_diagnostic_severity(handle)],
        name=text(library.toscac_diagnostic_name(handle)),
        message=text(library.toscac_diagnostic_message(handle)) or "",
        file=text(library.toscac_diagnostic_file(handle)),
        line=library.toscac_diagnostic_line(handle),
        column=library.toscac_diagnostic_column(handle),
        end_line=library.toscac_diagnostic_end_line(handle),
        end_column=library.toscac_diagnostic_end_column(handle),
        notes=tuple(_diagnostic(library.toscac_diagnostic_note(handle, i)) for i in notes),
        fixes=tuple(fixes()),
    )


def _diagnostics(result: Handle) -> list[Diagnostic]:
    count = library.toscac_result_diagnostic_count(result.value)
    return [_diagnostic(library.toscac_result_diagnostic(result.value, i)) for i in range(count)]


def _plan(value: int) -> Plan:
    if not value:
        raise MemoryError
    result = Handle(value, library.toscac_result_free)
    diagnostics = _diagnostics(result)
    if not library.toscac_result_plan(value):
        code = library.toscac_result_code(value)
        raise CompileError(code, diagnostics, text(library.toscac_result_failure(value)))
    return Plan(result, diagnostics)


class _Options(Handle):
    """Options by their names on the command line."""

    def __init__(self) -> None:
        value = library.toscac_options_new()
        if not value:
            raise MemoryError
        super().__init__(value, library.toscac_options_free)

    def add(self, name: str, value: Optional[str]) -> None:
        encoded = None if value is None else os.fsencode(value)
        if not library.toscac_options_add(self.value, name.encode(), encoded):
            raise ValueError(f"there is no option {name} {value or ''}".rstrip())

    def add_all(self, name: str, values: Iterable[Path]) -> None:
        for value in values:
            self.add(name, os.fspath(value))

    def add_pairs(self, name: str, values: Mapping[str, Any]) -> None:
        for key, value in values.items():
            written = value if isinstance(value, str) else json.dumps(value)
            self.add(name, f"{key}={written}")

    def add_more(self, more: Mapping[str, Any]) -> None:
        """`ops_file=[…]` is --ops-file, once for each."""
        for key, value in more.items():
            name = "--" + key.replace("_", "-")
            if isinstance(value, bool):
                if value:
                    self.add(name, None)
            elif isinstance(value, (str, os.PathLike)):
                self.add(name, os.fspath(value))
            else:
                self.add_all(name, value)


def check(
    *files: Path, search_paths: Iterable[Path] = (), warnings: Iterable[str] = (), **more: Any
) -> list[Diagnostic]:
    """What is wrong with files, and all files below folders; `warnings` are flags of -W."""
    options = _Options()
    options.add_all("-I", search_paths)
    options.add_all("-W", warnings)
    options.add_more(more)
    names = (ctypes.c_char_p * len(files))(*(os.fsencode(file) for file in files))
    value = library.toscac_check(names, len(files), options.value)
    if not value:
        raise MemoryError
    result = Handle(value, library.toscac_result_free)
    code = library.toscac_result_code(value)
    diagnostics = _diagnostics(result)
    if code >= 64:
        raise CompileError(code, diagnostics, text(library.toscac_result_failure(value)))
    return diagnostics


def compile(
    file: Path,
    *,
    inputs: Optional[Mapping[str, Any]] = None,
    input_files: Iterable[Path] = (),
    workflow: Optional[str] = None,
    params: Optional[Mapping[str, Any]] = None,
    state: Optional[Path] = None,
    search_paths: Iterable[Path] = (),
    warnings: Iterable[str] = (),
    **more: Any,
) -> Plan:
    """The plan of a service template; CompileError if there is none. Other options are those of
    the command line: `deployment="test"`, `verify=True`, `take_down=True`, `profile=["a=b"]`."""
    options = _Options()
    options.add_all("--inputs", input_files)
    options.add_pairs("--input", inputs or {})
    options.add_pairs("--param", params or {})
    options.add_all("-I", search_paths)
    options.add_all("-W", warnings)
    if workflow is not None:
        options.add("--workflow", workflow)
    if state is not None:
        options.add("--state", os.fspath(state))
    options.add_more(more)
    return _plan(library.toscac_compile(os.fsencode(file), options.value))


def read_plan(file: Path) -> Plan:
    """A plan that was written to a file; CompileError if it is none."""
    return _plan(library.toscac_read_plan(os.fsencode(file)))
