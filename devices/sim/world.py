"""The room: robot, floor, bumps, stool and gantry as one MuJoCo model."""

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from devices.errors import DeviceError
from devices.interface import Floats, Support
from devices.sim.settings import SimSettings

Indices = npt.NDArray[np.intp]

# MuJoCo would write its warnings into a file in the working folder, in the midst of a tick.
# The only one that matters, divergence, the body finds by itself.
mujoco.set_mju_user_warning(lambda _: None)

FLOOR = 1  # contact bits: what rests on the floor, and what on the stool
STOOL = 2
BENEATH = -1  # the robot's own friction counts, so that one foot can be made to slip
ROPE_M = 1.0  # from the neck to the beam
BUMPS = 120


@dataclass(frozen=True, slots=True)
class World:
    """A compiled room and where its parts are.

    Attributes:
        model: MuJoCo's model.
        q_address: where each joint's position is in qpos (n).
        v_address: where each joint's velocity is in qvel (n).
        initial_qpos: the whole state's position at the start (nq).
        torso: id of the floating body.
        legs: which joints lie between the torso and a sole (n).
        normal: of the floor, in the world (3).
        sole_geoms: ids of the contact geoms (4).
        boot_sites: ids of the boot shells' points.
        gantry: index of the gantry's mocap body, -1 without one.
    """

    model: Any
    q_address: Indices
    v_address: Indices
    initial_qpos: Floats
    torso: int
    legs: npt.NDArray[np.bool_]
    normal: Floats
    sole_geoms: tuple[int, ...]
    boot_sites: Indices
    gantry: int


SET_DOWN = 5e-4  # the soles are pressed into the floor, so that every switch closes [m]


def build_world(settings: SimSettings) -> World:
    """Compile the robot and its room.

    Raises:
        DeviceError: the model cannot be read or lacks a part that the settings name.
    """
    try:
        spec = mujoco.MjSpec.from_file(str(settings.model_path))
        _strip_looks(spec)
        _add_room(spec, settings)
        _add_shapes(spec, settings)
        _add_sensors(spec, settings)
        model = spec.compile()
    except (ValueError, KeyError, FileNotFoundError) as error:
        raise DeviceError("simulator", f"{settings.model_path} gives no model: {error}") from error
    torso = int(model.jnt_bodyid[0])
    if model.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE:
        raise DeviceError("simulator", f"{settings.model_path} has no floating base as first joint")
    joints = np.array([_id(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in settings.joint_names])
    soles = tuple(_id(model, mujoco.mjtObj.mjOBJ_GEOM, g) for g in settings.contact_geoms)
    slope = math.radians(settings.slope_deg)
    normal = np.array([-math.sin(slope), 0.0, math.cos(slope)])
    qpos = _initial_qpos(model, settings, joints, soles, normal)
    # The robot's own pose becomes the reference pose, which stool and rope refer to.
    spec.body(model.body(torso).name).pos[:] = qpos[:3]
    _add_support(spec, settings, model, torso, qpos)
    model = spec.compile()
    disabled = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    # One robot is one island, and without bumps there are too few geoms to sort them first.
    disabled |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    if settings.bump_height_m <= 0.0:
        disabled |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
    for name, value in (
        ("timestep", settings.timestep_s),
        # A round friction cone, and stiff enough along it that a loaded foot creeps by less
        # than 0.1 mm/s: by default it would walk away under a show that stands for minutes.
        ("cone", mujoco.mjtCone.mjCONE_ELLIPTIC),
        ("impratio", 10.0),
        ("disableflags", model.opt.disableflags | disabled),
    ):
        setattr(model.opt, name, value)
    shells = range(len(settings.boot_shells))
    return World(
        model=model,
        q_address=model.jnt_qposadr[joints].astype(np.intp),
        v_address=model.jnt_dofadr[joints].astype(np.intp),
        initial_qpos=qpos,
        torso=torso,
        legs=_legs(model, joints, soles, torso),
        normal=normal,
        sole_geoms=soles,
        boot_sites=np.array([model.site(f"boot_shell_{i}").id for i in shells], dtype=np.intp),
        gantry=0 if settings.support is Support.GANTRY else -1,
    )


def _id(model: Any, kind: Any, name: str) -> int:
    found = int(mujoco.mj_name2id(model, kind, name))
    if found < 0:
        raise DeviceError("simulator", f"the robot's model has no {kind.name[6:].lower()} {name!r}")
    return found


def _body(spec: Any, name: str) -> Any:
    body = spec.body(name)
    if body is None:
        raise DeviceError("simulator", f"the robot's model has no body {name!r}")
    return body


def _strip_looks(spec: Any) -> None:
    """Take off what only a picture needs: each step would place it anew."""
    for geom in list(spec.geoms):
        if geom.type == mujoco.mjtGeom.mjGEOM_MESH and not geom.contype and not geom.conaffinity:
            spec.delete(geom)


def _add_room(spec: Any, settings: SimSettings) -> None:
    half = -math.radians(settings.slope_deg) / 2.0
    ground = spec.worldbody.add_body(name="ground", quat=[math.cos(half), 0, math.sin(half), 0])
    ground.add_geom(
        name="floor",
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[0, 0, 0.05],
        contype=0,
        conaffinity=FLOOR,
        condim=3,
        priority=BENEATH,
        group=0,
        rgba=[0.55, 0.55, 0.58, 1],
    )
    if settings.bump_height_m <= 0.0:
        return
    rng = np.random.default_rng(settings.bump_seed)
    places = rng.uniform((0.35, -1.5), (6.0, 1.5), (BUMPS, 2))
    halves = rng.uniform(0.03, 0.12, (BUMPS, 2))
    turns = rng.uniform(0.0, np.pi, BUMPS)
    for (x, y), (a, b), turn in zip(places, halves, turns, strict=True):
        # Half of each box is in the ground, so that its edge stands as high as asked.
        ground.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=[x, y, 0.0],
            quat=[math.cos(turn / 2), 0, 0, math.sin(turn / 2)],
            size=[a, b, settings.bump_height_m],
            contype=0,
            conaffinity=FLOOR,
            condim=3,
            priority=BENEATH,
            group=0,
            rgba=[0.45, 0.45, 0.5, 1],
        )


