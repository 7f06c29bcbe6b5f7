"""One tick of a run as a structured array, and its description in a log.

All arrays are in SI units, and in the world frame unless stated otherwise. Rows are
little-endian C structs with natural alignment; the JSON description gives every offset.
"""

import json
import zlib
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np

from core.link.hello import Hello
from core.record.errors import RecordError

SCHEMA_NAME = "footlight.TickBatch"
SCHEMA_ENCODING = "footlight.dtype+json"
SCHEMA_VERSION = 1

Extent: TypeAlias = Literal["joints", "limbs", "feet", "points"] | int

_KINDS = {"f8": "<f8", "f4": "<f4", "u1": "u1", "u2": "<u2"}


@dataclass(frozen=True, slots=True)
class Field:
    """One array of the record.

    Attributes:
        name: name in the log and in the export.
        kind: element type, as in `f4`.
        shape: shape of one row; named extents depend on the robot.
        unit: SI unit of an element, or `enum`.
        meaning: description of the array.
    """

    name: str
    kind: str
    shape: tuple[Extent, ...]
    unit: str
    meaning: str


FIELDS = (
    Field("t", "f8", (), "s", "time on the core's clock since the start of the record"),
    Field("q", "f4", ("joints",), "rad", "measured joint positions"),
    Field("dq", "f4", ("joints",), "rad/s", "measured joint velocities"),
    Field("q_command", "f4", ("joints",), "rad", "commanded joint positions"),
    Field("tau_command", "f4", ("joints",), "N.m", "commanded joint torque, PD law included"),
    Field("tau_applied", "f4", ("joints",), "N.m", "torque after the actuator's limits"),
    Field("base_position_est", "f4", (3,), "m", "estimated torso position"),
    Field("base_velocity_est", "f4", (3,), "m/s", "estimated torso velocity"),
    Field("rpy_est", "f4", (3,), "rad", "estimated torso roll, pitch, yaw"),
    Field("contact_est", "f4", ("feet",), "1", "estimated contact of each foot, 0 to 1"),
    Field("mode", "u1", (), "enum", "mode of the robot"),
    Field("motion_state", "u1", ("limbs",), "enum", "motion state of each limb"),
    Field("velocity_command", "f4", (3,), "m/s m/s rad/s", "vx, vy, yaw rate in heading frame"),
    Field("tick_cpu_us", "f4", (), "us", "processor time of the tick"),
    Field("qp_status", "u1", (), "enum", "how the whole-body QP ended"),
    Field("qp_iterations", "u2", (), "1", "iterations of the whole-body QP"),
)

LATER_FIELDS = (  # arrays that records of the first releases do not have
    Field("qp_time_us", "f4", (), "us", "wall time of the whole-body QP"),
    Field("winding_c", "f4", ("joints",), "degC", "winding temperatures"),
    Field("com_est", "f4", (3,), "m", "estimated centre of mass"),
    Field("com_velocity_est", "f4", (3,), "m/s", "estimated velocity of the centre of mass"),
    Field("capture_point_est", "f4", (2,), "m", "estimated capture point, x and y"),
    Field("sole_position_est", "f4", ("feet", 3), "m", "estimated origin of each sole"),
    Field("sole_yaw_est", "f4", ("feet",), "rad", "estimated heading of each sole"),
    Field("contact_force_plan", "f4", ("feet", "points", 3), "N", "planned contact forces"),
    Field(
        "deviation_est",
        "f4",
        (9,),
        "rad rad rad m/s m/s m/s m m m",
        "standard deviations of the estimated orientation, velocity and position",
    ),
)

TRUTH_FIELDS = (
    Field("q_true", "f4", ("joints",), "rad", "true joint positions"),
    Field("dq_true", "f4", ("joints",), "rad/s", "true joint velocities"),
    Field("base_position_true", "f4", (3,), "m", "true torso position"),
    Field("base_velocity_true", "f4", (3,), "m/s", "true torso velocity"),
    Field("rpy_true", "f4", (3,), "rad", "true torso roll, pitch, yaw"),
    Field("com_true", "f4", (3,), "m", "true centre of mass"),
    Field("com_velocity_true", "f4", (3,), "m/s", "true velocity of the centre of mass"),
    Field("contact_true", "f4", ("feet",), "1", "each foot truly touches, 0 or 1"),
    Field("contact_force_true", "f4", ("feet", "points", 3), "N", "force on each contact point"),
    Field("external_force", "f4", (3,), "N", "sum of the pushes on the robot"),
)


