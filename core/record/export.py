"""A run as arrays for analysis."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from core.record.errors import RecordError
from core.record.reader import Recording, read
from core.record.schema import fields
from shows.human import BONES


def arrays(recording: Recording) -> dict[str, npt.NDArray[Any]]:
    """Return every array of the record in SI units, one row a tick.

    Events have one row each, and so have the postures of a person, in a run that has any.
    """
    found: dict[str, npt.NDArray[Any]] = {"joint_names": np.array(recording.hello.joint_names)}
    known = set(recording.names)
    for field in fields(True):
        if field.name in known:
            found[field.name] = recording.column(field.name)
    found["event_t"] = np.array(recording.event_t, dtype=np.float64)
    found["event_text"] = np.array(recording.event_text, dtype=np.str_)
    if recording.humans:
        found["human_t"] = np.array([human.stamp_s for human in recording.humans])
        found["human_position"] = np.array([human.positions for human in recording.humans])
        found["human_bone_names"] = np.array(BONES, dtype=np.str_)
    hello = recording.hello
    for name, names in (
        ("group_names", hello.group_names),
        ("mode_names", hello.mode_names),
        ("motion_state_names", hello.motion_state_names),
        ("qp_status_names", hello.qp_status_names),
    ):
        found[name] = np.array(names, dtype=np.str_)
    found["stall_torque"] = np.array(hello.stall_torque, dtype=np.float64)
    return found


def export(source: Path, target: Path) -> Recording:
    """Write a run as NPZ, completely or not at all, and return the recording.

    Raises:
        RecordError: the run cannot be read, or the target cannot be written.
    """
    recording = read(source)
    part = target.with_name(f".{target.name}.part")
    try:
        with part.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays(recording))
        os.replace(part, target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise RecordError(f"{target} cannot be written: {error.strerror}", str(target)) from error
    return recording