def _add_shapes(spec: Any, settings: SimSettings) -> None:
    for index, shape in enumerate(settings.shapes):
        ball = shape.start == shape.end
        kind = mujoco.mjtGeom.mjGEOM_SPHERE if ball else mujoco.mjtGeom.mjGEOM_CAPSULE
        line = {"pos": shape.start} if ball else {"fromto": [*shape.start, *shape.end]}
        _body(spec, shape.body).add_geom(
            name=f"shape_{index}",
            type=kind,
            size=[shape.radius, 0, 0],
            contype=FLOOR | STOOL if shape.sits else FLOOR,
            conaffinity=0,
            condim=3,
            group=3,
            mass=0,
            **line,
        )
    for geom in spec.geoms:
        if geom.contype:
            geom.friction[0] = settings.friction
            geom.solref[:] = [0.01, 1.0]
            geom.solimp[:] = [0.95, 0.99, 0.001, 0.5, 2.0]
    for index, shell in enumerate(settings.boot_shells):
        _body(spec, shell.foot).add_site(name=f"boot_shell_{index}", pos=shell.point, group=4)
    for index, femur in enumerate(settings.femur_shells):
        tendon = spec.add_tendon(
            name=f"femur_shell_{index}",
            stiffness=femur.stiffness,
            springlength=[femur.gap, 10.0],
        )
        for end, body, point in (
            ("torso", femur.torso, femur.torso_point),
            ("thigh", femur.thigh, femur.thigh_point),
        ):
            name = f"femur_shell_{index}_{end}"
            _body(spec, body).add_site(name=name, pos=point, group=4)
            tendon.wrap_site(name)
    if settings.payload_kg > 0.0:
        inertia = settings.payload_kg * 0.03**2  # a thing of 6 cm across
        _body(spec, settings.payload_body).add_body(
            name="payload",
            pos=[0, 0, -0.08],
            ipos=[0, 0, 0],  # MuJoCo puts it at pos a second time if nobody says
            mass=settings.payload_kg,
            inertia=[inertia] * 3,
            explicitinertial=True,
        )


