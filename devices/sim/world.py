"""The room: robot, floor, bumps, stool and gantry as one MuJoCo model."""

import math
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
import numpy.typing as npt

from devices.errors import DeviceError
from devices.interface import Floats, Support
from devices.sim.couplings import Couplings
from devices.sim.description import BODY_FILE
from devices.sim.leg_contact import let_legs_touch
from devices.sim.settings import SimSettings

Indices = npt.NDArray[np.intp]

# MuJoCo would write its warnings into a file in the working folder, within a tick. The body
# itself detects the only one that matters, divergence.
mujoco.set_mju_user_warning(lambda _: None)

FLOOR = 1  # contact bits of the floor and of the stool
STOOL = 2
BENEATH = -1  # the robot's own friction counts, so that one foot can be made to slip
ROPE_M = 1.0  # from the robot to the beam
BUMPS = 120


@dataclass(frozen=True, slots=True)
class World:
    """A compiled room and the ids of its parts.

    Attributes:
        model: MuJoCo's model.
        q_address: index of each joint's position in qpos (n).
        v_address: index of each joint's velocity in qvel (n).
        initial_qpos: position of the whole model at the start (nq).
        base: id of the robot's base.
        floating: whether the base moves freely; its state is then first in qpos and qvel.
        couplings: joints that follow others.
        legs: whether each joint lies between the base and a contact (n).
        normal: of the floor, in the world (3).
        contact_geoms: ids of the geoms that the contact switches feel (k).
        contact_bodies: ids of the bodies that carry the contacts, contact by contact.
        spring_sites: ids of the ground springs' points.
        gantry: index of the gantry's mocap body, -1 without one.
    """

    model: Any
    q_address: Indices
    v_address: Indices
    initial_qpos: Floats
    base: int
    floating: bool
    couplings: Couplings
    legs: npt.NDArray[np.bool_]
    normal: Floats
    contact_geoms: tuple[int, ...]
    contact_bodies: tuple[int, ...]
    spring_sites: Indices
    gantry: int


HOLDS = 0.9999  # impedance of stiction: a joint at rest creeps by µrad a second
SET_DOWN = 5e-4  # the contacts are pressed into the floor, so that every switch closes [m]


def build_world(settings: SimSettings) -> World:
    """Compile the robot and its room.

    Raises:
        DeviceError: the model cannot be read or lacks a part that the settings name, or the
            support does not fit the robot.
    """
    names = [name for geoms in settings.contact_geoms for name in geoms]
    try:
        spec = mujoco.MjSpec.from_file(str(settings.model_path))
        _strip_looks(spec)
        _add_room(spec, settings)
        _add_shapes(spec, settings)
        model = spec.compile()
        joints, base, floating = _structure(model, settings)
        motors = settings.transmissions
        couplings = Couplings(model, joints, settings.joint_names, motors)
        slope = math.radians(settings.slope_deg)
        normal = np.array([-math.sin(slope), 0.0, math.cos(slope)])
        geoms = _geoms(model, names)
        qpos = _initial_qpos(model, settings, joints, couplings, geoms, floating, normal)
        base_body = _body(spec, model.body(base).name)
        if floating:
            # The robot's own pose becomes the reference pose, which stool and rope refer to.
            base_body.pos[:] = qpos[:3]
        if settings.deviation.legs_touch:
            let_legs_touch(spec, model, settings, base)
        _add_support(spec, settings, base_body, qpos)
        _add_sensors(spec, settings, base_body.name, names)
        model = spec.compile()
        settings.deviation.change_masses(model)
    except (ValueError, KeyError, FileNotFoundError) as error:
        raise DeviceError("simulator", f"{settings.model_path} gives no model: {error}") from error
    disabled = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    # One robot is one island, and without bumps there are too few geoms to sort them first.
    disabled |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    if settings.bump_height_m <= 0.0:
        disabled |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
    for name, value in (
        ("timestep", settings.timestep_s),
        # A round friction cone, and stiff enough along it that a sole stands still as dry friction
        # holds it: feet that push each other apart with a tenth of the weight creep by 0.07 mm
        # a minute each. The creep is inverse to this ratio, and with 10 was 7 mm a minute.
        ("cone", mujoco.mjtCone.mjCONE_ELLIPTIC),
        ("impratio", 1000.0),
        ("disableflags", model.opt.disableflags | disabled),
    ):
        setattr(model.opt, name, value)
    if settings.stiction:
        if couplings.count:
            text = "stiction holds no coupled joints; use the friction that creeps"
            raise DeviceError("simulator", text)
        dofs = model.jnt_dofadr[joints]
        model.dof_frictionloss[dofs] = settings.friction_coulomb
        model.dof_solimp[dofs, :2] = HOLDS
    geoms = _geoms(model, names)
    springs = range(len(settings.body.ground_springs))
    first = [_geom(model, switches[0]) for switches in settings.contact_geoms if switches]
    return World(
        model=model,
        q_address=model.jnt_qposadr[joints].astype(np.intp),
        v_address=model.jnt_dofadr[joints].astype(np.intp),
        initial_qpos=qpos,
        base=base,
        floating=floating,
        couplings=couplings,
        legs=_legs(model, joints, geoms, base),
        normal=normal,
        contact_geoms=geoms,
        contact_bodies=tuple(int(model.geom_bodyid[geom]) for geom in first),
        spring_sites=np.array([model.site(f"spring_{i}").id for i in springs], dtype=np.intp),
        gantry=0 if settings.support is Support.GANTRY else -1,
    )


