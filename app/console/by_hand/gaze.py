"""The limb that turns the robot's gaze, and its joints, as the core reports them."""

from core.link.hello import Hello
from core.link.status import Status


def gaze_joints(hello: Hello | None) -> tuple[int, int] | None:
    """Return the indices of the joints for yaw and pitch; None if the robot has no gaze."""
    if hello is None or hello.gaze is None:
        return None
    return hello.joint_names.index(hello.gaze.yaw), hello.joint_names.index(hello.gaze.pitch)


def gaze_state(hello: Hello | None, status: Status | None) -> str:
    """Return the motion state of the limb that turns the gaze; empty if it is not known."""
    joints = gaze_joints(hello)
    if joints is None or hello is None or status is None:
        return ""
    limb = hello.joint_limbs[joints[0]]
    states = dict(zip(hello.group_names, status.motion_states, strict=False))
    return states.get(limb, "")