def _add_sensors(spec: Any, settings: SimSettings) -> None:
    """Add what the body reads each tick, in the order that it expects."""
    site = mujoco.mjtObj.mjOBJ_SITE
    kinds = mujoco.mjtSensor
    spec.add_sensor(name="gyro", type=kinds.mjSENS_GYRO, objtype=site, objname=settings.imu_site)
    spec.add_sensor(
        name="accel", type=kinds.mjSENS_ACCELEROMETER, objtype=site, objname=settings.imu_site
    )
    root = spec.worldbody.first_body()
    while root is not None and not root.joints:
        root = spec.worldbody.next_body(root)
    if root is None:
        raise DeviceError("simulator", f"{settings.model_path} has no floating body")
    spec.add_sensor(
        name="com_velocity",
        type=kinds.mjSENS_SUBTREELINVEL,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        objname=root.name,
    )
    for geom in settings.contact_geoms:
        spec.add_sensor(
            name=f"{geom}_force",
            type=kinds.mjSENS_CONTACT,
            objtype=mujoco.mjtObj.mjOBJ_GEOM,
            objname=geom,
            # force only, summed over the geom's contacts, in the world frame
            intprm=[1 << int(mujoco.mjtConDataField.mjCONDATA_FORCE), 3, 1],
        )


def _initial_qpos(
    model: Any, settings: SimSettings, joints: Any, soles: tuple[int, ...], normal: Floats
) -> Floats:
    """Return the pose with an upright torso and the soles set down on the floor (nq)."""
    data = mujoco.MjData(model)
    data.qpos[model.jnt_qposadr[joints]] = settings.initial_q
    slope = math.radians(settings.slope_deg)
    for body in {int(model.geom_bodyid[g]) for g in soles}:
        ankle = int(model.body_jntadr[body])
        lower, upper = model.jnt_range[ankle]
        address = model.jnt_qposadr[ankle]
        angle = data.qpos[address] - slope * model.jnt_axis[ankle][1]
        data.qpos[address] = min(max(angle, lower), upper)
    data.qpos[:7] = (0, 0, 0, 1, 0, 0, 0)
    mujoco.mj_kinematics(model, data)
    gaps = [float(normal @ data.geom_xpos[g]) - float(model.geom_size[g][0]) for g in soles]
    data.qpos[2] = -(sum(gaps) / len(gaps) + SET_DOWN) / normal[2]
    return np.array(data.qpos)


def _add_support(spec: Any, settings: SimSettings, model: Any, torso: int, qpos: Floats) -> None:
    name = model.body(torso).name
    if settings.support is Support.SEATED:
        weld = spec.add_equality(
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=name,
            name2="world",
            solref=[0.01, 1.0],
        )
        weld.data[10] = 1.0
        thigh = max((s.radius for s in settings.shapes if s.sits), default=0.05)
        top = float(qpos[2]) - thigh
        spec.worldbody.add_geom(
            name="stool",
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=[0.0, 0.0, top / 2],
            size=[0.17, 0.17, max(top / 2, 0.01)],
            contype=0,
            conaffinity=STOOL,
            condim=3,
            priority=BENEATH,
            group=0,
            rgba=[0.5, 0.35, 0.2, 1],
        )
    elif settings.support is Support.GANTRY:
        neck = np.array(settings.rope_point)
        beam = spec.worldbody.add_body(
            name="gantry", mocap=True, pos=qpos[:3] + neck + [0, 0, ROPE_M]
        )
        beam.add_site(name="beam", group=4)
        spec.body(name).add_site(name="rope_end", pos=neck, group=4)
        rope = spec.add_tendon(
            name="rope",
            limited=1,
            range=[0.0, ROPE_M + settings.rope_slack_m],
            solref_limit=[0.02, 1.0],
            width=0.004,
        )
        rope.wrap_site("beam")
        rope.wrap_site("rope_end")


def _legs(model: Any, joints: Any, soles: tuple[int, ...], torso: int) -> npt.NDArray[np.bool_]:
    bodies: set[int] = set()
    for geom in soles:
        body = int(model.geom_bodyid[geom])
        while body not in (torso, 0):
            bodies.add(body)
            body = int(model.body_parentid[body])
    return np.array([int(model.jnt_bodyid[j]) in bodies for j in joints])