def _structure(model: Any, settings: SimSettings) -> tuple[Indices, int, bool]:
    """Return the ids of the joints (n), the id of the base, and whether the base floats."""
    joints = np.array(
        [_id(model, mujoco.mjtObj.mjOBJ_JOINT, name) for name in settings.joint_names], np.intp
    )
    base = int(model.body_rootid[model.jnt_bodyid[joints[0]]])
    first = int(model.body_jntadr[base])
    floating = first >= 0 and model.jnt_type[first] == mujoco.mjtJoint.mjJNT_FREE
    if floating and first != 0:
        raise DeviceError(
            "simulator", f"{settings.model_path}: put the floating base before every other joint"
        )
    if floating == (settings.support is Support.MOUNTED):
        text = "moves freely: it cannot be" if floating else "is fixed: it can only be"
        raise DeviceError("simulator", f"the robot's base {text} {Support.MOUNTED}")
    return joints, base, floating


def _geom(model: Any, name: str) -> int:
    return _id(model, mujoco.mjtObj.mjOBJ_GEOM, name)


def _geoms(model: Any, names: list[str]) -> tuple[int, ...]:
    return tuple(_geom(model, name) for name in names)


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
    """Remove meshes that only a picture needs: each step would compute their poses."""
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
    for index, shape in enumerate(settings.body.every_shape):
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
    for index, spring in enumerate(settings.body.ground_springs):
        _body(spec, spring.body).add_site(name=f"spring_{index}", pos=spring.point, group=4)
    for index, bumper in enumerate(settings.body.bumpers):
        tendon = spec.add_tendon(
            name=f"bumper_{index}",
            stiffness=bumper.stiffness,
            springlength=[bumper.gap, 10.0],
        )
        for end, (body, point) in enumerate(
            ((bumper.body, bumper.point), (bumper.other_body, bumper.other_point))
        ):
            name = f"bumper_{index}_{end}"
            _body(spec, body).add_site(name=name, pos=point, group=4)
            tendon.wrap_site(name)
    if settings.grip is not None and settings.payload_kg > 0.0:
        inertia = settings.payload_kg * 0.03**2  # an object 6 cm across
        _body(spec, settings.grip.body).add_body(
            name="payload",
            pos=settings.grip.offset,
            ipos=[0, 0, 0],  # by default MuJoCo adds pos a second time
            mass=settings.payload_kg,
            inertia=[inertia] * 3,
            explicitinertial=True,
        )


