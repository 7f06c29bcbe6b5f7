"""The bare cost of a tick's mathematics: its compiled calls, made again without our Python."""

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import daqp
import numpy as np
import pinocchio as pin
import proxsuite
from numba.core.dispatcher import Dispatcher

from core import compiled
from core.compiled import bind

PINOCCHIO = ("crba", "nonLinearEffects")
PROXQP = ("update", "solve")


def compiled_functions() -> list[tuple[object, str]]:
    """Return where every compiled function that a tick calls is found: owner and name.

    Numba's kernels are those of every module of the core; inside each other they call machine
    code, which nothing here sees or disturbs.
    """
    found: list[tuple[object, str]] = []
    for module_name in sorted(sys.modules):
        if module_name.startswith("core.") and not module_name.startswith("core.lab"):
            module = sys.modules[module_name]
            kernels = (n for n, value in vars(module).items() if isinstance(value, Dispatcher))
            found += [(module, name) for name in sorted(kernels)]
    found += [(pin, name) for name in PINOCCHIO]
    found += [(proxsuite.proxqp.dense.QP, name) for name in PROXQP]
    return [*found, (daqp, "solve")]


def binders() -> list[tuple[object, str]]:
    """Return where every module that binds kernels to arrays finds `bind`: owner and name."""
    own = (compiled.__name__, __name__)
    names = [name for name in sorted(sys.modules) if name.startswith("core.") and name not in own]
    modules = [sys.modules[name] for name in names]
    return [(module, "bind") for module in modules if vars(module).get("bind") is bind]


def copy_of(array: Any) -> Any:
    """Return a copy that a kernel takes for the same type: layout and write protection kept."""
    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        return array  # a copy would be contiguous, and another type
    twin = array.copy(order="K")
    twin.flags.writeable = array.flags.writeable
    return twin


class CompiledCalls:
    """Notes the compiled calls of a tick with copies of their inputs, and makes them again.

    The copies keep the robot's state out of it, and give each call the very input it had. A
    repetition of Pinocchio's calls works on data of its own; one of ProxQP's on the solver
    itself, which stays where it is.

    Attributes:
        names: of the calls of the last tick, in their order.
    """

    def __init__(self) -> None:
        self.names: list[str] = []
        self._calls: list[tuple[Callable[..., Any], list[Any]]] = []
        self._data: dict[int, tuple[Any, Any]] = {}
        self._notes = False

    def binding(self) -> Sequence[tuple[object, str, object]]:
        """Return what to put in whose place while a performer is built, for `patched`.

        Its bound kernels are then noted in the ticks that begin with `listen`.
        """
        return [(owner, name, self._bind) for owner, name in binders()]

    def _bind(self, kernel: Callable[..., Any], *arrays: Any) -> Callable[..., Any]:
        bound: Any = bind(kernel, *arrays)
        name = kernel.__name__

        def call(*numbers: Any) -> Any:
            if self._notes:
                self._note(bound.func, name, (*arrays, *numbers))
            return bound(*numbers)

        return call

    def listen(self, notes: bool) -> None:
        """Begin or end to note the bound kernels."""
        self._notes = notes

    def around(self) -> Sequence[tuple[object, str, object]]:
        """Return what to put in whose place, for `patched`."""
        return [
            (owner, name, self._noted(getattr(owner, name), name))
            for owner, name in compiled_functions()
        ]

    def _noted(self, function: Callable[..., Any], name: str) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            self._note(function, name, arguments)
            return function(*arguments)

        return call

    def _note(self, function: Callable[..., Any], name: str, arguments: Sequence[Any]) -> None:
        kept: list[Any] = []
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                kept.append(copy_of(argument))
            elif isinstance(argument, pin.Data):
                kept.append(self._data_for(argument, arguments[0]))
            else:
                kept.append(argument)
        self._calls.append((function, kept))
        self.names.append(name)

    def _data_for(self, data: Any, model: Any) -> Any:
        """Return the data that repetitions use instead; the original is held for its identity."""
        if id(data) not in self._data:
            self._data[id(data)] = (data, model.createData())
        return self._data[id(data)][1]

    def forget(self) -> None:
        """Begin a new tick."""
        self._calls.clear()
        self.names.clear()

    def repeat(self) -> int:
        """Make the calls of the last tick again, one after the other; return their time [ns]."""
        calls = self._calls
        start_ns = time.thread_time_ns()
        for function, arguments in calls:
            function(*arguments)
        return time.thread_time_ns() - start_ns
