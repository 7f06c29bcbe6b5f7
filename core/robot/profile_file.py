"""Reads and checks the profile of a robot: `profile.toml` in its folder."""

import copy
import re
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from core.behave.idle_settings import idle_faults
from core.errors import ProfileError
from core.plants.biped.settings import Biped
from core.plants.runner.settings import Runner
from core.robot.folders import PROFILE, robot_folder
from core.robot.profile import REST, Joint, Profile
from devices.interface import Support
from shows.body_limb import COORDINATES

MAX_PROFILE_BYTES = 1_000_000
MAX_KP_BY_STALL = 100.0  # stiffness by stall torque [1/rad]
MAX_KD_BY_STALL = 10.0  # damping by stall torque [s/rad]
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_]*")
_PLAIN_XML = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.xml")
_ROW = re.compile(r"joints\.rows\[(\d+)\]\[(\d+)\]")


def load_profile(name: str) -> Profile:
    """Read and check the profile of the robot called `name`.

    Raises:
        ProfileError: no such robot, or its profile cannot be used.
    """
    folder = robot_folder(name)
    profile = read_profile(folder / PROFILE)
    if profile.name != name:
        reason = f"is {profile.name!r}, but the folder is called {name!r}; give both one name"
        raise ProfileError(PROFILE, "name", reason)
    if not profile.model_path.is_file():
        reason = f"there is no file {profile.model!r} in the folder {name!r}; name the one there"
        raise ProfileError(PROFILE, "model", reason)
    return profile