def _add_sensors(spec: Any, settings: SimSettings, base: str, contact_geoms: list[str]) -> None:
    """Add the sensors that the body reads each tick, in the order that it expects."""
    kinds = mujoco.mjtSensor
    if settings.imu_site is not None:
        for name, kind in (("gyro", kinds.mjSENS_GYRO), ("accel", kinds.mjSENS_ACCELEROMETER)):
            spec.add_sensor(
                name=name,
                type=kind,
                objtype=mujoco.mjtObj.mjOBJ_SITE,
                objname=settings.imu_site,
            )
    spec.add_sensor(
        name="com_velocity",
        type=kinds.mjSENS_SUBTREELINVEL,
        objtype=mujoco.mjtObj.mjOBJ_BODY,
        objname=base,
    )
    for geom in contact_geoms:
        spec.add_sensor(
            name=f"{geom}_force",
            type=kinds.mjSENS_CONTACT,
            objtype=mujoco.mjtObj.mjOBJ_GEOM,
            objname=geom,
            # force only, summed over the geom's contacts, in the world frame
            intprm=[1 << int(mujoco.mjtConDataField.mjCONDATA_FORCE), 3, 1],
        )


def _initial_qpos(
    model: Any,
    settings: SimSettings,
    joints: Indices,
    couplings: Couplings,
    contact_geoms: tuple[int, ...],
    floating: bool,
    normal: Floats,
) -> Floats:
    """Return the initial pose, a floating base upright with its contacts on the floor (nq)."""
    data = mujoco.MjData(model)
    data.qpos[model.jnt_qposadr[joints]] = settings.initial_q
    couplings.follow(data.qpos, data.qvel)
    if not floating:
        return np.array(data.qpos)
    slope = math.radians(settings.slope_deg)
    for body in {int(model.geom_bodyid[g]) for g in contact_geoms}:
        ankle = _pitch_joint(model, body)
        if ankle < 0:
            continue
        lower, upper = model.jnt_range[ankle]
        address = model.jnt_qposadr[ankle]
        angle = data.qpos[address] - slope * model.jnt_axis[ankle][1]
        data.qpos[address] = min(max(angle, lower), upper)
    if not contact_geoms:
        return np.array(data.qpos)
    data.qpos[:7] = (0, 0, 0, 1, 0, 0, 0)
    mujoco.mj_kinematics(model, data)
    gaps = [float(normal @ data.geom_xpos[g]) - float(model.geom_size[g][0]) for g in contact_geoms]
    data.qpos[2] = -(sum(gaps) / len(gaps) + SET_DOWN) / normal[2]
    return np.array(data.qpos)


def _pitch_joint(model: Any, body: int) -> int:
    """Return the hinge nearest to a contact that pitches it; -1 if none does."""
    while body > 0:
        joint = int(model.body_jntadr[body])
        if joint >= 0 and abs(float(model.jnt_axis[joint][1])) > 0.5:
            return joint
        body = int(model.body_parentid[body])
    return -1


def _add_support(spec: Any, settings: SimSettings, base: Any, qpos: Floats) -> None:
    if settings.support is Support.SEATED:
        weld = spec.add_equality(
            type=mujoco.mjtEq.mjEQ_WELD,
            objtype=mujoco.mjtObj.mjOBJ_BODY,
            name1=base.name,
            name2="world",
            solref=[0.01, 1.0],
        )
        weld.data[10] = 1.0
        thigh = max((s.radius for s in settings.body.shapes if s.sits), default=0.05)
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
        if settings.body.rope_point is None:
            raise DeviceError("simulator", f"{BODY_FILE} gives no rope_point for a gantry; add it")
        end = np.array(settings.body.rope_point)
        beam = spec.worldbody.add_body(
            name="gantry", mocap=True, pos=qpos[:3] + end + [0, 0, ROPE_M]
        )
        beam.add_site(name="beam", group=4)
        base.add_site(name="rope_end", pos=end, group=4)
        rope = spec.add_tendon(
            name="rope",
            limited=1,
            range=[0.0, ROPE_M + settings.rope_slack_m],
            solref_limit=[0.02, 1.0],
            width=0.004,
        )
        rope.wrap_site("beam")
        rope.wrap_site("rope_end")


def _legs(
    model: Any, joints: Indices, contact_geoms: tuple[int, ...], base: int
) -> npt.NDArray[np.bool_]:
    bodies: set[int] = set()
    for geom in contact_geoms:
        body = int(model.geom_bodyid[geom])
        while body not in (base, 0):
            bodies.add(body)
            body = int(model.body_parentid[body])
    return np.array([int(model.jnt_bodyid[j]) in bodies for j in joints])