def fields(simulated: bool) -> tuple[Field, ...]:
    """Return the arrays of a run, with the true state of a simulation."""
    return FIELDS + LATER_FIELDS + (TRUTH_FIELDS if simulated else ())


def tick_dtype(
    joint_count: int, limb_count: int, simulated: bool, feet: int = 2, points: int = 2
) -> np.dtype[np.void]:
    """Return the structured dtype of one tick, aligned for fast access.

    Args:
        joint_count: number of joints.
        limb_count: number of limbs that behaviour moves.
        simulated: the true state is known.
        feet: number of feet.
        points: contact points of each foot.
    """
    extents = {"joints": joint_count, "limbs": limb_count, "feet": feet, "points": points}

    def shape(field: Field) -> tuple[int, ...]:
        return tuple(extents[e] if isinstance(e, str) else e for e in field.shape)

    # Wide elements first: padding only at the end.
    ordered = sorted(fields(simulated), key=lambda f: -np.dtype(_KINDS[f.kind]).itemsize)
    return np.dtype([(f.name, _KINDS[f.kind], shape(f)) for f in ordered], align=True)


def dtype_of(hello: Hello) -> np.dtype[np.void]:
    """Return the dtype of a core's ticks."""
    points = hello.feet[0].points if hello.feet else 0
    counts = (len(hello.joint_names), len(hello.group_names), hello.simulated, len(hello.feet))
    return tick_dtype(*counts, points)


def is_readable(dtype: np.dtype[np.void], hello: Hello) -> bool:
    """Tell whether a file's ticks have all first arrays, and only arrays known here."""
    known, found = dtype_of(hello), dtype.names or ()
    needed = {field.name for field in FIELDS}
    return needed <= set(found) and all(
        name in (known.names or ()) and dtype[name] == known[name] for name in found
    )


def describe(dtype: np.dtype[np.void]) -> bytes:
    """Return the JSON description of a tick's dtype, from which a reader decodes a block."""
    known = {field.name: field for field in fields(True)}
    layout = dtype.fields
    if layout is None:
        raise RecordError("a tick's dtype must have fields")
    rows: list[dict[str, Any]] = []
    for name, (subtype, offset, *_) in layout.items():
        rows.append(
            {
                "name": name,
                "offset": offset,
                "type": subtype.base.str,
                "shape": list(subtype.shape),
                "unit": known[name].unit,
                "meaning": known[name].meaning,
            }
        )
    document = {
        "title": SCHEMA_NAME,
        "version": SCHEMA_VERSION,
        "layout": "a 32-byte header (see core/record/tape.py), then packed rows",
        "itemsize": dtype.itemsize,
        "fields": rows,
    }
    return json.dumps(document, separators=(",", ":")).encode()


def parse_description(text: bytes) -> np.dtype[np.void]:
    """Return the dtype of a JSON description.

    Raises:
        RecordError: the description is invalid or has another version.
    """
    try:
        document = json.loads(text)
        if document["version"] != SCHEMA_VERSION:
            raise RecordError(
                f"the log's tick schema has version {document['version']}, "
                f"this program reads version {SCHEMA_VERSION}"
            )
        rows = document["fields"]
        itemsize = int(document["itemsize"])
        spec = {
            "names": [str(row["name"]) for row in rows],
            "formats": [
                (_checked_type(row["type"]), tuple(int(n) for n in row["shape"])) for row in rows
            ],
            "offsets": [int(row["offset"]) for row in rows],
            "itemsize": itemsize,
        }
        if not 0 < itemsize <= 65536:
            raise ValueError("itemsize out of range")
        return np.dtype(spec)  # type: ignore[call-overload,no-any-return]
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the log's tick schema cannot be read: {error}") from error


def _checked_type(text: object) -> str:
    if text not in ("<f8", "<f4", "|u1", "<u2"):
        raise ValueError(f"element type {text!r} is not known")
    return str(text)


@cache
def fingerprint(dtype: np.dtype[np.void]) -> int:
    """Return a 32-bit number that differs when the layout of a tick differs."""
    return identity_of(describe(dtype))


def identity_of(description: bytes) -> int:
    """Return the fingerprint of a layout, from its description in a file."""
    return zlib.crc32(description)