def read_profile(path: Path) -> Profile:
    """Read and check a profile file; `core.robot.model` checks it against the model.

    Raises:
        ProfileError: the file is unreadable, has unknown or missing keys, or holds a value
            that is not finite, out of range or contradicts another.
    """
    file = path.name
    try:
        with path.open("rb") as stream:
            raw = stream.read(MAX_PROFILE_BYTES + 1)
    except OSError as error:
        raise ProfileError(file, "file", f"cannot be read ({error.strerror})") from error
    if len(raw) > MAX_PROFILE_BYTES:
        raise ProfileError(file, "file", "is larger than any profile; put the right file there")
    if not raw.endswith(b"\n"):
        raise ProfileError(file, "end", "is truncated: the last line has no end; copy it again")
    try:
        table: dict[str, Any] = tomllib.loads(raw.decode("utf-8"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProfileError(file, "syntax", f"is not valid TOML ({error}); correct it") from error
    try:
        profile = msgspec.convert(table, Profile)
    except msgspec.ValidationError as error:
        raise _refusal(file, table, str(error)) from error
    _check_names(file, profile)
    _check_limbs(file, profile)
    _check_joints(file, profile)
    _check_postures(file, profile)
    _check_references(file, profile)
    _check_actuators(file, profile)
    _check_plant(file, profile)
    return profile


def _refusal(file: str, table: dict[str, Any], message: str) -> ProfileError:
    """Return the error of a value, with its place and advice."""
    reason, _, path = message.partition(" - at ")
    place = _spelled(table, message, path.strip("`$."))
    cell = _ROW.fullmatch(place)
    if cell is not None:
        row, column = int(cell[1]), int(cell[2])
        joint = table["joints"]["rows"][row][0]
        place += f" ({joint}, {Joint.__struct_fields__[column]})"
    place = " ".join(place.split())  # a key may contain any character
    if "missing required field" in reason:
        advice = "add it"
    elif "unknown field" in reason:
        advice = "correct its spelling or remove it"
    else:
        advice = "correct it"
    return ProfileError(file, place or "top level", f"{reason}; {advice}".replace("\n", " "))


def _spelled(table: dict[str, Any], message: str, place: str) -> str:
    """Return the path of a fault, with the keys that the message replaces by `[...]`.

    Args:
        table: the profile.
        message: message of the fault.
        place: path in the message.
    """
    while "[...]" in place:
        head, _, rest = place.partition("[...]")
        for key in list(_at(table, head)):
            trial = copy.deepcopy(table)
            node = _at(trial, head)
            for other in list(node):
                if other != key:
                    del node[other]
            try:
                msgspec.convert(trial, Profile)
            except msgspec.ValidationError as error:
                if str(error) == message:
                    place, table = f"{head}.{key}{rest}", trial
                    break
        else:
            break
    return place


def _at(table: dict[str, Any], path: str) -> Any:
    """Return the value at a path such as `actuators.small`."""
    node: Any = table
    for name, row in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        node = node[int(row)] if row else node[name]
    return node


def _check_names(file: str, profile: Profile) -> None:
    """Refuse names that lead out of the robot's folder or do not fit on a line."""
    if not _PLAIN_NAME.fullmatch(profile.name):
        raise ProfileError(file, "name", _no_name(profile.name))
    if not _PLAIN_XML.fullmatch(profile.model):
        reason = f"{profile.model!r} is not the plain name of an .xml file; give it without folders"
        raise ProfileError(file, "model", reason)
    for kind in profile.actuators:
        if not _PLAIN_NAME.fullmatch(kind):
            raise ProfileError(file, "actuators", _no_name(kind))
    for row, name in enumerate(profile.joint_names):
        if not _PLAIN_NAME.fullmatch(name):
            raise ProfileError(file, f"joints.rows[{row}]", _no_name(name))


def _no_name(text: str) -> str:
    return f"{text!r} is not a valid name; use small letters, digits and underscores"


def _check_joints(file: str, profile: Profile) -> None:
    """Refuse an inconsistent joint table; the arrays rely on its order."""
    if profile.joints.columns != list(Joint.__struct_fields__):
        fields = ", ".join(Joint.__struct_fields__)
        raise ProfileError(file, "joints.columns", f"the columns must be {fields}")
    names = profile.joint_names
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        reason = f"joint {min(doubled)!r} is listed twice; keep one"
        raise ProfileError(file, "joints.rows", reason)
    order = [limb.name for limb in profile.limbs]
    latest = 0
    roles: set[tuple[str, str]] = set()
    for joint in profile.joints.rows:
        place = f"joints.rows, {joint.name}"
        if joint.actuator not in profile.actuators:
            known = ", ".join(profile.actuators)
            reason = f"no actuator is called {joint.actuator!r}; known are: {known}"
            raise ProfileError(file, place, reason)
        if joint.limb not in order:
            reason = f"no limb is called {joint.limb!r}; known are: {', '.join(order)}"
            raise ProfileError(file, place, reason)
        if order.index(joint.limb) < latest:
            reason = f"{joint.limb!r} comes too late; keep the order {', '.join(order)}"
            raise ProfileError(file, place, reason)
        if (joint.limb, joint.role) in roles:
            reason = f"the limb {joint.limb!r} has two {joint.role!r} joints; rename one role"
            raise ProfileError(file, place, reason)
        roles.add((joint.limb, joint.role))
        latest = order.index(joint.limb)
    empty = [name for name in order if name not in {limb for limb, _ in roles}]
    if empty:
        raise ProfileError(file, "limbs", f"{empty[0]!r} has no joint; name its joints or drop it")


def _check_limbs(file: str, profile: Profile) -> None:
    """Refuse limbs in an order that the arrays do not support: hands come last."""
    names = [limb.name for limb in profile.limbs]
    if len(set(names)) != len(names):
        raise ProfileError(file, "limbs", "two limbs have one name; rename one")
    light = [limb.kind == "hand" for limb in profile.limbs]
    if light != sorted(light):
        raise ProfileError(file, "limbs", "hands come last; the dynamics model leaves them out")


def _check_postures(file: str, profile: Profile) -> None:
    """Refuse a posture that does not give every joint one angle."""
    counts: dict[str, int] = {}
    for joint in profile.joints.rows:
        counts[joint.limb] = counts.get(joint.limb, 0) + 1
    for name, limbs in profile.postures.items():
        for limb, count in counts.items():
            given = len(limbs.get(limb, ()))
            if given != count:
                reason = f"has {given} angles; give one for each of the {count} joints"
                raise ProfileError(file, f"postures.{name}.{limb}", reason)
        strangers = sorted(set(limbs) - set(counts))
        if strangers:
            reason = f"no limb is called so; known are: {', '.join(counts)}"
            raise ProfileError(file, f"postures.{name}.{strangers[0]}", reason)
    if REST not in profile.postures:
        raise ProfileError(file, "postures", f"the posture {REST!r} is missing; add it")
    if profile.inertia is not None and profile.inertia.posture not in profile.postures:
        known = ", ".join(profile.postures)
        reason = f"no posture is called {profile.inertia.posture!r}; known are: {known}"
        raise ProfileError(file, "inertia.posture", reason)
    for support, posture in profile.supports.items():
        if support not in {known.value for known in Support}:
            known = ", ".join(Support)
            raise ProfileError(file, f"supports.{support}", f"is not a support; known are: {known}")
        if posture not in profile.postures:
            reason = f"no posture is called {posture!r}; known are: {', '.join(profile.postures)}"
            raise ProfileError(file, f"supports.{support}", reason)


def _check_references(file: str, profile: Profile) -> None:
    """Refuse names of limbs that the robot does not have."""
    limbs = {limb.name for limb in profile.limbs}
    for place, limb in (
        *((f"contacts, {contact.name}", contact.limb) for contact in profile.contacts),
        *(("grips", grip.limb) for grip in profile.grips),
    ):
        if limb not in limbs:
            reason = f"no limb is called {limb!r}; known are: {', '.join(sorted(limbs))}"
            raise ProfileError(file, place, reason)
    for contact in profile.contacts:
        if contact.heel >= contact.toe:
            raise ProfileError(file, f"contacts, {contact.name}", "heel must lie behind toe")
    _check_behaviour(file, profile)


def _check_behaviour(file: str, profile: Profile) -> None:
    """Refuse a gaze, an idle motion or hand poses that do not fit the limbs."""
    legs = {limb.name for limb in profile.limbs if limb.kind == "leg"}
    limb_of = {row.name: row.limb for row in profile.joints.rows if row.limb not in legs}
    gaze = profile.gaze
    if profile.body is not None and profile.biped is None and profile.runner is None:
        reason = "only a robot with the table [biped] or [runner] moves its body"
        raise ProfileError(file, "body", reason)
    if any(limb.kind == "body" for limb in profile.limbs):
        raise ProfileError(file, "limbs", "the body is no limb of joints; give the table [body]")
    for field in ("yaw", "pitch") if gaze is not None else ():
        joint = getattr(gaze, field)
        if joint not in limb_of:
            reason = f"no limb that behaviour moves has a joint {joint!r}; correct it"
            raise ProfileError(file, f"gaze.{field}", reason)
    if gaze is not None and (limb_of[gaze.yaw] != limb_of[gaze.pitch] or gaze.yaw == gaze.pitch):
        reason = "must be two joints of one limb, which follows the stick"
        raise ProfileError(file, "gaze", reason)
    if profile.idle is not None:
        moved = (*limb_of, *(COORDINATES if profile.body is not None else ()))
        for place, reason in idle_faults(profile.idle, moved, gaze is not None):
            raise ProfileError(file, place, reason)


def _check_actuators(file: str, profile: Profile) -> None:
    """Refuse an actuator that its own friction stalls, and gains that exceed its torque."""
    for name, kind in profile.actuators.items():
        if kind.friction_coulomb >= kind.stall_torque:
            place = f"actuators.{name}.friction_coulomb"
            raise ProfileError(file, place, "must be below stall_torque")
    fields = Joint.__struct_fields__
    for row, joint in enumerate(profile.joints.rows):
        kind = profile.actuators[joint.actuator]
        for field, ratio in (("kp", MAX_KP_BY_STALL), ("kd", MAX_KD_BY_STALL)):
            most = ratio * kind.stall_torque
            if getattr(joint, field) > most:
                place = f"joints.rows[{row}][{fields.index(field)}] ({joint.name}, {field})"
                reason = f"Expected at most {most:g}, {ratio:g} times the stall torque; correct it"
                raise ProfileError(file, place, reason)
        if kind.control == "position" and joint.kp == 0.0:
            place = f"joints.rows[{row}][{fields.index('kp')}] ({joint.name}, kp)"
            raise ProfileError(file, place, "a position servo needs a stiffness; give one")


def _check_plant(file: str, profile: Profile) -> None:
    """Refuse settings of the plant that contradict each other."""
    biped, runner, handset, battery = (
        profile.biped,
        profile.runner,
        profile.handset,
        profile.battery,
    )
    if [biped, runner, profile.fixed].count(None) != 2:
        reason = "give one of the tables [biped], [runner] and [fixed]"
        raise ProfileError(file, "biped", reason)
    if battery is not None and not battery.flat_v < battery.critical_v < battery.low_v:
        raise ProfileError(file, "battery.critical_v", "must lie between flat_v and low_v")
    if profile.fixed is not None:
        return
    if profile.imu is None:
        raise ProfileError(file, "imu", "a biped needs one; add the table")
    if profile.health.fall_tilt_rad is None or profile.health.fall_height_m is None:
        raise ProfileError(file, "health", "a biped can fall: add fall_tilt_rad and fall_height_m")
    if len(profile.contacts) != 2:
        raise ProfileError(file, "contacts", "a biped has two feet; list the left one first")
    estimator = profile.estimator
    if estimator.contact_off_force >= estimator.contact_on_force:
        place = f"{'biped' if runner is None else 'runner'}.estimator.contact_off_force"
        raise ProfileError(file, place, "must be below contact_on_force")
    if biped is not None:
        _check_biped(file, biped)
    if runner is not None:
        _check_runner(file, profile, runner)
    if handset is None:
        return
    pace = profile.pace
    assert pace is not None, "it has feet"
    for field, most in (
        ("forward", pace.max_speed_forward),
        ("backward", pace.max_speed_forward),
        ("sideways", pace.max_speed_sideways),
        ("turning", pace.max_yaw_rate),
    ):
        if getattr(handset, field) > most:
            reason = f"must not exceed the gait's own limit, {most:g}"
            raise ProfileError(file, f"handset.{field}", reason)


def _check_biped(file: str, biped: Biped) -> None:
    """Refuse settings of a torque-controlled biped that contradict each other."""
    balance, constraints = biped.balance, biped.constraints
    if constraints.force_min >= constraints.force_max:
        raise ProfileError(file, "biped.constraints.force_min", "must be below force_max")
    if balance.crouch_height >= balance.stand_height:
        raise ProfileError(file, "biped.balance.crouch_height", "must be below stand_height")
    if biped.qp.solver not in ("daqp", "proxqp"):
        raise ProfileError(file, "biped.qp.solver", "must be 'daqp' or 'proxqp'")
    # The tasks import the dynamics library, which a profile of another plant does not need.
    from core.plants.biped.whole_body.task_list import read_task_settings

    read_task_settings(biped.tasks)


def _check_runner(file: str, profile: Profile, runner: Runner) -> None:
    """Refuse settings of a running biped that contradict each other."""
    heights, times = runner.strides.heights, runner.strides.times
    if heights.crouch >= heights.stand:
        raise ProfileError(file, "runner.strides.heights.crouch", "must be below stand")
    if times.jump_flight_s + times.absorb_s + times.push_s >= times.jump_s:
        reason = "must exceed absorb_s, push_s and jump_flight_s together"
        raise ProfileError(file, "runner.strides.times.jump_s", reason)
    if any(contact.kind != "sole" for contact in profile.contacts):
        raise ProfileError(file, "contacts", "a runner stands on soles; give kind = 'sole'")
