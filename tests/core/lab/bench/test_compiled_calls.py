"""A tick's compiled calls are all found, and made again without a trace."""

import inspect
import re

import numpy as np
import pinocchio as pin
import pytest

from core.lab.bench.benchmark import patched
from core.lab.bench.compiled_calls import PINOCCHIO, CompiledCalls, compiled_functions, copy_of
from core.plants import limits
from core.plants.biped.model import RobotModel
from core.plants.biped.sense.estimator import StateEstimator
from core.robot.state import State
from tests.core.rig import profile


def test_every_call_into_pinocchio_of_a_tick_is_known() -> None:
    source = inspect.getsource(RobotModel.update) + inspect.getsource(StateEstimator.update)
    assert set(re.findall(r"pin\.(\w+)\(", source)) == set(PINOCCHIO)


def test_kernels_are_found_where_the_core_has_them() -> None:
    found = {name for _, name in compiled_functions()}
    assert {"add_rows", "read_solution", "solve_legs", "clip_command", "predict_mean"} <= found
    assert "patched" not in found


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_copy_is_of_the_same_type_to_a_kernel(order: str) -> None:
    array = np.array([[1.0, 2.0], [3.0, 4.0]], order=order)  # type: ignore[call-overload]
    array.flags.writeable = False
    twin = copy_of(array)
    assert twin is not array and (twin == array).all()
    assert twin.flags.f_contiguous is array.flags.f_contiguous
    assert not twin.flags.writeable
    strided = np.zeros((4, 4))[:, 1]
    assert copy_of(strided) is strided


def test_making_the_calls_again_changes_nothing() -> None:
    calls, original = CompiledCalls(), pin.crba
    with patched(calls.binding()):
        model, state = RobotModel(profile()), State.upright(len(profile().joint_names))
        model.update(state)
    assert not calls.names
    calls.listen(True)
    with patched(calls.around()):
        state.q[:] += 0.01
        model.update(state)
    calls.listen(False)
    assert pin.crba is original
    assert calls.names.count("crba") == 1 and calls.names.count("write_frames") == 1
    mass, soles = model.mass_matrix.copy(), model.soles.copy()
    state.q[:] += 0.1
    model.update(state)
    after = model.mass_matrix.copy()
    assert not np.array_equal(after, mass)
    assert calls.repeat() > 0
    assert np.array_equal(model.mass_matrix, after)
    assert not np.array_equal(model.soles, soles)
    calls.forget()
    assert not calls.names


def test_a_kernel_that_writes_into_its_input_starts_from_the_same_input() -> None:
    calls = CompiledCalls()
    arrays = [np.full(2, value) for value in (9.0, 0.0, 0.0, 1.0, 1.0)]
    bounds = np.array([np.full(2, value) for value in (-1.0, 1.0, 1.0, 1.0, 1.0, 1.0)])
    with patched(calls.around()):
        q, dq, tau, kp, kd = arrays
        limits.clip_command(q, dq, tau, kp, kd, bounds)
    assert arrays[0].tolist() == [1.0, 1.0]
    ((_, kept),) = calls._calls
    assert kept[0].tolist() == [9.0, 9.0]
    calls.repeat()
    assert arrays[0].tolist() == [1.0, 1.0]
